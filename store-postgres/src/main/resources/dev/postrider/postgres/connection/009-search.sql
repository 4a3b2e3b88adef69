-- Finding messages by chat, session, run, reason, account and time of acceptance.

ALTER TABLE message ADD COLUMN session text, ADD COLUMN run text;

UPDATE message SET session = convert_from(content, 'UTF8')::json ->> 'session'
  WHERE position('"session":'::bytea IN content) > 0;
UPDATE message SET run = convert_from(content, 'UTF8')::json -> 'metadata' ->> 'run'
  WHERE idem_key LIKE 'run:%';

-- The condition always holds, and keeps statements that look for an id or an account from walking these (see Sql).
CREATE INDEX message_chat ON message (chat, id) WHERE account > 0;
CREATE INDEX message_created ON message (account, created, id) WHERE account > 0;
CREATE INDEX message_session ON message (session, id) WHERE session IS NOT NULL;
CREATE INDEX message_run ON message (run, id) WHERE run IS NOT NULL;
CREATE INDEX ended_reason ON ended (reason, id) WHERE reason IS NOT NULL;
CREATE INDEX ended_dead_account ON ended (account, ended, id) WHERE status IN (3, 4, 5);
