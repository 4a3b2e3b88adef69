package dev.postrider.sqlite.sql;

/** The statements about runs, from their firing on; see {@link MessageSql}. */
public final class RunSql {
  private RunSql() {}

  private static final String RUN =
      " uid, reminder, name, instant, account, status, reason, until, document,"
          + " total, summary, created, started, ended, resumed,"
          + " version ";

  private static final String TARGET =
      " n, account, chat, content, status, step, tries, messages, error, began, ended ";

  private static final String OF_RUN = " run = (SELECT id FROM run WHERE uid = ?) ";

  // ---- firing

  // reminder_uid, run_going
  public static final String FIRE =
      """
      INSERT INTO run (uid, reminder, name, instant, account, status, total, summary,
          created, ended, version, document)
      SELECT ?1, uid, name, ?2, account, ?3, iif(?4 IS NULL, targets, 0),
          ?4, ?5, iif(?4 IS NULL, NULL, ?5), 1, document
      FROM reminder
      WHERE uid = ?6
        AND version = ?7
        AND NOT (?8 AND EXISTS (
          SELECT 1
          FROM run g
          WHERE g.reminder = ?6
            AND g.status < 3
        ))
      ON CONFLICT
      DO NOTHING
      RETURNING %s, id"""
          .formatted(RUN);

  // reminder_uid
  public static final String FIRES_NEXT = "UPDATE reminder SET next_fire = ? WHERE uid = ?";

  // reminder_uid, reminder_target's primary key
  public static final String FIRE_AT_TARGETS =
      """
      INSERT INTO run_target (run, n, account, chat, status, step, tries, content)
      SELECT ?, n, account, chat, 0, 0, 0, content
      FROM reminder_target
      WHERE reminder = (SELECT id FROM reminder WHERE uid = ?)
      ORDER BY n""";

  // run_target_left
  public static final String ADD_ACCOUNTS =
      """
      INSERT INTO run_account (run, account, active)
      SELECT run, account, 1
      FROM run_target INDEXED BY run_target_left
      WHERE run = ?
        AND status < 2
      GROUP BY account""";

  public static final String ADD_ACCOUNT =
      "INSERT INTO run_account (run, account, active) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

  // ---- runs

  // run_uid
  public static final String RUN_BY_UID =
      """
      SELECT %s
      FROM run
      WHERE uid = ?"""
          .formatted(RUN);

  // run_created, backwards
  public static final String LIST_RUNS =
      """
      SELECT %s
      FROM run
      WHERE (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(RUN);

  // run_reminder, backwards
  public static final String LIST_RUNS_OF_REMINDER =
      """
      SELECT %s
      FROM run
      WHERE reminder = ?
        AND (? >> status) & 1 = 1
        AND (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(RUN);

  // run_status, backwards
  public static final String LIST_RUNS_OF_STATUS =
      """
      SELECT %s
      FROM run
      WHERE status = ?
        AND (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(RUN);

  // run_account_active, primary key
  public static final String ACTIVE_RUNS =
      """
      SELECT %s
      FROM run
      WHERE id IN (
        SELECT run
        FROM run_account
        WHERE account = ?
          AND active = 1
      )"""
          .formatted(RUN);

  // run_going
  public static final String GOING_RUN =
      """
      SELECT %s
      FROM run
      WHERE reminder = ?
        AND status < 3
      LIMIT 1"""
          .formatted(RUN);

  // run_uid, run_account's primary key
  public static final String RUN_ACCOUNTS =
      """
      SELECT account
      FROM run_account
      WHERE %s"""
          .formatted(OF_RUN);

  // run_uid
  public static final String UPDATE_RUN =
      """
      UPDATE run
      SET status = ?, reason = ?, until = ?, summary = ?, started = ?,
          ended = ?, resumed = ?, version = version + 1
      WHERE uid = ?
        AND version = ?
      RETURNING id""";

  // run_account's primary key
  public static final String SET_ACTIVE =
      """
      UPDATE run_account
      SET active = ?1
      WHERE run = ?2
        AND active <> ?1""";

  // ---- targets

  // run_target_status
  public static final String COUNT_TARGETS =
      """
      SELECT status, count(*)
      FROM run_target
      WHERE %s
      GROUP BY status"""
          .formatted(OF_RUN);

  // run_target_status
  public static final String COUNT_REASONS =
      """
      SELECT error, count(*)
      FROM run_target INDEXED BY run_target_status
      WHERE %s
        AND status IN (3 /* failed */, 4 /* skipped */, 5 /* cancelled */)
        AND error IS NOT NULL
      GROUP BY error
      ORDER BY count(*) DESC, error
      LIMIT ?"""
          .formatted(OF_RUN);

  // run_target_left
  public static final String COUNT_LEFT =
      """
      SELECT account, count(*)
      FROM run_target INDEXED BY run_target_left
      WHERE %s
        AND status < 2
        AND n >= ?
        AND n < ?
      GROUP BY account"""
          .formatted(OF_RUN);

  // run_target_left
  public static final String PENDING_TARGETS =
      """
      SELECT %s
      FROM run_target INDEXED BY run_target_left
      WHERE %s
        AND account = ?
        AND status = 0 /* pending */
        AND status < 2
        AND n >= ?
        AND n < ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_target_sending, run's primary key
  public static final String SENDING_TARGETS =
      """
      SELECT %s, (
        SELECT r.uid
        FROM run r
        WHERE r.id = run_target.run
      )
      FROM run_target INDEXED BY run_target_sending
      WHERE account = ?
        AND status = 1
      ORDER BY run, n"""
          .formatted(TARGET);

  // run_uid, run_target's primary key
  public static final String RUN_TARGETS =
      """
      SELECT %s
      FROM run_target
      WHERE %s
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_target_status
  public static final String RUN_TARGETS_OF_STATUS =
      """
      SELECT %s
      FROM run_target INDEXED BY run_target_status
      WHERE %s
        AND status = ?
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_target_reason
  public static final String RUN_TARGETS_OF_REASON =
      """
      SELECT %s
      FROM run_target INDEXED BY run_target_reason
      WHERE %s
        AND substr(error, 1, 100) = substr(?, 1, 100)
        AND error = ?
        AND (? >> status) & 1 = 1
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_uid, run_target's primary key
  public static final String PENDING_TARGET =
      """
      SELECT r.id, t.account
      FROM run r
      CROSS JOIN run_target t ON t.run = r.id
        AND t.n = ?
      WHERE r.uid = ?
        AND r.status = 1
        AND t.status = 0
        AND t.tries = ?""";

  // run_target's primary key
  public static final String BEGIN_TARGET =
      """
      UPDATE run_target
      SET status = 1 /* sending */, tries = tries + 1, began = ?
      WHERE run = ?
        AND n = ?
        AND status = 0 /* pending */""";

  // run_uid, run_target's primary key
  public static final String ADVANCE_TARGET =
      """
      UPDATE run_target
      SET step = ?, messages = ?
      WHERE %s
        AND n = ?
        AND status = 1 /* sending */
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_uid, run_target's primary key
  public static final String SETTLE_TARGET =
      """
      UPDATE run_target
      SET status = ?, step = ?, messages = ?, error = ?, ended = ?
      WHERE %s
        AND n = ?
        AND status = 1 /* sending */
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_target_status, run_target's primary key
  public static final String END_PENDING =
      """
      UPDATE run_target
      SET status = ?, error = ?, ended = ?
      WHERE (run, n) IN (
        SELECT run, n
        FROM run_target INDEXED BY run_target_status
        WHERE %s
          AND status = 0 /* pending */
          AND n >= ?
          AND n < ?
        ORDER BY n
        LIMIT ?
      )"""
          .formatted(OF_RUN);

  // run_uid, run_target's primary key
  public static final String REASSIGN =
      """
      UPDATE run_target
      SET account = ?, content = ?, tries = tries + 1
      WHERE %s
        AND n = ?
        AND status = 0 /* pending */"""
          .formatted(OF_RUN);

  // run_uid
  public static final String GIVE_ACCOUNT =
      """
      INSERT INTO run_account (run, account, active)
      SELECT id, ?, iif(status < 3, 1, 0)
      FROM run
      WHERE uid = ?
      ON CONFLICT
      DO NOTHING""";

  // run_target_status, run_target's primary key
  public static final String REVIVE =
      """
      UPDATE run_target
      SET status = 0 /* pending */, error = NULL, ended = NULL
      WHERE (run, n) IN (
        SELECT run, n
        FROM run_target INDEXED BY run_target_status
        WHERE %s
          AND status = ?
        ORDER BY n
        LIMIT ?
      )"""
          .formatted(OF_RUN);

  // ---- what platforms say later

  // message's primary key, run_report's primary key
  public static final String RUN_REPORTED =
      """
      INSERT INTO run_report (message, account, changes)
      SELECT id, account, 1
      FROM message
      WHERE id = ?
        AND run IS NOT NULL
      ON CONFLICT (message)
      DO UPDATE SET changes = changes + 1""";

  // run_report_account, message's primary key
  public static final String RUN_REPORTS =
      """
      SELECT r.message, m.uid, r.changes
      FROM run_report r
      CROSS JOIN message m ON m.id = r.message
      WHERE r.account = ?
        AND r.message > ?
      ORDER BY r.message
      LIMIT ?""";

  // run_uid, run_target's primary key
  public static final String FOLLOW_TARGET =
      """
      UPDATE run_target
      SET status = ?, step = ?, error = ?
      WHERE %s
        AND n = ?
        AND status = ?
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_report's primary key
  public static final String RUN_FOLLOWED =
      "DELETE FROM run_report WHERE message = ? AND changes = ?";

  // run_report's primary key
  public static final String DELETE_RUN_REPORT = "DELETE FROM run_report WHERE message = ?";

  // ---- days

  // run_day's primary key
  public static final String SENT_ON = "SELECT sent FROM run_day WHERE day = ? AND account = ?";

  // run_day's primary key
  public static final String COUNT_SENDS =
      """
      INSERT INTO run_day (day, account, sent)
      VALUES (?, ?, ?)
      ON CONFLICT (day, account)
      DO UPDATE SET sent = sent + excluded.sent""";

  // ---- retention

  // run_ended, run_target's primary key
  public static final String DELETE_OLD_TARGETS =
      """
      DELETE FROM run_target
      WHERE (run, n) IN (
        SELECT t.run, t.n
        FROM run r INDEXED BY run_ended
        CROSS JOIN run_target t ON t.run = r.id
        WHERE r.status > 2
          AND r.ended < ?
        LIMIT ?
      )""";

  // run_ended, run_target's primary key
  public static final String OLD_RUNS =
      """
      SELECT id
      FROM run INDEXED BY run_ended
      WHERE status > 2
        AND ended < ?
        AND NOT EXISTS (
          SELECT 1
          FROM run_target t
          WHERE t.run = run.id
        )
      LIMIT ?""";

  // primary key
  public static final String DELETE_RUN = "DELETE FROM run WHERE id = ?";

  // run_account's primary key
  public static final String DELETE_ACCOUNTS = "DELETE FROM run_account WHERE run = ?";

  // run_day's primary key
  public static final String DELETE_DAYS = "DELETE FROM run_day WHERE day < ?";
}
