-- Handing out what comes from platforms, and what follows: turns, sessions, minutes.
-- The table of events is made anew, so that what changes stands before the content, which may be long.

CREATE TABLE desk_inbound (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- rises in the order of arrival, also over pruning
  uid         BLOB    NOT NULL,
  account     INTEGER NOT NULL,
  name        BLOB    NOT NULL,     -- fingerprint of the platform's own id; of its uid, if it replays another
  session     TEXT    NOT NULL,
  head        INTEGER NOT NULL,     -- 1: the first of its session that has not ended; 2: so, but the session is paused
  status      INTEGER NOT NULL,     -- 0 pending, 1 leased, 2 handled, 3 failed, 4 discarded
  active      INTEGER NOT NULL,     -- 1: pending or leased
  attempts    INTEGER NOT NULL,
  deaths      INTEGER NOT NULL,
  received    INTEGER NOT NULL,
  due         INTEGER NOT NULL,     -- while leased, when the lease runs out
  lease       BLOB,
  holder      TEXT,                 -- the node that has it; null: somebody outside
  handed_out  INTEGER,
  ended       INTEGER,
  error       TEXT,
  turn        INTEGER,              -- 0 open, 1 delivered, 2 failed, 3 empty; null: never handed out
  turn_ended  INTEGER,
  delivered   INTEGER NOT NULL,     -- messages of its turn that arrived
  lost        INTEGER NOT NULL,     -- messages of its turn that became dead letters
  replay_of   BLOB,
  replayed_as BLOB,
  content     BLOB    NOT NULL
);

INSERT INTO desk_inbound (id, uid, account, name, session, head, status, active, attempts, deaths, received, due,
    delivered, lost, content)
  SELECT id, uid, account, name, session,
    id = (SELECT min(first.id) FROM inbound first WHERE first.session = inbound.session),
    0, 1, 0, 0, received, received, 0, 0, content FROM inbound ORDER BY id;

-- Rows that were pruned are not given again.
DELETE FROM sqlite_sequence WHERE name = 'desk_inbound';
INSERT INTO sqlite_sequence (name, seq) SELECT 'desk_inbound', seq FROM sqlite_sequence WHERE name = 'inbound';

DROP TABLE inbound;
ALTER TABLE desk_inbound RENAME TO inbound;

CREATE UNIQUE INDEX inbound_uid ON inbound (uid);
CREATE UNIQUE INDEX inbound_name ON inbound (account, name);
CREATE INDEX inbound_account ON inbound (account);
CREATE INDEX inbound_session ON inbound (session);
CREATE INDEX inbound_heard ON inbound (session, received);
CREATE INDEX inbound_due ON inbound (account, due) WHERE status = 0 AND head = 1;
CREATE INDEX inbound_lane ON inbound (session) WHERE active = 1;
CREATE INDEX inbound_active ON inbound (id, account) WHERE active = 1;
CREATE INDEX inbound_old ON inbound (received) WHERE active = 0;
CREATE UNIQUE INDEX inbound_lease ON inbound (lease) WHERE status = 1;
CREATE INDEX inbound_lapse ON inbound (due) WHERE status = 1;
CREATE INDEX inbound_dead ON inbound (id, account) WHERE status = 3;

CREATE TABLE inbound_note (
  inbound INTEGER NOT NULL,
  n       INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  error   TEXT    NOT NULL,
  next    INTEGER,
  PRIMARY KEY (inbound, n)
) WITHOUT ROWID;

CREATE TABLE session (
  name    TEXT    PRIMARY KEY,
  account INTEGER NOT NULL,
  chat    TEXT    NOT NULL,
  thread  TEXT,
  waiting INTEGER NOT NULL,         -- its active events
  last    INTEGER NOT NULL,         -- when something was last heard or said
  paused  TEXT,                     -- why; null: it is not
  since   INTEGER
) WITHOUT ROWID;

CREATE INDEX session_last ON session (last, name);
CREATE INDEX session_account ON session (account, last, name);

INSERT INTO session (name, account, chat, thread, waiting, last)
  SELECT e.session, e.account,
    coalesce(json_extract(CAST(e.content AS TEXT), '$.chat'), ''), json_extract(CAST(e.content AS TEXT), '$.thread'),
    (SELECT count(*) FROM inbound i WHERE i.session = e.session),
    (SELECT max(i.received) FROM inbound i WHERE i.session = e.session)
  FROM inbound e WHERE e.head = 1;

-- What was said in sessions: delivered messages as the person saw them.
CREATE TABLE mirrored (
  session  TEXT    NOT NULL,
  at       INTEGER NOT NULL,
  uid      BLOB    NOT NULL,
  account  INTEGER NOT NULL,
  chat     TEXT    NOT NULL,
  content  BLOB    NOT NULL,
  receipts BLOB    NOT NULL
);

CREATE UNIQUE INDEX mirrored_session ON mirrored (session, at, uid);
CREATE INDEX mirrored_at ON mirrored (at);

-- Messages with whose end something is still to be done.
CREATE TABLE follow (
  message INTEGER PRIMARY KEY,
  turn    BLOB                      -- the event whose turn the message names; null: none
);

CREATE INDEX follow_turn ON follow (turn) WHERE turn IS NOT NULL;

CREATE TABLE minute (
  at            INTEGER NOT NULL,
  node          TEXT    NOT NULL,
  in_waiting    INTEGER,            -- depths are null where another node tells them
  in_under_way  INTEGER,
  in_dead       INTEGER,
  in_taken      INTEGER NOT NULL,
  in_done       INTEGER NOT NULL,
  in_errors     INTEGER NOT NULL,
  out_waiting   INTEGER,
  out_under_way INTEGER,
  out_dead      INTEGER,
  out_taken     INTEGER NOT NULL,
  out_done      INTEGER NOT NULL,
  out_errors    INTEGER NOT NULL,
  PRIMARY KEY (at, node)
) WITHOUT ROWID;
