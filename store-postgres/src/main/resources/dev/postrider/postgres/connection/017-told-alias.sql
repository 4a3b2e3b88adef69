-- Names of chats that platforms use besides, until their owner has joined their lanes: then they are in chat_alias.
-- Written by any node.

CREATE TABLE told_alias (
  account integer NOT NULL,
  former  text    COLLATE "C" NOT NULL,
  chat    text    COLLATE "C" NOT NULL,
  PRIMARY KEY (account, former)
);
