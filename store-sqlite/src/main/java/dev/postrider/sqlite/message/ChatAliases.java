package dev.postrider.sqlite.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.sql.MessageSql;
import java.sql.SQLException;

/**
 * The names that chats had before they moved. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
public final class ChatAliases {
  private final JdbcSession session;
  private boolean any; // whether a chat may have moved: in most houses none ever has

  public ChatAliases(JdbcSession session) throws SQLException {
    this.session = session;
    this.any = session.one(MessageSql.ANY_ALIAS, row -> row.getString(1)) != null;
  }

  /** The name that the chat has now. */
  public String chat(int account, String name) throws SQLException {
    String moved =
        any ? session.one(MessageSql.CHAT_NOW, row -> row.getString(1), account, name) : null;
    return moved == null ? name : moved;
  }

  /** A platform uses this name besides; its lane is to be joined. */
  public void tell(int account, String former, String chat) throws SQLException {
    session.update(MessageSql.TELL_ALIAS, account, former, chat);
  }

  /** It was joined, or cannot be. */
  void forgetTold(int account, String former) throws SQLException {
    session.update(MessageSql.FORGET_TOLD, account, former);
  }

  /** From now on {@code from}, and whatever had moved there, is {@code to}. */
  void add(int account, String from, String to) throws SQLException {
    any = true;
    session.update(MessageSql.MOVE_ALIASES, to, account, from);
    session.update(MessageSql.ADD_ALIAS, account, from, to);
  }
}
