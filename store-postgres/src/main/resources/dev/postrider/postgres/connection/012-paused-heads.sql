-- A head whose lane is paused has head = 2: it is not in queue_due, so it costs those that are due nothing. What waits for its
-- time (8) gets its place first, whether the lane is paused or not. Notes of pauses name accounts by number, as the queue does.

ALTER TABLE paused_lane ADD COLUMN number integer;
INSERT INTO account (name) SELECT DISTINCT account FROM paused_lane ON CONFLICT (name) DO NOTHING;
UPDATE paused_lane p SET number = a.id FROM account a WHERE a.name = p.account;
ALTER TABLE paused_lane DROP COLUMN account;
ALTER TABLE paused_lane RENAME COLUMN number TO account;
ALTER TABLE paused_lane ADD CONSTRAINT paused_lane_pkey PRIMARY KEY (account, chat);

DROP INDEX queue_due;
ALTER TABLE queue ALTER COLUMN head TYPE smallint USING head::integer;
UPDATE queue q SET head = 2 FROM paused_lane p
  WHERE q.account = p.account AND q.chat = p.chat AND q.head = 1 AND q.flags & 8 = 0;

CREATE INDEX queue_due ON queue (account, priority, due, id) WHERE status = 0 AND head = 1;
CREATE INDEX queue_paused ON queue (account, priority, due, id) WHERE status = 0 AND head = 2;
