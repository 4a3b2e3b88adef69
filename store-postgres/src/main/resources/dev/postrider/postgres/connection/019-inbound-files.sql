-- Files of inbound messages that are to be kept here, or are.

CREATE TABLE inbound_file (
  uid      uuid     NOT NULL,       -- the inbound message's
  n        integer  NOT NULL,       -- which of its files, from 0
  state    smallint NOT NULL,       -- 0 pending, 1 kept, 2 failed
  attempts integer  NOT NULL,
  next_at  bigint   NOT NULL,       -- when a pending one is tried; while it is, when that was in vain
  hash     text     COLLATE "C",    -- of a kept one
  error    text,
  PRIMARY KEY (uid, n)
);

CREATE INDEX inbound_file_due ON inbound_file (next_at) WHERE state = 0;
CREATE INDEX inbound_file_hash ON inbound_file (hash) WHERE hash IS NOT NULL;
