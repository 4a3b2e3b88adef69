-- Names of chats that platforms use besides, until their lanes are joined: then they are in chat_alias.

CREATE TABLE told_alias (
  account INTEGER NOT NULL,
  former  TEXT    NOT NULL,
  chat    TEXT    NOT NULL,
  PRIMARY KEY (account, former)
) WITHOUT ROWID;
