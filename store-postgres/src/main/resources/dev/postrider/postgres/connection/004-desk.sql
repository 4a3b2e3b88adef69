-- Handing out what came in: who has which event, what came of it, and the conversations they belong to.
-- Statuses of events: 0 pending, 1 leased, 2 handled, 3 failed, 4 discarded. Turns: 0 open, 1 delivered, 2 failed,
-- 3 empty.
--
-- An event lives in three tables, as a message does. "inbound" is written once. "inbox" holds what has not ended, and
-- only that. "turn" is written when an event ends, and once more when the last of its answers has: it has few indexes,
-- none of which that second change touches.

ALTER TABLE inbound
  ADD replay_of   uuid,                    -- a replay is nobody's second telling: its own id stands for its name
  ADD replayed_as uuid,
  DROP status;

-- To a planner who takes a table for empty, a look-up by id is as cheap in any index that has the id somewhere. So such
-- an index has a condition that always holds, such as "account > 0": it is used by statements that say the same.
DROP INDEX inbound_received;
DROP INDEX inbound_account;
DROP INDEX inbound_session;
CREATE INDEX inbound_account ON inbound (account, id) WHERE account > 0;
CREATE INDEX inbound_session ON inbound (session, id) WHERE account > 0;
CREATE INDEX inbound_heard ON inbound (session, received, id) WHERE received >= 0;

-- The row is the lock of its lane: whoever changes which events a session waits for, or which of them is its head,
-- holds it until the commit.
CREATE TABLE session (
  name    text    COLLATE "C" PRIMARY KEY,
  account integer NOT NULL,
  chat    text    NOT NULL,
  thread  text,
  waiting integer NOT NULL,                -- how many of its events are in the inbox
  last    bigint  NOT NULL,                -- when something was last heard or said
  paused  text,
  since   bigint
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX session_last ON session (account, last, name) WHERE account > 0;

CREATE TABLE inbox (
  id         bigint   PRIMARY KEY,
  account    integer  NOT NULL,
  session    text     COLLATE "C" NOT NULL,
  head       smallint NOT NULL,            -- 0 waits behind another, 1 may be handed out once due, 2 its session is paused
  status     smallint NOT NULL,
  attempts   integer  NOT NULL,
  deaths     integer  NOT NULL,
  due        bigint   NOT NULL,            -- while somebody has it, when the lease runs out
  lease      uuid,
  holder     text,                         -- the node that handles it itself
  handed_out bigint,
  error      text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX inbox_session ON inbox (session, id) WHERE account > 0;
CREATE INDEX inbox_due ON inbox (account, due, id) WHERE head = 1 AND status = 0;
CREATE UNIQUE INDEX inbox_lease ON inbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX inbox_lapse ON inbox (due, id) WHERE status = 1;

-- There from when its event has ended, or the first of its messages was followed.
CREATE TABLE turn (
  id         bigint   PRIMARY KEY,         -- the event's
  state      smallint NOT NULL,
  delivered  integer  NOT NULL,            -- how many of its messages were followed and had arrived
  lost       integer  NOT NULL,            -- how many had ended badly
  closed     bigint,                       -- when the turn ended
  status     smallint,                     -- how the event ended; this and what follows is null until then
  received   bigint,
  attempts   integer,
  deaths     integer,
  due        bigint,
  handed_out bigint,
  ended      bigint,
  error      text
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX turn_received ON turn (received) WHERE received IS NOT NULL;
CREATE INDEX turn_dead ON turn (id) WHERE status = 3;

CREATE TABLE inbound_note (
  event   bigint  NOT NULL,
  n       integer NOT NULL,
  at      bigint  NOT NULL,
  attempt integer NOT NULL,
  error   text    NOT NULL,
  next    bigint,
  PRIMARY KEY (event, n)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Messages whose end has consequences, until these are drawn.
CREATE TABLE follow (
  message bigint PRIMARY KEY,
  turn    uuid                             -- the event whose turn the message names
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX follow_turn ON follow (turn) WHERE turn IS NOT NULL;

-- What was said in sessions. A message is there once: whoever followed it wrote it down.
CREATE TABLE mirrored (
  session  text    COLLATE "C" NOT NULL,
  at       bigint  NOT NULL,
  message  uuid    NOT NULL,
  account  integer NOT NULL,
  chat     text    NOT NULL,
  content  bytea   NOT NULL,
  receipts bytea   NOT NULL,
  PRIMARY KEY (session, at, message)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX mirrored_at ON mirrored (at);

-- How many events there are, as each node has counted them; only the sum means anything.
CREATE TABLE inbound_count (
  account integer NOT NULL,
  node    text    NOT NULL,
  waiting bigint  NOT NULL,
  dead    bigint  NOT NULL,
  PRIMARY KEY (account, node)
) WITH (fillfactor = 10);                  -- a hot row: each version finds room on its page

-- What happened at a node in a minute; the depths are null but where their writer said that they count.
CREATE TABLE minute (
  at            bigint NOT NULL,
  node          text   NOT NULL,
  in_waiting    bigint,
  in_under_way  bigint,
  in_dead       bigint,
  in_taken      bigint NOT NULL,
  in_done       bigint NOT NULL,
  in_errors     bigint NOT NULL,
  out_waiting   bigint,
  out_under_way bigint,
  out_dead      bigint,
  out_taken     bigint NOT NULL,
  out_done      bigint NOT NULL,
  out_errors    bigint NOT NULL,
  PRIMARY KEY (at, node)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- What came in before there was anybody to hand it to waits, the earliest of each session at the head.
INSERT INTO inbox (id, account, session, head, status, attempts, deaths, due)
  SELECT id, account, session, CASE WHEN row_number() OVER (PARTITION BY session ORDER BY id) = 1 THEN 1 ELSE 0 END,
    0, 0, 0, received
  FROM inbound;

-- PostgreSQL takes no text out of JSON with a NUL in it; another character in its place leaves the rest as it is.
INSERT INTO session (name, account, chat, thread, waiting, last)
  SELECT s.name, e.account, coalesce(c.content ->> 'chat', ''), c.content ->> 'thread', s.waiting, s.last
  FROM (SELECT session AS name, min(id) AS first, count(*) AS waiting, max(received) AS last
    FROM inbound GROUP BY session) AS s
  JOIN inbound e ON e.id = s.first
  CROSS JOIN LATERAL (SELECT replace(convert_from(e.content, 'UTF8'), '\u0000', '\ufffd')::json AS content) AS c;

INSERT INTO inbound_count (account, node, waiting, dead)
  SELECT account, '', count(*), 0 FROM inbox GROUP BY account;
