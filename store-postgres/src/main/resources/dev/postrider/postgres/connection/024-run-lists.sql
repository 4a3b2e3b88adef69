-- Runs by where they stand, and the targets of a run by why they were not reached. Conditions that
-- always hold, and a sum that changes nothing, keep an index for the statements that say the same;
-- see 004. By the beginning of the reason: an index takes no text of any length.
CREATE INDEX run_status ON run (status, created, uid) WHERE version > 0;
CREATE INDEX run_target_reason ON run_target ((run + 0), left(error, 100), n)
  WHERE error IS NOT NULL AND tries >= 0;

-- How many became dead letters in a minute; null in those that an older version has written.
ALTER TABLE minute ADD COLUMN in_lost bigint;
ALTER TABLE minute ADD COLUMN out_lost bigint;
