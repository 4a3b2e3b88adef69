-- Whether the platform has said that the same again would fail again.
ALTER TABLE receipt ADD COLUMN permanent boolean NOT NULL DEFAULT false;
