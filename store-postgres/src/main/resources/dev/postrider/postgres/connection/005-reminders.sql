-- Reminders, their runs, and a row for every target of each.
-- Statuses of runs: 0 waiting, 1 running, 2 paused, 3 success, 4 partial, 5 failed, 6 cancelled.
-- Statuses of targets: 0 pending, 1 sending, 2 sent, 3 failed, 4 skipped, 5 cancelled.

CREATE TABLE reminder (
  id        bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid       uuid    NOT NULL,
  name      text    NOT NULL,
  account   integer NOT NULL,
  next_fire bigint,
  targets   integer NOT NULL,              -- how many
  version   bigint  NOT NULL,
  created   bigint  NOT NULL,
  updated   bigint  NOT NULL,
  document  bytea   NOT NULL
);

CREATE UNIQUE INDEX reminder_uid ON reminder (uid);
CREATE INDEX reminder_created ON reminder (created, uid) WHERE created IS NOT NULL;
CREATE INDEX reminder_account ON reminder (account, created, uid) WHERE account > 0;
CREATE INDEX reminder_due ON reminder (account, next_fire) WHERE next_fire IS NOT NULL;

CREATE TABLE reminder_target (
  reminder bigint  NOT NULL,
  n        integer NOT NULL,               -- from 0
  account  integer NOT NULL,
  chat     text    COLLATE "C" NOT NULL,
  content  bytea,                          -- what it is called, and its variables; null: neither
  PRIMARY KEY (reminder, n)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE run (
  id       bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid      uuid     NOT NULL,
  reminder uuid     NOT NULL,              -- its uid: it may be gone
  name     text     NOT NULL,
  instant  bigint   NOT NULL,
  account  integer  NOT NULL,
  status   smallint NOT NULL,
  reason   text,
  until    bigint,
  total    integer  NOT NULL,
  summary  text,
  created  bigint   NOT NULL,
  started  bigint,
  ended    bigint,
  version  bigint   NOT NULL,
  document bytea    NOT NULL
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX run_uid ON run (uid);
CREATE UNIQUE INDEX run_instant ON run (reminder, instant);
CREATE INDEX run_created ON run (created, uid) WHERE created IS NOT NULL;
CREATE INDEX run_reminder ON run (reminder, created, uid) WHERE account > 0;
CREATE INDEX run_ended ON run (ended) WHERE status > 2;

-- Whose targets a run has; one without targets is its reminder's account's, so that somebody ends it.
CREATE TABLE run_account (
  run     bigint  NOT NULL,
  account integer NOT NULL,
  active  boolean NOT NULL,                -- whether the run has not ended
  PRIMARY KEY (run, account)
);

CREATE INDEX run_account_active ON run_account (account, run) WHERE active;

CREATE TABLE run_target (
  run      bigint   NOT NULL,
  n        integer  NOT NULL,
  account  integer  NOT NULL,
  chat     text     COLLATE "C" NOT NULL,
  status   smallint NOT NULL,
  step     integer  NOT NULL,
  tries    integer  NOT NULL,
  began    bigint,
  ended    bigint,
  messages bytea,                          -- their ids, one after the other; null: none
  error    text,
  content  bytea,
  PRIMARY KEY (run, n)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Conditions that always hold keep an index for the statements that say the same; see 004.
CREATE INDEX run_target_status ON run_target (run, status, n) WHERE status >= 0;
CREATE INDEX run_target_left ON run_target (run, account, status, n) WHERE status < 2 AND n >= 0;
CREATE INDEX run_target_sending ON run_target (account, run, n) WHERE status = 1;

-- By the beginning of the chat's name: an index takes no text of any length.
CREATE INDEX run_target_sent ON run_target (account, left(chat, 500)) WHERE status = 2;

-- Who has written before.
CREATE INDEX session_chat ON session (account, left(chat, 500)) WHERE chat IS NOT NULL;

-- How many messages runs have sent, or begun to send, by day.
CREATE TABLE run_day (
  day     integer NOT NULL,                -- since the epoch
  account integer NOT NULL,
  sent    integer NOT NULL,
  PRIMARY KEY (day, account)
) WITH (fillfactor = 10);                  -- a hot row: each version finds room on its page
