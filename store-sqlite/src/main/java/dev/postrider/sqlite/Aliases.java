package dev.postrider.sqlite;

import dev.postrider.jdbc.Session;
import java.sql.SQLException;

/**
 * The names that chats had before they moved. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
final class Aliases {
  private final Session session;
  private boolean any; // whether a chat may have moved: in most houses none ever has

  Aliases(Session session) throws SQLException {
    this.session = session;
    this.any = session.one(Sql.ANY_ALIAS, row -> row.getString(1)) != null;
  }

  /** The name that the chat has now. */
  String chat(int account, String name) throws SQLException {
    String moved = any ? session.one(Sql.CHAT_NOW, row -> row.getString(1), account, name) : null;
    return moved == null ? name : moved;
  }

  /** From now on {@code from}, and whatever had moved there, is {@code to}. */
  void add(int account, String from, String to) throws SQLException {
    any = true;
    session.update(Sql.MOVE_ALIASES, to, account, from);
    session.update(Sql.ADD_ALIAS, account, from, to);
  }
}
