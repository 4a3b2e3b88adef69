package dev.postrider.sqlite.sql;

/** The statements about what follows from handing events out; see {@link MessageSql}. */
public final class TurnSql {
  private TurnSql() {}

  private static final String SESSION =
      " name, account, chat, thread, waiting, last, paused, since ";

  private static final String MIRRORED = " session, at, uid, account, chat, content, receipts ";

  // ---- what is to be done when a message has ended

  public static final String ADD_FOLLOW = "INSERT INTO follow (message, turn) VALUES (?, ?)";

  // primary key
  public static final String FOLLOW = "DELETE FROM follow WHERE message = ? RETURNING turn";

  // follow's primary key, message's primary key
  public static final String UNFOLLOWED =
      """
      SELECT f.message, m.uid, m.status
      FROM follow f
      JOIN message m ON m.id = f.message
      WHERE f.message > ?
      ORDER BY f.message
      LIMIT ?""";

  // inbound_uid
  public static final String COUNT_MESSAGE =
      """
      UPDATE inbound
      SET delivered = delivered + ?, lost = lost + ?
      WHERE uid = ?
        AND coalesce(turn, 0) = 0""";

  // inbound_uid, follow_turn
  public static final String TURN_OVER =
      """
      SELECT status, delivered, lost, account
      FROM inbound
      WHERE uid = ?1
        AND turn = 0
        AND active = 0
        AND NOT EXISTS (SELECT 1 FROM follow f WHERE f.turn = ?1)""";

  // inbound_uid
  public static final String END_TURN =
      """
      UPDATE inbound
      SET turn = ?, turn_ended = ?
      WHERE uid = ?
        AND turn = 0""";

  // ---- sessions

  // session's primary key
  public static final String TOUCH_SESSION =
      """
      INSERT INTO session (name, account, chat, thread, waiting, last)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (name)
      DO UPDATE SET waiting = waiting + excluded.waiting, last = max(last, excluded.last)
      RETURNING waiting, paused IS NOT NULL""";

  // session's primary key
  public static final String ADD_WAITING =
      """
      UPDATE session
      SET waiting = waiting + ?
      WHERE name = ?
      RETURNING waiting, paused IS NOT NULL""";

  // session's primary key
  public static final String PAUSE_SESSION =
      """
      UPDATE session
      SET paused = ?, since = ?
      WHERE name = ?
        AND paused IS NULL""";

  // session's primary key
  public static final String RESUME_SESSION =
      """
      UPDATE session
      SET paused = NULL, since = NULL
      WHERE name = ?
        AND paused IS NOT NULL""";

  // session's primary key. By a former name, the one that it was joined to.
  public static final String SESSION_BY_NAME =
      """
      SELECT %s
      FROM session
      WHERE name = coalesce((SELECT moved_to FROM session WHERE name = ?1), ?1)"""
          .formatted(SESSION);

  // session_last, backwards
  public static final String LIST_SESSIONS =
      """
      SELECT %s
      FROM session
      WHERE (last, name) < (?, ?)
        AND moved_to IS NULL
      ORDER BY last DESC, name DESC
      LIMIT ?"""
          .formatted(SESSION);

  // session_account, backwards
  public static final String LIST_SESSIONS_OF_ACCOUNT =
      """
      SELECT %s
      FROM session
      WHERE account = ?
        AND (last, name) < (?, ?)
        AND moved_to IS NULL
      ORDER BY last DESC, name DESC
      LIMIT ?"""
          .formatted(SESSION);

  // session_last, session's primary key. Passes by what is old and waits, is paused or was joined.
  public static final String DELETE_SESSIONS =
      """
      DELETE FROM session
      WHERE name IN (
        SELECT name
        FROM session
        WHERE last < ?
          AND waiting = 0
          AND paused IS NULL
          AND moved_to IS NULL
        ORDER BY last
        LIMIT ?
      )""";

  // ---- sessions that are joined

  // session_moved_to
  public static final String ANY_MOVED_SESSION =
      "SELECT name FROM session WHERE moved_to IS NOT NULL LIMIT 1";

  // session's primary key
  public static final String SESSION_NOW = "SELECT moved_to FROM session WHERE name = ?";

  // session_chat, chat_alias_chat: under every name that the chat had so far
  public static final String SESSIONS_OF_CHAT =
      """
      SELECT name, thread, waiting, last, paused, since
      FROM session
      WHERE account = ?1
        AND chat IN (
          SELECT ?2
          UNION ALL
          SELECT former
          FROM chat_alias
          WHERE account = ?1
            AND chat = ?2
        )
        AND moved_to IS NULL""";

  // session's primary key. A pause that is there stays.
  public static final String JOIN_SESSION =
      """
      INSERT INTO session (name, account, chat, thread, waiting, last, paused, since)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (name)
      DO UPDATE SET waiting = waiting + excluded.waiting, last = max(last, excluded.last),
          paused = coalesce(paused, excluded.paused),
          since = iif(paused IS NULL, excluded.since, since)
      RETURNING waiting, paused IS NOT NULL""";

  // session's primary key
  public static final String MOVE_SESSION =
      """
      UPDATE session
      SET moved_to = ?, waiting = 0, paused = NULL, since = NULL
      WHERE name = ?""";

  // session_moved_to
  public static final String MOVE_FORMER_SESSIONS =
      "UPDATE session SET moved_to = ? WHERE moved_to = ?";

  // mirrored_session
  public static final String MOVE_MIRRORED = "UPDATE mirrored SET session = ? WHERE session = ?";

  public static final String ADD_MIRRORED =
      """
      INSERT INTO mirrored (session, at, uid, account, chat, content, receipts)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT
      DO NOTHING""";

  // mirrored_session, backwards
  public static final String SAID =
      """
      SELECT %s
      FROM mirrored
      WHERE session = ?
        AND (at, uid) < (?, ?)
      ORDER BY at DESC, uid DESC
      LIMIT ?"""
          .formatted(MIRRORED);

  // mirrored_at, primary key
  public static final String DELETE_MIRRORED =
      """
      DELETE FROM mirrored
      WHERE rowid IN (
        SELECT rowid
        FROM mirrored
        WHERE at < ?
        ORDER BY at
        LIMIT ?
      )""";

  // ---- minutes

  // minute's primary key
  public static final String SAVE_MINUTE =
      """
      INSERT INTO minute (at, node, in_waiting, in_under_way, in_dead, in_taken, in_done,
          in_errors, in_lost, out_waiting, out_under_way, out_dead, out_taken, out_done,
              out_errors, out_lost)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (at, node)
      DO UPDATE SET in_waiting = coalesce(excluded.in_waiting, in_waiting),
          in_under_way = coalesce(excluded.in_under_way, in_under_way),
          in_dead = coalesce(excluded.in_dead, in_dead), in_taken = in_taken +
              excluded.in_taken,
          in_done = in_done + excluded.in_done, in_errors = in_errors +
              excluded.in_errors,
          in_lost = coalesce(in_lost, 0) + excluded.in_lost,
          out_waiting = coalesce(excluded.out_waiting, out_waiting),
          out_under_way = coalesce(excluded.out_under_way, out_under_way),
          out_dead = coalesce(excluded.out_dead, out_dead), out_taken = out_taken +
              excluded.out_taken,
          out_done = out_done + excluded.out_done, out_errors = out_errors +
              excluded.out_errors,
          out_lost = coalesce(out_lost, 0) + excluded.out_lost""";

  // minute's primary key
  public static final String MINUTES =
      """
      SELECT at, max(in_waiting), max(in_under_way), max(in_dead), sum(in_taken),
          sum(in_done), sum(in_errors), sum(in_lost), max(out_waiting),
          max(out_under_way), max(out_dead), sum(out_taken), sum(out_done),
          sum(out_errors), sum(out_lost)
      FROM minute
      WHERE at >= ?
      GROUP BY at
      ORDER BY at
      LIMIT ?""";

  // minute's primary key
  public static final String DELETE_MINUTES =
      """
      DELETE FROM minute
      WHERE (at, node) IN (
        SELECT at, node
        FROM minute
        WHERE at < ?
        ORDER BY at
        LIMIT ?
      )""";

  // ---- what operators did

  // audit's primary key
  public static final String RECORD_AUDIT =
      """
      INSERT INTO audit (at, id, operator, action, target, outcome)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT
      DO NOTHING""";

  // audit's primary key
  public static final String AUDIT =
      """
      SELECT at, id, operator, action, target, outcome
      FROM audit
      WHERE (at, id) < (?, ?)
      ORDER BY at DESC, id DESC
      LIMIT ?""";

  // audit's primary key
  public static final String DELETE_AUDIT =
      """
      DELETE FROM audit
      WHERE (at, id) IN (
        SELECT at, id
        FROM audit
        WHERE at < ?
        ORDER BY at
        LIMIT ?
      )""";
}
