-- Files in custody: what there is, which messages use it, and what platforms call it. The bytes are files beside the
-- database.

CREATE TABLE blob (
  hash    TEXT    PRIMARY KEY,      -- SHA-256 in hexadecimal
  size    INTEGER NOT NULL,
  type    TEXT    NOT NULL,
  look_at INTEGER NOT NULL          -- stays until then at least; then somebody looks whether it is needed
) WITHOUT ROWID;

CREATE INDEX blob_look_at ON blob (look_at);

-- Written with the message and not touched when that ends: whoever looks at the file removes what is stale.
CREATE TABLE blob_use (
  hash    TEXT    NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (hash, message)
) WITHOUT ROWID;

CREATE TABLE upload (
  account    TEXT    NOT NULL,
  hash       TEXT    NOT NULL,
  variant    TEXT    NOT NULL,
  handle     TEXT    NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account, hash, variant)
) WITHOUT ROWID;

CREATE INDEX upload_expires_at ON upload (expires_at);
