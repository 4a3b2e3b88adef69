-- Chats that have moved: the names they had, each with the name the chat has now (never a former name itself).

CREATE TABLE chat_alias (
  account INTEGER NOT NULL,
  former  TEXT    NOT NULL,
  chat    TEXT    NOT NULL,
  PRIMARY KEY (account, former)
) WITHOUT ROWID;

CREATE INDEX chat_alias_chat ON chat_alias (account, chat);
