-- Messages that failed by their platform's later word and are to be sent again.

CREATE TABLE receipt_retry (
  message INTEGER PRIMARY KEY
);
