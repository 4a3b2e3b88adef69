-- A head whose lane is paused has head = 2: it is not in message_due, so it costs those that are due nothing. What waits for
-- its time (8) gets its place first, whether the lane is paused or not.

CREATE INDEX message_paused ON message (account, priority, due) WHERE status = 0 AND head = 2;

UPDATE message SET head = 2 WHERE id IN (
  SELECT m.id FROM paused_lane p
    JOIN account a ON a.name = p.account
    JOIN message m INDEXED BY message_lane ON m.account = a.id AND m.chat = p.chat AND m.active = 1
    WHERE m.head = 1 AND m.flags & 8 = 0);
