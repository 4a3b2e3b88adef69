-- Chats that have moved: the names they had, each with the name the chat has now (never a former name itself).
-- Written by the account's owner only, under the lock of the account.

CREATE TABLE chat_alias (
  account integer NOT NULL,
  former  text    COLLATE "C" NOT NULL,
  chat    text    COLLATE "C" NOT NULL,
  PRIMARY KEY (account, former)
);

-- The condition always holds; it keeps statements that know the former name off this index.
CREATE INDEX chat_alias_chat ON chat_alias (account, chat) WHERE account > 0;
