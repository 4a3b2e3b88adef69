-- What comes from platforms: events, how far each stream was read, and late word on what we sent.

CREATE TABLE inbound (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- rises in the order of arrival, also over pruning
  uid      BLOB    NOT NULL,
  account  INTEGER NOT NULL,
  name     BLOB    NOT NULL,                   -- fingerprint of the platform's own id
  session  TEXT    NOT NULL,
  status   INTEGER NOT NULL,                   -- 0 pending
  received INTEGER NOT NULL,
  content  BLOB    NOT NULL
);

CREATE UNIQUE INDEX inbound_uid ON inbound (uid);
CREATE UNIQUE INDEX inbound_name ON inbound (account, name);
CREATE INDEX inbound_account ON inbound (account);
CREATE INDEX inbound_session ON inbound (session);
CREATE INDEX inbound_received ON inbound (received);

CREATE TABLE inbound_cursor (
  account INTEGER PRIMARY KEY,
  cursor  TEXT NOT NULL
);

-- Parts that their platforms accepted and report on, or word on what nobody has claimed yet.
CREATE TABLE receipt (
  account   INTEGER NOT NULL,
  name      BLOB    NOT NULL,       -- fingerprint of the receipt
  receipt   TEXT    NOT NULL,
  message   INTEGER,                -- null: unclaimed
  part      INTEGER,
  state     INTEGER,                -- the furthest: 0 sent, 1 delivered, 2 read, 3 failed; null: nothing heard
  at        INTEGER,
  detail    TEXT,
  unclaimed INTEGER,                -- since when word waits for its message; null: claimed
  PRIMARY KEY (account, name)
) WITHOUT ROWID;

CREATE INDEX receipt_message ON receipt (message, part) WHERE message IS NOT NULL;
CREATE INDEX receipt_unclaimed ON receipt (unclaimed) WHERE unclaimed IS NOT NULL;
