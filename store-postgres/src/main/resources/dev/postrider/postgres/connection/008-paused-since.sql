-- Since when an account is paused. Of one that was paused before this was noted, nobody knows.

ALTER TABLE account ADD COLUMN paused_since bigint;
