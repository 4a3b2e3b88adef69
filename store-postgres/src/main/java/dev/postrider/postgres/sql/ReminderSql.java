package dev.postrider.postgres.sql;

/** The statements about reminders; see {@link MessageSql}. */
public final class ReminderSql {
  private ReminderSql() {}

  private static final String REMINDER =
      " uid, name, account, next_fire, document, targets, version, created, updated ";

  // ---- reminders

  public static final String ADD_REMINDER =
      """
      INSERT INTO reminder (uid, name, account, next_fire, targets, version, created,
          updated, document)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT
      DO NOTHING
      RETURNING id""";

  // reminder_uid
  public static final String REPLACE_REMINDER =
      """
      UPDATE reminder
      SET name = ?, account = ?, next_fire = ?, targets = ?, version = version + 1,
          updated = ?, document = ?
      WHERE uid = ?
        AND version = ?
      RETURNING id""";

  public static final String ADD_TARGETS =
      """
      INSERT INTO reminder_target (reminder, n, account, chat, content)
      SELECT *
      FROM unnest(?::bigint[], ?::int[], ?::int[], ?::text[], ?::bytea[])""";

  // reminder_target_pkey
  public static final String DELETE_TARGETS = "DELETE FROM reminder_target WHERE reminder = ?";

  // reminder_uid
  public static final String DELETE_REMINDER = "DELETE FROM reminder WHERE uid = ? RETURNING id";

  // reminder_uid
  public static final String REMINDER_BY_UID =
      """
      SELECT %s
      FROM reminder
      WHERE uid = ?"""
          .formatted(REMINDER);

  // reminder_created, backwards
  public static final String LIST_REMINDERS =
      """
      SELECT %s
      FROM reminder
      WHERE (created, uid) < (?, ?)
        AND created IS NOT NULL
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(REMINDER);

  // reminder_account, backwards
  public static final String LIST_REMINDERS_OF_ACCOUNT =
      """
      SELECT %s
      FROM reminder
      WHERE account = ?
        AND account > 0
        AND (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(REMINDER);

  // reminder_uid, reminder_target_pkey
  public static final String TARGETS =
      """
      SELECT account, chat, content
      FROM reminder_target
      WHERE reminder = (SELECT id FROM reminder WHERE uid = ?)
        AND n >= ?
      ORDER BY n
      LIMIT ?""";

  // session_chat, run_target_sent
  public static final String KNOWN =
      """
      SELECT c.chat
      FROM (SELECT ?::int AS id) AS a
      CROSS JOIN unnest(?::text[]) AS c(chat)
      WHERE EXISTS (
        SELECT 1
        FROM session s
        WHERE s.account = a.id
          AND left(s.chat, 500) = left(c.chat, 500)
          AND s.chat = c.chat
          AND s.chat IS NOT NULL
      )
        OR EXISTS (
          SELECT 1
          FROM run_target t
          WHERE t.account = a.id
            AND left(t.chat, 500) = left(c.chat, 500)
            AND t.chat = c.chat
            AND t.status IN (2 /* sent */, 6 /* delivered */, 7 /* read */)
        )""";

  // ---- when they fire

  // reminder_due
  public static final String REMINDERS_DUE =
      """
      SELECT %s
      FROM reminder
      WHERE account = ?
        AND next_fire <= ?
      ORDER BY next_fire
      LIMIT ?"""
          .formatted(REMINDER);

  // reminder_due
  public static final String NEXT_FIRE =
      """
      SELECT next_fire
      FROM reminder
      WHERE account = ?
        AND next_fire IS NOT NULL
      ORDER BY next_fire
      LIMIT 1""";
}
