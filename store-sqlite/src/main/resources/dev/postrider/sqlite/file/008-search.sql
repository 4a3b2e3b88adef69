-- Finding messages by chat, account, time of acceptance, session and run.
-- An index led by chats would cost every message more than its row does. "chat_index", "account_index" and "minute_index" are
-- filled behind the writer, in batches, while few messages come; rows beyond "indexed" are not in them yet and are looked at
-- themselves. The indexes of sessions and runs cost those messages only that have one.

CREATE TABLE chat_index (
  name    TEXT    NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (name, message)
) WITHOUT ROWID;

CREATE TABLE account_index (
  number  INTEGER NOT NULL,         -- the account's id
  message INTEGER NOT NULL,
  PRIMARY KEY (number, message)
) WITHOUT ROWID;

CREATE TABLE minute_index (
  minute INTEGER PRIMARY KEY,       -- since the epoch
  first  INTEGER NOT NULL,          -- the first message that was accepted in it, and the last
  last   INTEGER NOT NULL
);

CREATE TABLE indexed (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  through INTEGER NOT NULL
);

INSERT INTO indexed (id, through) VALUES (1, 0);

ALTER TABLE message ADD COLUMN session TEXT;
ALTER TABLE message ADD COLUMN run TEXT;

UPDATE message SET session = json_extract(CAST(content AS TEXT), '$.session')
  WHERE instr(CAST(content AS TEXT), '"session":') > 0;
UPDATE message SET run = json_extract(CAST(content AS TEXT), '$.metadata.run')
  WHERE idem_key GLOB 'run:*';

CREATE INDEX message_session ON message (session) WHERE session IS NOT NULL;
CREATE INDEX message_run ON message (run) WHERE run IS NOT NULL;
