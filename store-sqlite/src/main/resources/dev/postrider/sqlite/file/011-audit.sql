-- What operators did, for 90 days.

CREATE TABLE audit (
  at       INTEGER NOT NULL,
  id       BLOB    NOT NULL,
  operator TEXT    NOT NULL,
  action   TEXT    NOT NULL,
  target   TEXT    NOT NULL,
  outcome  TEXT    NOT NULL,
  PRIMARY KEY (at, id)
) WITHOUT ROWID;
