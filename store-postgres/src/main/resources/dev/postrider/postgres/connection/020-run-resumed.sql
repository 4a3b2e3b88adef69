-- A run that is taken up after its end keeps the time at which it began.
ALTER TABLE run ADD COLUMN resumed bigint;

-- Whether a reminder has a run that has not ended. For the statements that say both; see 005.
CREATE INDEX run_going ON run (reminder) WHERE status < 3 AND total >= 0;
