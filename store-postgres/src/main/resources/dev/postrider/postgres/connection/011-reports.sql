-- What a node says of the accounts it works, for the others to show: a row each of account, health, since, reason, and how it listens
-- (status, since, cause). Those that are ready and do not listen are left out. Gone with the node, so nothing here outlives the truth.

ALTER TABLE node ADD COLUMN reports text[] NOT NULL DEFAULT '{}';
