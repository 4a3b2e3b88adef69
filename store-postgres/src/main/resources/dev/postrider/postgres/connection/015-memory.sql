-- What channels want to know again when they send: of a chat, by the name it has now, or of the account.

CREATE TABLE memory (
  account    integer NOT NULL,
  chat       text    COLLATE "C" NOT NULL, -- empty: the account as a whole
  key        text    COLLATE "C" NOT NULL,
  value      bytea   NOT NULL,
  expires_at bigint,                       -- null: never
  PRIMARY KEY (account, chat, key)
);

CREATE INDEX memory_expires_at ON memory (expires_at) WHERE expires_at IS NOT NULL;
