-- What operators did, for 90 days.

CREATE TABLE audit (
  at       bigint NOT NULL,
  id       uuid   NOT NULL,
  operator text   NOT NULL,
  action   text   NOT NULL,
  target   text   NOT NULL,
  outcome  text   NOT NULL,
  PRIMARY KEY (at, id)
);
