-- Runs follow what platforms say later. Statuses of targets besides those of 005: 6 delivered, 7 read.

-- Messages of runs on which word came that their run has not taken in yet.
CREATE TABLE run_report (
  message bigint  PRIMARY KEY,
  account integer NOT NULL,
  changes bigint  NOT NULL                 -- how often word came since
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);

CREATE INDEX run_report_account ON run_report (account, message) WHERE account > 0;

DROP INDEX run_target_sent;
CREATE INDEX run_target_sent ON run_target (account, left(chat, 500)) WHERE status IN (2, 6, 7);

-- How far each message got whose platform reports: failed if one of its parts failed, else as far as the least far.
CREATE TABLE message_receipt (
  message bigint   PRIMARY KEY,
  number  integer  NOT NULL,               -- of its account
  state   smallint NOT NULL                -- as in receipt
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX message_receipt_state ON message_receipt (number, state, message) WHERE number > 0;

INSERT INTO message_receipt (message, number, state)
  SELECT message, min(account), CASE WHEN max(state) = 3 THEN 3 ELSE min(coalesce(state, 0)) END
  FROM receipt WHERE message IS NOT NULL GROUP BY message;
