-- Messages, what went wrong with them, and what must survive a restart besides; for any number of nodes.
-- Times are microseconds since the epoch. Statuses: 0 queued, 1 sending, 2 delivered, 3 failed, 4 expired, 5 held,
-- 6 cancelled.
--
-- A message lives in three tables, so that history costs the living nothing. "message" is written once and never
-- changed. "queue" holds what is active, and only that: small rows that come, change and go; all dead tuples arise
-- here, and vacuum has little to look at. "ended" is written once, when a message ends.

CREATE TABLE account (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name         text   NOT NULL UNIQUE,
  paused       text,
  broken       text,
  broken_since bigint,
  owner        text,                       -- the node that works it
  fence        bigint NOT NULL DEFAULT 0,  -- grows whenever the owner changes
  since        bigint NOT NULL DEFAULT 0,  -- when the owner changed
  active       bigint NOT NULL DEFAULT 0,  -- how many are in the queue, arrivals apart
  dead         bigint NOT NULL DEFAULT 0,  -- how many are dead letters
  changes      bigint NOT NULL DEFAULT 0   -- grows when something is done that its owner must look at
) WITH (fillfactor = 10);                  -- a hot row: each version finds room on its page

INSERT INTO account (name) VALUES ('');    -- the house: its owner does the chores

CREATE TABLE message (
  id           bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid          uuid    NOT NULL,
  account      integer NOT NULL,
  chat         text    COLLATE "C" NOT NULL,
  created      bigint  NOT NULL,
  expires      bigint  NOT NULL,
  idem_key     text,
  content_hash bytea,
  turn         text,
  replay_of    uuid,
  replayed_as  uuid,
  content      bytea   NOT NULL,
  plan         bytea                       -- null: one plain part, the text itself
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE UNIQUE INDEX message_uid ON message (uid);
CREATE UNIQUE INDEX message_key ON message (account, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX message_turn ON message (turn, id) WHERE turn IS NOT NULL;

CREATE TABLE queue (
  id           bigint   PRIMARY KEY,
  account      integer  NOT NULL,
  chat         text     COLLATE "C" NOT NULL,
  seq          bigint,                     -- place in the lane; null: outside its order, or not entered yet
  head         boolean  NOT NULL,          -- may be sent once due; if not, it waits behind another, or at the door
  arriving     boolean  NOT NULL,          -- accepted by a node that does not own the account; waits to be taken in
  status       smallint NOT NULL,
  priority     smallint NOT NULL,          -- 0 live, 1 bulk
  attempts     integer  NOT NULL,
  reservation  integer  NOT NULL,
  flags        smallint NOT NULL,          -- 1 late, 2 possible duplicate, 4 outside the lane's order, 8 scheduled
  due          bigint   NOT NULL,
  expires      bigint   NOT NULL,
  tried        bigint,
  progress     bytea,                      -- null: no part has got anywhere yet
  error        text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX queue_lane ON queue (account, chat, seq);
CREATE INDEX queue_bulk ON queue (account, chat) WHERE priority = 1 AND seq IS NOT NULL;
CREATE INDEX queue_due ON queue (account, priority, due, id) WHERE status = 0 AND head;
CREATE INDEX queue_sending ON queue (account) WHERE status = 1;
CREATE INDEX queue_expiry ON queue (expires, id) WHERE status = 0;
CREATE INDEX queue_arrivals ON queue (account, chat, id) WHERE arriving;

CREATE TABLE ended (
  id           bigint   PRIMARY KEY,
  account      integer  NOT NULL,
  status       smallint NOT NULL,
  attempts     integer  NOT NULL,
  reservation  integer  NOT NULL,
  flags        smallint NOT NULL,
  due          bigint   NOT NULL,
  tried        bigint,
  ended        bigint   NOT NULL,
  progress     bytea,
  error        text,
  reason       text,
  keyed        boolean  NOT NULL           -- has an idempotency key, and is kept at least as long as keys are
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX ended_done ON ended (ended) WHERE status IN (2, 6) AND NOT keyed;
CREATE INDEX ended_done_keyed ON ended (ended) WHERE status IN (2, 6) AND keyed;
CREATE INDEX ended_dead ON ended (ended, id) WHERE status IN (3, 4, 5);

CREATE TABLE history (
  message bigint  NOT NULL,
  n       integer NOT NULL,
  at      bigint  NOT NULL,
  attempt integer NOT NULL,
  part    integer NOT NULL,
  outcome text    NOT NULL,
  error   text,
  next    bigint,
  PRIMARY KEY (message, n)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- No index on "until": it would change with every message. The table is read whole, when an account begins.
CREATE TABLE budget (
  scope    text   COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  until    bigint NOT NULL,
  state    text   NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

CREATE TABLE paused_lane (
  account text   NOT NULL,
  chat    text   COLLATE "C" NOT NULL,
  reason  text   NOT NULL,
  since   bigint NOT NULL,
  PRIMARY KEY (account, chat)
);

-- Who takes part. A node lives while "expires" lies ahead, by this database's clock.
CREATE TABLE node (
  name    text   PRIMARY KEY,
  address text   NOT NULL,
  started bigint NOT NULL,
  seen    bigint NOT NULL,
  expires bigint NOT NULL,
  claims  text[] NOT NULL
) WITH (fillfactor = 10);

-- The last batch each node has committed: a node whose connection broke during a commit looks here.
CREATE TABLE mark (
  node  text   PRIMARY KEY,
  batch bigint NOT NULL
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

CREATE TABLE takeover (
  id       bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at       bigint  NOT NULL,
  account  text    NOT NULL,
  previous text,
  taker    text    NOT NULL,
  died     boolean NOT NULL,
  gap      bigint  NOT NULL
);
