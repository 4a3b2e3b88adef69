-- When this store came back from a backup, and what was held then because it may have been sent since.

CREATE TABLE restore (
  at        INTEGER PRIMARY KEY,
  taken     INTEGER NOT NULL,         -- when the backup was taken
  finished  INTEGER,                  -- when everything was held; null: it was not, and nothing may be sent yet
  messages  INTEGER NOT NULL,         -- held; they ended in the microseconds from "at" on
  scheduled INTEGER NOT NULL,         -- left as they were
  inbound   INTEGER NOT NULL,         -- dead letters now
  runs      INTEGER NOT NULL          -- paused
);
