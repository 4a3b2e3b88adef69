-- Files of inbound messages that are to be kept here, or are.

CREATE TABLE inbound_file (
  uid      BLOB    NOT NULL,        -- the inbound message's
  n        INTEGER NOT NULL,        -- which of its files, from 0
  state    INTEGER NOT NULL,        -- 0 pending, 1 kept, 2 failed
  attempts INTEGER NOT NULL,
  next_at  INTEGER NOT NULL,        -- when a pending one is tried; while it is, when that was in vain
  hash     TEXT,                    -- of a kept one
  error    TEXT,
  PRIMARY KEY (uid, n)
) WITHOUT ROWID;

CREATE INDEX inbound_file_due ON inbound_file (next_at) WHERE state = 0;
CREATE INDEX inbound_file_hash ON inbound_file (hash) WHERE hash IS NOT NULL;
