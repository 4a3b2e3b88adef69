-- Runs follow what platforms say later. Statuses of targets besides those of 005: 6 delivered, 7 read.

-- Messages of runs on which word came that their run has not taken in yet.
CREATE TABLE run_report (
  message INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  changes INTEGER NOT NULL          -- how often word came since
);

CREATE INDEX run_report_account ON run_report (account, message);

DROP INDEX run_target_sent;
CREATE INDEX run_target_sent ON run_target (account, chat) WHERE status IN (2, 6, 7);

-- How far each message got whose platform reports: failed if one of its parts failed, else as far as the least far.
CREATE TABLE message_receipt (
  message INTEGER PRIMARY KEY,
  number  INTEGER NOT NULL,         -- of its account
  state   INTEGER NOT NULL          -- as in receipt
);

CREATE INDEX message_receipt_state ON message_receipt (number, state, message);

INSERT INTO message_receipt (message, number, state)
  SELECT message, min(account), CASE WHEN max(state) = 3 THEN 3 ELSE min(coalesce(state, 0)) END
  FROM receipt WHERE message IS NOT NULL GROUP BY message;
