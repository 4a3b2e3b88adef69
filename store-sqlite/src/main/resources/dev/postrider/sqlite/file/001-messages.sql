-- Messages, what went wrong with them, and what must survive a restart besides.
-- Times are microseconds since the epoch. Statuses: 0 queued, 1 sending, 2 delivered, 3 failed, 4 expired, 5 held,
-- 6 cancelled. Every index but the first two covers a part of the rows only, so that history costs
-- the living nothing.

CREATE TABLE account (
  id           INTEGER PRIMARY KEY,
  name         TEXT NOT NULL UNIQUE,
  paused       TEXT,
  broken       TEXT,
  broken_since INTEGER,
  owner        TEXT,
  fence        INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE message (
  id           INTEGER PRIMARY KEY,
  uid          BLOB    NOT NULL,
  account      INTEGER NOT NULL,
  chat         TEXT    NOT NULL,
  seq          INTEGER,             -- place in the lane; null: outside its order, or not entered yet
  head         INTEGER NOT NULL,    -- 1: may be sent once due; 0: waits behind another
  status       INTEGER NOT NULL,
  active       INTEGER NOT NULL,    -- 1: queued or sending; a column of its own, so that indexes on it are covering
  priority     INTEGER NOT NULL,    -- 0 live, 1 bulk
  attempts     INTEGER NOT NULL,
  reservation  INTEGER NOT NULL,
  flags        INTEGER NOT NULL,    -- 1 late, 2 possible duplicate, 4 outside the lane's order, 8 scheduled
  created      INTEGER NOT NULL,
  due          INTEGER NOT NULL,
  expires      INTEGER NOT NULL,
  tried        INTEGER,
  ended        INTEGER,
  progress     BLOB,                -- null: no part has got anywhere yet
  error        TEXT,
  reason       TEXT,
  idem_key     TEXT,
  content_hash BLOB,
  turn         TEXT,
  replay_of    BLOB,
  replayed_as  BLOB,
  content      BLOB    NOT NULL,
  plan         BLOB                 -- null: one plain part, the text itself
);

CREATE UNIQUE INDEX message_uid ON message (uid);
CREATE UNIQUE INDEX message_key ON message (account, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX message_lane ON message (account, chat, seq) WHERE active = 1;
CREATE INDEX message_bulk ON message (account, chat) WHERE active = 1 AND priority = 1;
CREATE INDEX message_due ON message (account, priority, due) WHERE status = 0 AND head = 1;
CREATE INDEX message_sending ON message (account) WHERE status = 1;
CREATE INDEX message_expiry ON message (expires) WHERE status = 0;
CREATE INDEX message_done ON message (ended) WHERE status IN (2, 6) AND idem_key IS NULL;
CREATE INDEX message_done_keyed ON message (ended) WHERE status IN (2, 6) AND idem_key IS NOT NULL;
CREATE INDEX message_dead ON message (ended) WHERE status IN (3, 4, 5);
CREATE INDEX message_turn ON message (turn) WHERE turn IS NOT NULL;

CREATE TABLE history (
  message INTEGER NOT NULL,
  n       INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  part    INTEGER NOT NULL,
  outcome TEXT    NOT NULL,
  error   TEXT,
  next    INTEGER,
  PRIMARY KEY (message, n)
) WITHOUT ROWID;

CREATE TABLE budget (
  scope    TEXT    PRIMARY KEY,
  revision INTEGER NOT NULL,
  until    INTEGER NOT NULL,
  state    TEXT    NOT NULL
) WITHOUT ROWID;

CREATE INDEX budget_until ON budget (until);

CREATE TABLE paused_lane (
  account TEXT    NOT NULL,
  chat    TEXT    NOT NULL,
  reason  TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  PRIMARY KEY (account, chat)
) WITHOUT ROWID;

CREATE TABLE touch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
);
