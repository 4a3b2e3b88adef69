-- When this store came back from a backup, and what was held then because it may have been sent since.

CREATE TABLE restore (
  at        bigint PRIMARY KEY,
  taken     bigint NOT NULL,          -- when the backup was taken
  finished  bigint,                   -- when everything was held; null: it was not, and nothing may be sent yet
  messages  bigint NOT NULL,          -- held; they ended in the microseconds from "at" on
  scheduled bigint NOT NULL,          -- left as they were
  inbound   bigint NOT NULL,          -- dead letters now
  runs      bigint NOT NULL           -- paused
);
