package dev.postrider.postgres.sql;

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

  // reminder_uid. Whoever fires it holds it until the commit: its targets stay as they are.
  public static final String LOCK_REMINDER =
      """
      SELECT id
      FROM reminder
      WHERE uid = ?
        AND version = ?
      FOR UPDATE""";

  // reminder_pkey, run_going. The reminder's lock keeps out others that fire it.
  public static final String FIRE =
      """
      INSERT INTO run (uid, reminder, name, instant, account, status, total, summary,
          created, ended, version, document)
      SELECT p.run, r.uid, r.name, p.instant, r.account, p.status, CASE WHEN p.missed IS
          NULL THEN r.targets ELSE 0 END,
          p.missed, p.at, CASE WHEN p.missed IS NULL THEN NULL ELSE p.at END,
          1, r.document
      FROM (
        SELECT ?::bigint AS id, ?::uuid AS run, ?::bigint AS instant,
            ?::smallint AS status, ?::text AS missed, ?::bigint AS at,
            ?::boolean AS alone
      ) AS p
      JOIN reminder r ON r.id = p.id
      WHERE NOT p.alone
        OR (
          SELECT g.id
          FROM run g
          WHERE g.reminder = r.uid
            AND g.status < 3
            AND g.total >= 0
          LIMIT 1
        ) IS NULL
      ON CONFLICT
      DO NOTHING
      RETURNING %s, id"""
          .formatted(RUN);

  // reminder_pkey
  public static final String FIRES_NEXT = "UPDATE reminder SET next_fire = ? WHERE id = ?";

  // reminder_target_pkey
  public static final String FIRE_AT_TARGETS =
      """
      INSERT INTO run_target (run, n, account, chat, status, step, tries, content)
      SELECT ?::bigint, n, account, chat, 0, 0, 0, content
      FROM reminder_target
      WHERE reminder = ?
      ORDER BY n""";

  // run_target_left
  public static final String ADD_ACCOUNTS =
      """
      INSERT INTO run_account (run, account, active)
      SELECT run, account, true
      FROM run_target
      WHERE run = ?
        AND status < 2
        AND n >= 0
      GROUP BY run, account""";

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
        AND created IS NOT NULL
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(RUN);

  // run_reminder, backwards
  public static final String LIST_RUNS_OF_REMINDER =
      """
      SELECT %s
      FROM run
      WHERE reminder = ?
        AND account > 0
        AND (?::integer >> status) & 1 = 1
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
        AND version > 0
        AND (created, uid) < (?, ?)
      ORDER BY created DESC, uid DESC
      LIMIT ?"""
          .formatted(RUN);

  // run_account_active, run_pkey
  public static final String ACTIVE_RUNS =
      """
      SELECT %s
      FROM run
      WHERE id = ANY (ARRAY (SELECT run FROM run_account WHERE account = ? AND active))"""
          .formatted(RUN);

  // run_going
  public static final String GOING_RUN =
      """
      SELECT %s
      FROM run
      WHERE reminder = ?
        AND status < 3
        AND total >= 0
      LIMIT 1"""
          .formatted(RUN);

  // run_uid, run_account_pkey
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

  // run_account_pkey
  public static final String SET_ACTIVE =
      """
      UPDATE run_account
      SET active = p.active
      FROM (SELECT ?::boolean AS active, ?::bigint AS run) AS p
      WHERE run_account.run = p.run
        AND run_account.active <> p.active""";

  // ---- targets. Where a status is a parameter, it may be any to the planner: no index that has
  // only some of them will do.

  // run_uid, run_target_status
  public static final String COUNT_TARGETS =
      """
      SELECT status, count(*)
      FROM run_target
      WHERE %s
        AND status >= 0
      GROUP BY status"""
          .formatted(OF_RUN);

  // run_uid, run_target_status
  public static final String COUNT_REASONS =
      """
      SELECT error, count(*)
      FROM run_target
      WHERE %s
        AND status IN (3 /* failed */, 4 /* skipped */, 5 /* cancelled */)
        AND status >= 0
        AND error IS NOT NULL
      GROUP BY error
      ORDER BY count(*) DESC, error
      LIMIT ?"""
          .formatted(OF_RUN);

  // run_uid, run_target_left
  public static final String COUNT_LEFT =
      """
      SELECT account, count(*)
      FROM run_target
      WHERE %s
        AND status < 2
        AND n >= 0
        AND n + 0 >= ?
        AND n + 0 < ?
      GROUP BY account"""
          .formatted(OF_RUN);

  // run_uid, run_target_left
  public static final String PENDING_TARGETS =
      """
      SELECT %s
      FROM run_target
      WHERE %s
        AND account = ?
        AND status = 0 /* pending */
        AND n >= 0
        AND (status, n) >= (0, ?)
        AND (status, n) < (0, ?)
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_target_sending, run_pkey
  public static final String SENDING_TARGETS =
      """
      SELECT %s, (
        SELECT r.uid
        FROM run r
        WHERE r.id = run_target.run
      )
      FROM run_target
      WHERE account = ?
        AND status = 1
      ORDER BY run, n"""
          .formatted(TARGET);

  // run_uid, run_target_pkey
  public static final String RUN_TARGETS =
      """
      SELECT %s
      FROM run_target
      WHERE %s
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_uid, run_target_status
  public static final String RUN_TARGETS_OF_STATUS =
      """
      SELECT %s
      FROM run_target
      WHERE %s
        AND status = ?
        AND status >= 0
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET, OF_RUN);

  // run_uid, run_target_reason
  public static final String RUN_TARGETS_OF_REASON =
      """
      SELECT %s
      FROM run_target
      WHERE run + 0 = (SELECT id FROM run WHERE uid = ?)
        AND left(error, 100) = left(?::text, 100)
        AND error = ?
        AND error IS NOT NULL
        AND tries >= 0
        AND (?::integer >> status) & 1 = 1
        AND n >= ?
      ORDER BY n
      LIMIT ?"""
          .formatted(TARGET);

  // run_uid, run_target_pkey. Its run stays as it is until the commit.
  public static final String LOCK_TARGET =
      """
      WITH r AS MATERIALIZED (
        SELECT id
        FROM run
        WHERE uid = ?
          AND status = 1
        FOR SHARE
      )
      SELECT run, account
      FROM run_target
      WHERE run = (SELECT id FROM r)
        AND n = ?
        AND status = ?
        AND tries = ?
      FOR UPDATE""";

  // run_target_pkey
  public static final String BEGIN_TARGET =
      """
      UPDATE run_target
      SET status = 1 /* sending */, tries = tries + 1, began = ?
      WHERE run = ?
        AND n = ?""";

  // run_uid, run_target_pkey
  public static final String ADVANCE_TARGET =
      """
      UPDATE run_target
      SET step = ?, messages = ?
      WHERE %s
        AND n = ?
        AND status = ?
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_uid, run_target_pkey
  public static final String SETTLE_TARGET =
      """
      UPDATE run_target
      SET status = ?, step = ?, messages = ?, error = ?, ended = ?
      WHERE %s
        AND n = ?
        AND status = ?
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_uid, run_target_status
  public static final String LOCK_TARGETS =
      """
      SELECT run, n
      FROM run_target
      WHERE %s
        AND status = ?
        AND status >= 0
        AND n >= ?
        AND n < ?
      ORDER BY n
      LIMIT ?
      FOR UPDATE"""
          .formatted(OF_RUN);

  // run_target_pkey
  public static final String SET_TARGETS =
      """
      UPDATE run_target
      SET status = ?, error = ?, ended = ?
      WHERE run = ?
        AND n = ANY (?::int[])""";

  // run_uid, run_target_pkey. Nothing if it was begun since it was read.
  public static final String REASSIGN =
      """
      UPDATE run_target
      SET account = ?, content = ?, tries = tries + 1
      WHERE %s
        AND n = ?
        AND tries = ?
        AND status = ?"""
          .formatted(OF_RUN);

  // run_uid
  public static final String GIVE_ACCOUNT =
      """
      INSERT INTO run_account (run, account, active)
      SELECT id, ?, status < 3
      FROM run
      WHERE uid = ?
      ON CONFLICT
      DO NOTHING""";

  // run_uid, run_target_status
  public static final String ANY_TARGET =
      """
      SELECT n
      FROM run_target
      WHERE %s
        AND status = ?
        AND status >= 0
        AND n >= ?
        AND n < ?
      ORDER BY n
      LIMIT 1"""
          .formatted(OF_RUN);

  // ---- what platforms say later

  // message_pkey. In the order of the rows.
  public static final String RUN_REPORTED =
      """
      INSERT INTO run_report AS r (message, account, changes)
      SELECT m.id, m.account, 1
      FROM unnest(?::bigint[]) AS n(id)
      CROSS JOIN LATERAL (
        SELECT id, account
        FROM message x
        WHERE x.id = n.id
          AND coalesce(x.run, '') <> ''
        OFFSET 0
      ) m
      ON CONFLICT (message)
      DO UPDATE SET changes = r.changes + 1""";

  // run_report_account, message_pkey
  public static final String RUN_REPORTS =
      """
      SELECT r.message, m.uid, r.changes
      FROM (
        SELECT message, changes
        FROM run_report
        WHERE account = ?
          AND account > 0
          AND message > ?
        ORDER BY account, message
        LIMIT ?
      ) r
      JOIN message m ON m.id = ANY (ARRAY[r.message])
      ORDER BY r.message""";

  // run_uid, run_target_pkey
  public static final String FOLLOW_TARGET =
      """
      UPDATE run_target
      SET status = ?, step = ?, error = ?
      WHERE %s
        AND n = ?
        AND status = ?
        AND tries = ?"""
          .formatted(OF_RUN);

  // run_report_pkey
  public static final String RUN_FOLLOWED =
      """
      DELETE FROM run_report r
      USING unnest(?::bigint[], ?::bigint[]) AS n(message, changes)
      WHERE r.message = ANY (ARRAY[n.message])
        AND r.changes = n.changes""";

  // ---- days

  // run_day_pkey
  public static final String SENT_ON = "SELECT sent FROM run_day WHERE day = ? AND account = ?";

  // In this order. What is there stays as it is, and is locked.
  public static final String LOCK_DAYS =
      """
      INSERT INTO run_day AS d (day, account, sent)
      SELECT day, account, 0
      FROM unnest(?::int[], ?::int[]) AS n(day, account)
      ON CONFLICT (day, account)
      DO UPDATE SET sent = d.sent
      WHERE false""";

  // run_day_pkey. Nothing if that is more than the ceiling.
  public static final String COUNT_SENDS =
      """
      UPDATE run_day d
      SET sent = d.sent + p.sends
      FROM (
        SELECT ?::int AS day, ?::int AS account, ?::int AS sends, ?::bigint AS ceiling
      ) AS p
      WHERE d.day = p.day
        AND d.account = p.account
        AND d.sent::bigint + p.sends <= p.ceiling""";

  // ---- retention

  // run_ended. Two nodes pass each other by.
  public static final String OLD_RUNS =
      """
      SELECT id
      FROM run
      WHERE status > 2
        AND ended < ?
      ORDER BY ended
      LIMIT ?
      FOR UPDATE SKIP LOCKED""";

  // run_target_pkey
  public static final String DELETE_OLD_TARGETS =
      """
      DELETE FROM run_target
      WHERE run = ?
        AND n = ANY (ARRAY (SELECT n FROM run_target WHERE run = ? ORDER BY n LIMIT ?))""";

  // run_account_pkey
  public static final String DELETE_ACCOUNTS = "DELETE FROM run_account WHERE run = ?";

  // run_pkey
  public static final String DELETE_RUN = "DELETE FROM run WHERE id = ?";

  // run_day_pkey
  public static final String DELETE_DAYS = "DELETE FROM run_day WHERE day < ?";
}
