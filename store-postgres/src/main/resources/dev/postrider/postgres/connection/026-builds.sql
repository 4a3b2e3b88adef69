-- Which version of Postrider brought this database to which format, and which format a server must know to work on it
-- beside others: servers of an earlier version go on as long as they know that one.

ALTER TABLE postrider_format
  ADD COLUMN oldest    integer,           -- null: before there was such a rule
  ADD COLUMN postrider text,
  ADD COLUMN at        bigint;

-- What each server is; null: a version from before this column.
ALTER TABLE node
  ADD COLUMN format  integer,             -- the latest that it knows
  ADD COLUMN version text;                -- of Postrider
