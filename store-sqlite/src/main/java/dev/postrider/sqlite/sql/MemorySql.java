package dev.postrider.sqlite.sql;

/** Statements about what channels want to know again. */
public final class MemorySql {
  private MemorySql() {}

  // memory's primary key, chat_alias's primary key
  public static final String MEMORY =
      """
      SELECT value, expires_at
      FROM memory
      WHERE account = ?
        AND chat = coalesce((SELECT chat FROM chat_alias WHERE account = ? AND former = ?), ?)
        AND key = ?
        AND (expires_at IS NULL OR expires_at > ?)""";

  // memory's primary key
  public static final String REMEMBER =
      """
      INSERT INTO memory (account, chat, key, value, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, chat, key)
      DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at""";

  // memory's primary key
  public static final String FORGET =
      """
      DELETE FROM memory
      WHERE account = ?
        AND chat = ?
        AND key = ?""";

  // memory's primary key. What is known under the new name stays.
  public static final String MOVE_MEMORY =
      """
      UPDATE OR IGNORE memory
      SET chat = ?
      WHERE account = ?
        AND chat = ?""";

  // memory's primary key
  public static final String FORGET_CHAT =
      """
      DELETE FROM memory
      WHERE account = ?
        AND chat = ?""";

  // memory_expires_at, memory's primary key
  public static final String PRUNE_MEMORY =
      """
      DELETE FROM memory
      WHERE (account, chat, key) IN (
        SELECT account, chat, key
        FROM memory
        WHERE expires_at <= ?
        LIMIT ?
      )""";
}
