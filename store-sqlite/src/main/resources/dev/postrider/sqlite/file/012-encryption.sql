-- The keys that contents may be encrypted under. Whoever lacks one of them cannot open the store.

CREATE TABLE encryption_key (
  id    INTEGER PRIMARY KEY,
  proof BLOB NOT NULL               -- what only this key decrypts
);
