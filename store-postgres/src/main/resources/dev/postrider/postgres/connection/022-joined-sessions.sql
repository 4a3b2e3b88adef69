-- A session whose chat has another name now was joined to another one, which is meant wherever this one is named.
ALTER TABLE session ADD COLUMN moved_to text COLLATE "C";

CREATE INDEX session_moved_to ON session (moved_to) WHERE moved_to IS NOT NULL;
