-- Whether the platform has said that the same again would fail again.
ALTER TABLE receipt ADD COLUMN permanent INTEGER NOT NULL DEFAULT 0;
