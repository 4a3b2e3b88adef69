package dev.postrider.sqlite.sql;

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

  public static final String ADD_TARGET =
      "INSERT INTO reminder_target (reminder, n, account, chat, content) VALUES (?, ?, ?, ?, ?)";

  // reminder_target's primary key
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
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(REMINDER);

  // reminder_account, backwards
  public static final String LIST_REMINDERS_OF_ACCOUNT =
      """
      SELECT %s
      FROM reminder
      WHERE account = ?
        AND (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(REMINDER);

  // reminder_uid, reminder_target's primary key
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
      SELECT EXISTS (
        SELECT 1
        FROM session
        WHERE account = ?1
          AND chat = ?2
      )
        OR EXISTS (
          SELECT 1
          FROM run_target
          WHERE account = ?1
            AND chat = ?2
            AND status IN (2 /* sent */, 6 /* delivered */, 7 /* read */)
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
      SELECT min(next_fire)
      FROM reminder
      WHERE account = ?
        AND next_fire IS NOT NULL""";
}
