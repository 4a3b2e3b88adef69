-- What was imported from another queue, so that it is imported once.

CREATE TABLE import_receipt (
  name text   COLLATE "C" PRIMARY KEY,  -- of the queue and the entry
  size bigint NOT NULL,
  hash text   NOT NULL,                 -- SHA-256, in hexadecimal
  at   bigint NOT NULL
);
