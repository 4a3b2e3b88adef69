-- Runs by where they stand, and the targets of a run by why they were not reached.
CREATE INDEX run_status ON run (status, created, uid);
CREATE INDEX run_target_reason ON run_target (run, substr(error, 1, 100)) WHERE error IS NOT NULL;

-- How many became dead letters in a minute; null in those that an older version has written.
ALTER TABLE minute ADD COLUMN in_lost INTEGER;
ALTER TABLE minute ADD COLUMN out_lost INTEGER;
