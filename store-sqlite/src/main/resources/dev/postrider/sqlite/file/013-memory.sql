-- What channels want to know again when they send: of a chat, by the name it has now, or of the account.

CREATE TABLE memory (
  account    INTEGER NOT NULL,
  chat       TEXT    NOT NULL,      -- empty: the account as a whole
  key        TEXT    NOT NULL,
  value      BLOB    NOT NULL,
  expires_at INTEGER,               -- null: never
  PRIMARY KEY (account, chat, key)
) WITHOUT ROWID;

CREATE INDEX memory_expires_at ON memory (expires_at) WHERE expires_at IS NOT NULL;
