-- Reminders, their runs, and a row for every target of each.
-- Statuses of runs: 0 waiting, 1 running, 2 paused, 3 success, 4 partial, 5 failed, 6 cancelled.
-- Statuses of targets: 0 pending, 1 sending, 2 sent, 3 failed, 4 skipped, 5 cancelled.

CREATE TABLE reminder (
  id        INTEGER PRIMARY KEY,
  uid       BLOB    NOT NULL,
  name      TEXT    NOT NULL,
  account   INTEGER NOT NULL,
  next_fire INTEGER,
  targets   INTEGER NOT NULL,       -- how many
  version   INTEGER NOT NULL,
  created   INTEGER NOT NULL,
  updated   INTEGER NOT NULL,
  document  BLOB    NOT NULL
);

CREATE UNIQUE INDEX reminder_uid ON reminder (uid);
CREATE INDEX reminder_created ON reminder (created, uid);
CREATE INDEX reminder_account ON reminder (account, created, uid);
CREATE INDEX reminder_due ON reminder (account, next_fire) WHERE next_fire IS NOT NULL;

CREATE TABLE reminder_target (
  reminder INTEGER NOT NULL,
  n        INTEGER NOT NULL,        -- from 0
  account  INTEGER NOT NULL,
  chat     TEXT    NOT NULL,
  content  BLOB,                    -- what it is called, and its variables; null: neither
  PRIMARY KEY (reminder, n)
) WITHOUT ROWID;

CREATE TABLE run (
  id       INTEGER PRIMARY KEY,
  uid      BLOB    NOT NULL,
  reminder BLOB    NOT NULL,        -- its uid: it may be gone
  name     TEXT    NOT NULL,
  instant  INTEGER NOT NULL,
  account  INTEGER NOT NULL,
  status   INTEGER NOT NULL,
  reason   TEXT,
  until    INTEGER,
  total    INTEGER NOT NULL,
  summary  TEXT,
  created  INTEGER NOT NULL,
  started  INTEGER,
  ended    INTEGER,
  version  INTEGER NOT NULL,
  document BLOB    NOT NULL
);

CREATE UNIQUE INDEX run_uid ON run (uid);
CREATE UNIQUE INDEX run_instant ON run (reminder, instant);
CREATE INDEX run_created ON run (created, uid);
CREATE INDEX run_reminder ON run (reminder, created, uid);
CREATE INDEX run_ended ON run (ended) WHERE status > 2;

-- Whose targets a run has; one without targets is its reminder's account's, so that somebody ends it.
CREATE TABLE run_account (
  run     INTEGER NOT NULL,
  account INTEGER NOT NULL,
  active  INTEGER NOT NULL,         -- 1: the run has not ended
  PRIMARY KEY (run, account)
) WITHOUT ROWID;

CREATE INDEX run_account_active ON run_account (account) WHERE active = 1;

CREATE TABLE run_target (
  run      INTEGER NOT NULL,
  n        INTEGER NOT NULL,
  account  INTEGER NOT NULL,
  chat     TEXT    NOT NULL,
  status   INTEGER NOT NULL,
  step     INTEGER NOT NULL,
  tries    INTEGER NOT NULL,
  began    INTEGER,
  ended    INTEGER,
  messages BLOB,                    -- their ids, one after the other; null: none
  error    TEXT,
  content  BLOB,
  PRIMARY KEY (run, n)
) WITHOUT ROWID;

CREATE INDEX run_target_status ON run_target (run, status);
CREATE INDEX run_target_left ON run_target (run, account, status) WHERE status < 2;
CREATE INDEX run_target_sending ON run_target (account) WHERE status = 1;
CREATE INDEX run_target_sent ON run_target (account, chat) WHERE status = 2;

-- How many messages runs have sent, or begun to send, by day.
CREATE TABLE run_day (
  day     INTEGER NOT NULL,         -- since the epoch
  account INTEGER NOT NULL,
  sent    INTEGER NOT NULL,
  PRIMARY KEY (day, account)
) WITHOUT ROWID;

-- Who has written before.
CREATE INDEX session_chat ON session (account, chat);
