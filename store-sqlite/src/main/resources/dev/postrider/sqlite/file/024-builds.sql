-- Which version of Postrider brought this store to which format: a version that does not know the format can name it.

CREATE TABLE format (
  number    INTEGER PRIMARY KEY,
  postrider TEXT    NOT NULL,
  at        INTEGER NOT NULL
);
