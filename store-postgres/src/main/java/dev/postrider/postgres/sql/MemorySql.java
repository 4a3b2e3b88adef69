package dev.postrider.postgres.sql;

/** Statements about what channels want to know again. */
public final class MemorySql {
  private MemorySql() {}

  // memory_pkey, chat_alias_pkey
  public static final String MEMORY =
      """
      SELECT value, expires_at
      FROM memory
      WHERE account = ?
        AND chat = coalesce((SELECT chat FROM chat_alias WHERE account = ? AND former = ?), ?)
        AND key = ?
        AND (expires_at IS NULL OR expires_at > ?)""";

  // A chat's name stays what it is until whoever has this commits; see LaneMove.
  public static final String KEEP_NAMES =
      """
      SELECT pg_advisory_xact_lock_shared(hashtext('postrider.chat_alias'), account)
      FROM unnest(?::int[]) AS n (account)""";

  // Waits for everybody who writes under a chat's name.
  public static final String CHANGE_NAMES =
      "SELECT pg_advisory_xact_lock(hashtext('postrider.chat_alias'), ?::int)";

  // chat_alias_pkey
  public static final String NAMES_NOW =
      """
      SELECT a.account, a.former, a.chat
      FROM unnest(?::int[], ?::text[]) AS n (account, chat)
      JOIN LATERAL (
        SELECT x.account, x.former, x.chat
        FROM chat_alias x
        WHERE x.account = n.account AND x.former = n.chat
        OFFSET 0
      ) a ON true""";

  public static final String REMEMBER =
      """
      INSERT INTO memory (account, chat, key, value, expires_at)
      SELECT *
      FROM unnest(?::int[], ?::text[], ?::text[], ?::bytea[], ?::bigint[])
      ON CONFLICT (account, chat, key)
      DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at""";

  // memory_pkey
  public static final String FORGET =
      """
      DELETE FROM memory
      WHERE account = ?
        AND chat = ?
        AND key = ?""";

  // memory_pkey
  public static final String LOCK_MEMORY =
      """
      SELECT value, expires_at
      FROM memory
      WHERE account = ?
        AND chat = ?
        AND key = ?
      FOR UPDATE""";

  // memory_pkey
  public static final String REPLACE =
      """
      UPDATE memory
      SET value = ?, expires_at = ?
      WHERE account = ?
        AND chat = ?
        AND key = ?""";

  public static final String REMEMBER_FIRST =
      """
      INSERT INTO memory (account, chat, key, value, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING""";

  // memory_pkey. What is known under the new name stays.
  public static final String COPY_MEMORY =
      """
      INSERT INTO memory (account, chat, key, value, expires_at)
      SELECT account, ?, key, value, expires_at
      FROM memory
      WHERE account = ?
        AND chat = ?
      ON CONFLICT DO NOTHING""";

  // memory_pkey
  public static final String FORGET_CHAT =
      """
      DELETE FROM memory
      WHERE account = ?
        AND chat = ?""";

  // memory_expires_at
  public static final String PRUNE_MEMORY =
      """
      DELETE FROM memory
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM memory WHERE expires_at <= ? ORDER BY
          expires_at LIMIT ? FOR UPDATE SKIP LOCKED))""";
}
