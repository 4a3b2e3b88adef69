-- The keys that contents may be encrypted under. Whoever lacks one of them cannot open the store.

CREATE TABLE encryption_key (
  id    integer PRIMARY KEY,
  proof bytea NOT NULL                     -- what only this key decrypts
);

-- The key that a piece of a file is encrypted under; null: none. Other contents tell by how they begin.
ALTER TABLE blob_piece ADD COLUMN key integer;
