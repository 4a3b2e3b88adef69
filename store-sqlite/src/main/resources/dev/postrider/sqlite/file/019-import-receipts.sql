-- What was imported from another queue, so that it is imported once.

CREATE TABLE import_receipt (
  name TEXT    PRIMARY KEY,         -- of the queue and the entry
  size INTEGER NOT NULL,
  hash TEXT    NOT NULL,            -- SHA-256, in hexadecimal
  at   INTEGER NOT NULL
) WITHOUT ROWID;
