-- What comes from platforms: events, how far each stream was read, and late word on what we sent.

CREATE TABLE inbound (
  id       bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- rises in the order of arrival
  uid      uuid     NOT NULL,
  account  integer  NOT NULL,
  name     uuid     NOT NULL,              -- fingerprint of the platform's own id
  session  text     COLLATE "C" NOT NULL,
  status   smallint NOT NULL,              -- 0 pending
  received bigint   NOT NULL,
  content  bytea    NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE UNIQUE INDEX inbound_uid ON inbound (uid);
CREATE UNIQUE INDEX inbound_name ON inbound (name, account);
CREATE INDEX inbound_account ON inbound (account, id);
CREATE INDEX inbound_session ON inbound (session, id);
CREATE INDEX inbound_received ON inbound (received);

CREATE TABLE inbound_cursor (
  account integer PRIMARY KEY,
  cursor  text    NOT NULL
) WITH (fillfactor = 10);                  -- a hot row: each version finds room on its page

-- Parts that their platforms accepted and report on, or word on what nobody has claimed yet.
CREATE TABLE receipt (
  account   integer NOT NULL,
  name      uuid    NOT NULL,              -- fingerprint of the receipt
  receipt   text    NOT NULL,
  message   bigint,                        -- null: unclaimed
  part      integer,
  state     smallint,                      -- the furthest: 0 sent, 1 delivered, 2 read, 3 failed; null: nothing heard
  at        bigint,
  detail    text,
  unclaimed bigint,                        -- since when word waits for its message; null: claimed
  PRIMARY KEY (account, name)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX receipt_message ON receipt (message, part) WHERE message IS NOT NULL;
CREATE INDEX receipt_unclaimed ON receipt (unclaimed) WHERE unclaimed IS NOT NULL;
