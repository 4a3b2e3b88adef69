package dev.postrider.sqlite.sql;

/**
 * Every statement of the store, with the index it walks. A test checks the query plan of each
 * against its comment. The literals in the conditions are those of the partial indexes: SQLite uses
 * such an index only where a query repeats its condition.
 */
public final class MessageSql {
  private MessageSql() {}

  private static final String COLUMNS =
      " id, uid, account, chat, seq, head, status, priority, attempts, reservation, flags, created,"
          + " due, expires, tried, ended, progress, error, reason, replay_of, replayed_as, content,"
          + " plan ";

  /** A message whole. */
  static String columns() {
    return COLUMNS;
  }

  private static final String HEAD_COLUMNS = " id, chat, seq, priority, due, flags ";

  // ---- accounts and leases

  // account (a handful of rows)
  public static final String ALL_ACCOUNTS =
      "SELECT id, name, paused, paused_since, broken, broken_since, fence FROM account";

  public static final String ADD_ACCOUNT = "INSERT INTO account (name) VALUES (?) RETURNING id";

  // primary key
  public static final String TAKE_LEASE =
      """
      UPDATE account
      SET owner = ?, fence = fence + 1
      WHERE id = ?
      RETURNING fence""";

  // Each gives ACCOUNT_STATE, whether or not there was something to change.

  private static final String ACCOUNT_STATE =
      " RETURNING name, paused, paused_since, broken, broken_since";

  // primary key
  public static final String PAUSE_ACCOUNT =
      """
      UPDATE account
      SET paused_since = iif(paused IS NULL, ?, paused_since), paused = coalesce(paused,
          ?)
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // primary key
  public static final String RESUME_ACCOUNT =
      """
      UPDATE account
      SET paused = NULL, paused_since = NULL, broken = NULL, broken_since = NULL
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // primary key
  public static final String ACCOUNT_BROKEN =
      """
      UPDATE account
      SET broken_since = iif(broken IS NULL, ?, broken_since), broken = coalesce(broken,
          ?)
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // primary key
  public static final String ACCOUNT_REPAIRED =
      """
      UPDATE account
      SET broken = NULL, broken_since = NULL
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // ---- accepting

  // message_key
  public static final String BY_KEY =
      """
      SELECT %s, content_hash
      FROM message
      WHERE account = ?
        AND idem_key = ?"""
          .formatted(COLUMNS);

  // message_lane
  public static final String LAST_OF_LANE =
      """
      SELECT max(seq)
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1""";

  // message_lane
  public static final String FIRST_OF_LANE =
      """
      SELECT min(seq)
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1""";

  // message_lane: as many entries as the lane holds
  public static final String COUNT_LANE =
      """
      SELECT count(seq)
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND seq IS NOT NULL""";

  // message_bulk
  public static final String RAISE_LANE =
      """
      UPDATE message INDEXED BY message_bulk
      SET priority = 0
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND priority = 1
        AND seq IS NOT NULL""";

  // message_bulk
  public static final String ANY_BULK =
      """
      SELECT id
      FROM message INDEXED BY message_bulk
      WHERE active = 1
        AND priority = 1
      LIMIT 1""";

  public static final String ADD_MESSAGE =
      """
      INSERT INTO message (id, uid, account, chat, seq, head, status, active, priority,
          attempts, reservation, flags, created, due, expires, tried, progress, idem_key,
              content_hash, turn, session, run, replay_of, content, plan)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

  // message_uid
  public static final String MARK_REPLAYED =
      """
      UPDATE message
      SET replayed_as = ?
      WHERE uid = ?
        AND status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND replayed_as IS NULL""";

  public static final String LAST_ROW = "SELECT coalesce(max(id), 0) FROM message"; // primary key

  // ---- the way of a message

  // primary key
  public static final String RESERVE =
      """
      UPDATE message
      SET status = 1 /* sending */, attempts = attempts + 1, reservation = reservation + 1,
          tried = ?
      WHERE id = ?
        AND status = 0 /* queued */
        AND head = 1 /* head */
        AND flags & 8 /* scheduled */ = 0
        AND due <= ?
        AND expires > ?
      RETURNING %s"""
          .formatted(COLUMNS);

  // primary key
  public static final String PROGRESS =
      """
      UPDATE message
      SET progress = ?
      WHERE id = ?
        AND status = 1 /* sending */
        AND reservation = ?""";

  // primary key
  public static final String SETTLE =
      """
      UPDATE message
      SET status = ?, active = ?, due = ?, ended = ?, attempts = attempts - ?,
          progress = ?, error = ?, reason = ?, flags = (flags & ~3) | ?
      WHERE id = ?
        AND status = 1 /* sending */
        AND reservation = ?""";

  // primary key
  public static final String RECEIPTS_FAILED =
      """
      UPDATE message
      SET status = ?, ended = ?, progress = ?, error = ?, reason = ?
      WHERE id = ?
        AND status = ?""";

  /** The lane's first by place, unless it is its head already. */
  private static final String BEHIND_IN_LANE =
      """
      WHERE id = (
          SELECT id
          FROM message
          WHERE account = ?1
            AND chat = ?2
            AND active = 1
            AND seq IS NOT NULL
          ORDER BY seq
          LIMIT 1)
        AND status = 0 /* queued */
        AND head = 0 /* behind */""";

  // primary key, message_lane
  public static final String PROMOTE =
      """
      UPDATE message
      SET head = ?3, due = max(due, ?4)
      %s
      RETURNING %s"""
          .formatted(BEHIND_IN_LANE, HEAD_COLUMNS);

  private static final String MAY_BE_SENT = "(due <= ?3 AND expires > ?3)";

  // primary key, message_lane
  public static final String PROMOTE_AND_RESERVE =
      """
      UPDATE message
      SET head = 1 /* head */, status = %2$s /* sending or queued */, attempts = attempts + %2$s,
          reservation = reservation + %2$s, tried = iif(%2$s, ?3, tried),
          due = iif(%2$s, due, max(due, ?3))
      %3$s
      RETURNING %1$s"""
          .formatted(COLUMNS, MAY_BE_SENT, BEHIND_IN_LANE);

  // primary key
  public static final String SCHEDULED =
      """
      SELECT account, chat, priority
      FROM message
      WHERE id = ?
        AND status = 0 /* queued */
        AND flags & 8 /* scheduled */
        AND due <= ?""";

  // primary key
  public static final String ENTER =
      """
      UPDATE message
      SET seq = ?, head = ?, flags = flags & ~8
      WHERE id = ?
      RETURNING %s"""
          .formatted(HEAD_COLUMNS);

  // message_lane: as many entries as the lane holds
  public static final String QUEUED_OF_LANE =
      """
      SELECT id, seq, head, priority, due
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND status = 0 /* queued */
      ORDER BY seq""";

  // primary key (account, former)
  public static final String CHAT_NOW =
      """
      SELECT chat
      FROM chat_alias
      WHERE account = ?
        AND former = ?""";

  // chat_alias_chat
  public static final String MOVE_ALIASES =
      """
      UPDATE chat_alias
      SET chat = ?
      WHERE account = ?
        AND chat = ?""";

  // primary key (account, former)
  public static final String ADD_ALIAS =
      """
      INSERT INTO chat_alias (account, former, chat)
      VALUES (?, ?, ?)
      ON CONFLICT (account, former)
      DO UPDATE SET chat = excluded.chat""";

  // chat_alias (whole: as many rows as chats have moved; at the start, and when one moves)
  public static final String CHAT_ALIASES =
      "SELECT account, former, chat FROM chat_alias ORDER BY account, former";

  // told_alias's primary key
  public static final String TELL_ALIAS =
      """
      INSERT INTO told_alias (account, former, chat)
      VALUES (?, ?, ?)
      ON CONFLICT (account, former)
      DO UPDATE SET chat = excluded.chat""";

  // told_alias's primary key
  public static final String FORGET_TOLD =
      "DELETE FROM told_alias WHERE account = ? AND former = ?";

  // told_alias (whole: those whose lanes are not joined yet)
  public static final String TOLD_ALIASES =
      "SELECT account, former, chat FROM told_alias ORDER BY account, former";

  // chat_alias (its first row)
  public static final String ANY_ALIAS = "SELECT former FROM chat_alias LIMIT 1";

  // primary key
  public static final String MOVE =
      "UPDATE message SET chat = ?, seq = ?, head = ?, due = ? WHERE id = ?";

  // message_expiry
  public static final String EXPIRING =
      """
      SELECT id
      FROM message
      WHERE status = 0 /* queued */
        AND expires <= ?
      ORDER BY expires
      LIMIT ?""";

  // message_lane
  public static final String QUEUED_OF_ACCOUNT =
      """
      SELECT id
      FROM message
      WHERE account = ?
        AND active = 1
        AND status = 0 /* queued */
      ORDER BY chat, seq
      LIMIT ?""";

  // primary key
  public static final String END_QUEUED =
      """
      UPDATE message
      SET status = ?, active = 0, ended = ?, reason = ?, error = ?
      WHERE id = ?
        AND status = 0 /* queued */
      RETURNING %s"""
          .formatted(COLUMNS);

  // primary key (message, n)
  public static final String ADD_HISTORY =
      """
      INSERT INTO history (message, n, at, attempt, part, outcome, error, next)
      VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM history WHERE message = ?1), ?2,
          ?3, ?4, ?5, ?6, ?7)""";

  // ---- operating on messages

  // message_uid
  public static final String BY_UID =
      """
      SELECT %s
      FROM message
      WHERE uid = ?"""
          .formatted(COLUMNS);

  // primary key
  public static final String BY_ROW =
      """
      SELECT %s
      FROM message
      WHERE id = ?"""
          .formatted(COLUMNS);

  // primary key
  public static final String HURRY =
      """
      UPDATE message
      SET due = min(due, ?)
      WHERE id = ?
        AND status = 0 /* queued */
        AND head > 0
      RETURNING %s, head"""
          .formatted(HEAD_COLUMNS);

  // primary key
  public static final String DELETE_MESSAGE = "DELETE FROM message WHERE id = ?";

  // primary key (message, n)
  public static final String DELETE_HISTORY = "DELETE FROM history WHERE message = ?";

  // message_done
  public static final String OLD_DONE =
      """
      SELECT id, account, status, chat
      FROM message
      WHERE status IN (2 /* delivered */, 6 /* cancelled */)
        AND idem_key IS NULL
        AND ended < ?
      ORDER BY ended
      LIMIT ?""";

  // message_done_keyed
  public static final String OLD_DONE_KEYED =
      """
      SELECT id, account, status, chat
      FROM message
      WHERE status IN (2 /* delivered */, 6 /* cancelled */)
        AND idem_key IS NOT NULL
        AND ended < ?
      ORDER BY ended
      LIMIT ?""";

  // message_dead
  public static final String OLD_DEAD =
      """
      SELECT id, account, status, chat
      FROM message
      WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND ended < ?
        AND (idem_key IS NULL OR ended < ?)
      ORDER BY ended
      LIMIT ?""";

  // ---- budgets and pauses

  // primary key
  public static final String SAVE_BUDGET =
      """
      INSERT INTO budget (scope, revision, until, state)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (scope)
      DO UPDATE SET revision = excluded.revision, until = excluded.until,
          state = excluded.state
      WHERE excluded.revision > revision""";

  // budget_until
  public static final String OPEN_BUDGETS =
      "SELECT scope, revision, until, state FROM budget WHERE until > ?";

  // budget_until
  public static final String DELETE_BUDGETS =
      """
      DELETE FROM budget
      WHERE scope IN (
        SELECT scope
        FROM budget
        WHERE until < ?
        LIMIT 1000
      )""";

  // primary key
  public static final String PAUSE_LANE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (account, chat)
      DO UPDATE SET reason = excluded.reason, since = excluded.since""";

  // primary key
  public static final String COPY_PAUSE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      SELECT account, ?, reason, since
      FROM paused_lane
      WHERE account = ?
        AND chat = ?
      ON CONFLICT
      DO NOTHING""";

  // primary key
  public static final String RESUME_LANE = "DELETE FROM paused_lane WHERE account = ? AND chat = ?";

  // message_lane twice, primary key: the lane's first, and what is outside its order. What waits
  // for
  // its time gets its place first.
  public static final String CHANGE_HEADS =
      """
      UPDATE message
      SET head = ?
      WHERE (id = (SELECT id FROM message WHERE account = ? AND chat = ? AND active = 1
          AND seq IS NOT NULL ORDER BY seq LIMIT 1) OR id IN (SELECT id FROM message
              WHERE account = ? AND chat = ? AND active = 1 AND seq IS NULL))
        AND head = ?
        AND flags & 8 /* scheduled */ = 0""";

  // paused_lane (its first row)
  public static final String ANY_PAUSE = "SELECT chat FROM paused_lane LIMIT 1";

  // paused_lane (as many rows as there are paused lanes)
  public static final String PAUSED_LANES = "SELECT account, chat, reason, since FROM paused_lane";

  // primary key
  public static final String TOUCH =
      "INSERT INTO touch (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at";

  // ---- media

  // blob's primary key
  public static final String BLOB = "SELECT hash, size, type FROM blob WHERE hash = ?";

  // blob's primary key
  public static final String ADD_BLOB =
      """
      INSERT INTO blob (hash, size, type, look_at)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (hash)
      DO UPDATE SET look_at = max(look_at, excluded.look_at)""";

  // blob's primary key. The row's number may have been another's, long gone, that used it too.
  public static final String ADD_USE =
      """
      INSERT INTO blob_use (hash, message)
      SELECT hash, ?
      FROM blob
      WHERE hash = ?
      ON CONFLICT
      DO NOTHING""";

  // blob_look_at
  public static final String BLOBS_TO_LOOK_AT =
      """
      SELECT hash
      FROM blob
      WHERE look_at <= ?
      ORDER BY look_at
      LIMIT ?""";

  // blob_use's primary key, message's primary key. Whether it is on its way, or a dead letter.
  public static final String FIRST_USE =
      """
      SELECT u.message, coalesce(m.status IN (0 /* queued */, 1 /* sending */, 3 /* failed */,
          4 /* expired */, 5 /* held */), 0)
      FROM blob_use u
      LEFT JOIN message m ON m.id = u.message
      WHERE u.hash = ?
      ORDER BY u.message
      LIMIT 1""";

  // blob_use's primary key
  public static final String DELETE_USE = "DELETE FROM blob_use WHERE hash = ? AND message = ?";

  // blob's primary key
  public static final String KEEP_BLOB = "UPDATE blob SET look_at = max(look_at, ?) WHERE hash = ?";

  // blob's primary key
  public static final String LOOK_AGAIN = "UPDATE blob SET look_at = ? WHERE hash = ?";

  // blob's primary key
  public static final String DELETE_BLOB = "DELETE FROM blob WHERE hash = ?";

  // upload's primary key
  public static final String UPLOAD =
      """
      SELECT account, hash, variant, handle, expires_at
      FROM upload
      WHERE account = ?
        AND hash = ?
        AND variant = ?""";

  // upload's primary key
  public static final String SAVE_UPLOAD =
      """
      INSERT INTO upload (account, hash, variant, handle, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, hash, variant)
      DO UPDATE SET handle = excluded.handle, expires_at = excluded.expires_at""";

  // upload's primary key
  public static final String FORGET_UPLOAD =
      """
      DELETE FROM upload
      WHERE account = ?
        AND hash = ?
        AND variant = ?
        AND handle = ?""";

  // upload_expires_at, upload's primary key
  public static final String DELETE_UPLOADS =
      """
      DELETE FROM upload
      WHERE (account, hash, variant) IN (
        SELECT account, hash, variant
        FROM upload
        WHERE expires_at <= ?
        LIMIT ?
      )""";

  // ---- what is due

  // message_due
  public static final String DUE =
      """
      SELECT %s
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 1 /* head */
        AND due <= ?
        AND (due, id) > (?, ?)
      ORDER BY due, id
      LIMIT ?"""
          .formatted(HEAD_COLUMNS);

  // message_due
  public static final String NEXT_DUE =
      """
      SELECT min(due)
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 1 /* head */
        AND due > ?""";

  // message_due
  public static final String OLDEST_DUE =
      """
      SELECT min(due)
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 1 /* head */
        AND due <= ?""";

  // message_paused
  public static final String OLDEST_PAUSED =
      """
      SELECT min(due)
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 2 /* paused head */
        AND due <= ?""";

  // message_due, as many entries as are counted at most
  public static final String COUNT_DUE =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM message
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due <= ?
        LIMIT ?
      )""";

  // message_paused, as many entries as are counted at most
  public static final String COUNT_PAUSED =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM message
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 2 /* paused head */
        LIMIT ?
      )""";

  // message_due, as many rows as are counted at most
  public static final String COUNT_LATER =
      """
      SELECT count(*), count(*) FILTER (WHERE flags & 8 /* scheduled */ <> 0)
      FROM (
        SELECT flags
        FROM message
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due > ?
        LIMIT ?
      )""";

  // message_waiting
  public static final String OLDEST_WAITING =
      """
      SELECT %s
      FROM message
      WHERE account = ?
        AND active = 1
        AND flags & 8 /* scheduled */ = 0
      ORDER BY id
      LIMIT 8"""
          .formatted(COLUMNS);

  // message_expiry
  public static final String NEXT_EXPIRY = "SELECT min(expires) FROM message WHERE status = 0";

  // message_sending
  public static final String INTERRUPTED =
      """
      SELECT %s
      FROM message
      WHERE account = ?
        AND status = 1 /* sending */"""
          .formatted(COLUMNS);

  // ---- lists

  // primary key (message, n)
  public static final String HISTORY =
      """
      SELECT at, attempt, part, outcome, error, next
      FROM history
      WHERE message = ?
      ORDER BY n""";

  // message_lane: one seek per lane
  public static final String LANE_AFTER =
      """
      SELECT chat
      FROM message
      WHERE account = ?
        AND chat > ?
        AND active = 1
      ORDER BY chat
      LIMIT 1""";

  // message_lane
  public static final String LANE_HEAD =
      """
      SELECT uid, status, due
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND seq IS NOT NULL
      ORDER BY seq
      LIMIT 1""";

  private static final String TOP = " uid, status, flags, created, due, tried, error ";

  // message_lane
  public static final String LANE_TOP =
      """
      SELECT %s
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND seq IS NOT NULL
      ORDER BY seq
      LIMIT 1"""
          .formatted(TOP);

  // message_due, as many rows as are asked for
  public static final String WAITING =
      """
      SELECT %s, seq IS NOT NULL, chat
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 1 /* head */
        AND due > ?
        AND due <= ?
      ORDER BY due
      LIMIT ?"""
          .formatted(TOP);

  // message_paused, as many rows as are asked for
  public static final String WAITING_PAUSED =
      """
      SELECT %s, seq IS NOT NULL, chat
      FROM message
      WHERE account = ?
        AND priority = ?
        AND status = 0 /* queued */
        AND head = 2 /* paused head */
      ORDER BY due
      LIMIT ?"""
          .formatted(TOP);

  // message_lane: any of those without a place
  public static final String LANE_LOOSE =
      """
      SELECT %s
      FROM message
      WHERE account = ?
        AND chat = ?
        AND active = 1
        AND seq IS NULL
      LIMIT 1"""
          .formatted(TOP);

  // primary key
  public static final String LANE_PAUSE =
      """
      SELECT reason, since
      FROM paused_lane
      WHERE account = ?
        AND chat = ?""";

  // blob's primary key
  public static final String FILES_AFTER =
      """
      SELECT hash
      FROM blob
      WHERE hash > ?
      ORDER BY hash
      LIMIT ?
      """;

  // message_lane, message_dead, inbound_active and inbound_dead, whole: counts once at the start,
  // beside the work; one statement, so that a message which ends meanwhile is counted once
  public static final String COUNT =
      """
      SELECT account, count(*), 0, 0, 0
      FROM message
      WHERE active = 1
      GROUP BY account
      UNION ALL
      SELECT account, 0, count(*), 0, 0
      FROM message
      WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
      GROUP BY account
      UNION ALL
      SELECT account, 0, 0, count(*), 0
      FROM inbound INDEXED BY inbound_active
      WHERE active = 1
      GROUP BY account
      UNION ALL
      SELECT account, 0, 0, 0, count(*)
      FROM inbound INDEXED BY inbound_dead
      WHERE status = 3 /* failed */
      GROUP BY account""";
}
