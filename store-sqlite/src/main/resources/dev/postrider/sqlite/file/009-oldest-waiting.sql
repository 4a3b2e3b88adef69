-- Which message of an account has waited longest: rows are numbered as they are accepted. What is scheduled (8) does not wait yet.

CREATE INDEX message_waiting ON message (account) WHERE active = 1 AND flags & 8 = 0;
