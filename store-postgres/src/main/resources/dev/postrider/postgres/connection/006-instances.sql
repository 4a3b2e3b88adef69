-- Which process has a node's name: a number drawn when the process starts. Whoever finds another's there stands down.
-- Null: a process from before this column.

ALTER TABLE node ADD COLUMN instance uuid;
