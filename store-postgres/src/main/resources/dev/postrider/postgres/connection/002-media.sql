-- Files in custody: what there is, which messages use it, and what platforms call it. The bytes are in the database:
-- the node that sends is not the node that accepted.

CREATE TABLE blob (
  hash    text   COLLATE "C" PRIMARY KEY,  -- SHA-256 in hexadecimal
  size    bigint NOT NULL,
  type    text   NOT NULL,
  look_at bigint NOT NULL                  -- stays until then at least; then somebody looks whether it is needed
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX blob_look_at ON blob (look_at);

CREATE TABLE blob_piece (
  hash  text    COLLATE "C" NOT NULL,
  no    integer NOT NULL,
  bytes bytea   NOT NULL,
  PRIMARY KEY (hash, no)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

ALTER TABLE blob_piece ALTER bytes SET STORAGE EXTERNAL; -- pictures and videos do not get smaller

-- Written with the message and not touched when that ends: whoever looks at the file removes what is stale.
CREATE TABLE blob_use (
  hash    text   COLLATE "C" NOT NULL,
  message bigint NOT NULL,
  PRIMARY KEY (hash, message)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE upload (
  account    text   COLLATE "C" NOT NULL,
  hash       text   COLLATE "C" NOT NULL,
  variant    text   COLLATE "C" NOT NULL,
  handle     text   NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (account, hash, variant)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX upload_expires_at ON upload (expires_at);
