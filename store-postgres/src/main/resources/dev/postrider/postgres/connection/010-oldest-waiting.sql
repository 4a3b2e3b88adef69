-- Which message of an account has waited longest: rows are numbered as they are accepted. What is scheduled (8) does not wait yet.

CREATE INDEX queue_waiting ON queue (account, id) WHERE account > 0 AND flags & 8 = 0;
