package dev.postrider.sqlite.sql;

/** The statements about what comes from platforms; see {@link MessageSql}. */
public final class InboundSql {
  private InboundSql() {}

  private static final String EVENT =
      " id, uid, account, session, status, received, content, attempts, deaths, due, lease,"
          + " handed_out, ended, error, turn, turn_ended, replay_of, replayed_as ";

  private static final String WORD =
      " r.account, r.receipt, m.uid, r.part, r.state, r.at, r.detail, r.permanent, r.unclaimed,"
          + " r.message ";

  // ---- events

  public static final String ADD_EVENT =
      """
      INSERT INTO inbound (uid, account, name, session, head, status, active, attempts,
          deaths, received, due, delivered, lost, replay_of, content)
      VALUES (?1, ?2, ?3, ?4, ?5, 0, 1, 0, 0, ?6, ?6, 0, 0, ?7, ?8)""";

  // inbound_name
  public static final String KNOWN_EVENT = "SELECT uid FROM inbound WHERE account = ? AND name = ?";

  // primary key
  public static final String SAVE_CURSOR =
      """
      INSERT INTO inbound_cursor (account, cursor)
      VALUES (?, ?)
      ON CONFLICT (account)
      DO UPDATE SET cursor = excluded.cursor""";

  // primary key
  public static final String CURSOR = "SELECT cursor FROM inbound_cursor WHERE account = ?";

  // inbound_uid
  public static final String EVENT_BY_UID =
      """
      SELECT %s
      FROM inbound
      WHERE uid = ?"""
          .formatted(EVENT);

  // inbound_uid
  public static final String OPEN_TURN =
      """
      SELECT status, attempts, lease
      FROM inbound
      WHERE uid = ?
        AND active = 1""";

  // primary key, backwards
  public static final String LIST_EVENTS =
      """
      SELECT %s
      FROM inbound
      WHERE id < ?
      ORDER BY id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_session, backwards
  public static final String LIST_EVENTS_OF_SESSION =
      """
      SELECT %s
      FROM inbound
      WHERE session = ?
        AND id < ?
      ORDER BY id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_account, backwards
  public static final String LIST_EVENTS_OF_ACCOUNT =
      """
      SELECT %s
      FROM inbound INDEXED BY inbound_account
      WHERE account = ?
        AND id < ?
      ORDER BY id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_active, backwards
  public static final String LIST_ACTIVE_EVENTS =
      """
      SELECT %s
      FROM inbound INDEXED BY inbound_active
      WHERE active = 1
        AND id < ?
      ORDER BY id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_lapse: sorts as many ids as there are leases
  public static final String LIST_LEASED_EVENTS =
      """
      SELECT %s
      FROM inbound
      WHERE id IN (
        SELECT id
        FROM inbound INDEXED BY inbound_lapse
        WHERE status = 1 /* leased */
          AND id < ?
        ORDER BY id DESC
        LIMIT ?
      )
      ORDER BY id DESC"""
          .formatted(EVENT);

  // inbound_dead, backwards
  public static final String LIST_DEAD_EVENTS =
      """
      SELECT %s
      FROM inbound INDEXED BY inbound_dead
      WHERE status = 3 /* failed */
        AND id < ?
      ORDER BY id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_old, inbound_note's primary key
  public static final String DELETE_NOTES =
      """
      DELETE FROM inbound_note
      WHERE inbound IN (
        SELECT id
        FROM inbound
        WHERE active = 0
          AND received < ?
        ORDER BY received, id
        LIMIT ?
      )""";

  // inbound_old, primary key
  public static final String DELETE_EVENTS =
      """
      DELETE FROM inbound
      WHERE id IN (
        SELECT id
        FROM inbound
        WHERE active = 0
          AND received < ?
        ORDER BY received, id
        LIMIT ?
      )""";

  // ---- handing out

  // inbound_due
  public static final String DUE_EVENTS =
      """
      SELECT id
      FROM inbound
      WHERE account = ?
        AND status = 0 /* pending */
        AND head = 1 /* head */
        AND due <= ?
        AND (due <= ? OR attempts = 0)
      ORDER BY due, id
      LIMIT ?""";

  // primary key
  public static final String INBOUND =
      """
      UPDATE inbound
      SET status = 1 /* leased */, attempts = attempts + 1, lease = ?, holder = ?,
          handed_out = ?, due = ?, turn = 0
      WHERE id = ?
        AND status = 0 /* pending */
        AND head = 1 /* head */
      RETURNING %s"""
          .formatted(EVENT);

  // inbound_lane, primary key
  public static final String TAKE_HEAD =
      """
      UPDATE inbound
      SET status = 1 /* leased */, attempts = attempts + 1, lease = ?, holder = NULL,
          handed_out = ?, due = ?, turn = 0
      WHERE id = (
        SELECT id
        FROM inbound
        WHERE session = ?
          AND active = 1
        ORDER BY id
        LIMIT 1
      )
        AND id <= ?
        AND status = 0 /* pending */
      RETURNING %s"""
          .formatted(EVENT);

  // inbound_lease
  public static final String EXTEND = "UPDATE inbound SET due = ? WHERE lease = ? AND status = 1";

  // primary key
  public static final String HELD =
      """
      SELECT session, head
      FROM inbound
      WHERE id = ?
        AND status = 1 /* leased */
        AND lease = ?""";

  // primary key
  public static final String PUT_BACK =
      """
      UPDATE inbound
      SET status = 0 /* pending */, due = ?, lease = NULL, holder = NULL, deaths = deaths + ?,
          error = coalesce(?, error)
      WHERE id = ?
        AND status = 1 /* leased */
        AND lease = ?""";

  // primary key
  public static final String END_EVENT =
      """
      UPDATE inbound
      SET status = ?, active = 0, head = 0 /* behind */, ended = ?, due = ?, lease = NULL,
          holder = NULL, deaths = deaths + ?, error = coalesce(?, error)
      WHERE id = ?
        AND status = 1 /* leased */
        AND lease = ?""";

  // inbound_note's primary key
  public static final String ADD_NOTE =
      """
      INSERT INTO inbound_note (inbound, n, at, attempt, error, next)
      VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM inbound_note WHERE inbound = ?1),
          ?2, ?3, ?4, ?5)""";

  // inbound_uid, inbound_note's primary key
  public static final String NOTES_BY_UID =
      """
      SELECT at, attempt, error, next
      FROM inbound_note
      WHERE inbound = (SELECT id FROM inbound WHERE uid = ?)
      ORDER BY n""";

  // inbound_lapse: looks at as many as there are leases
  public static final String DISOWN =
      """
      UPDATE inbound INDEXED BY inbound_lapse
      SET due = ?1
      WHERE status = 1 /* leased */
        AND due > ?1
        AND holder = coalesce(?2, holder)""";

  // inbound_lease
  public static final String LEASED =
      """
      SELECT %s
      FROM inbound
      WHERE lease = ?
        AND status = 1 /* leased */"""
          .formatted(EVENT);

  // inbound_lapse
  public static final String LAPSED =
      """
      SELECT %s
      FROM inbound
      WHERE status = 1 /* leased */
        AND due <= ?
      ORDER BY due, id
      LIMIT ?"""
          .formatted(EVENT);

  // inbound_lapse
  public static final String NEXT_LAPSE = "SELECT min(due) FROM inbound WHERE status = 1";

  // inbound_due
  public static final String NEXT_EVENT_DUE =
      """
      SELECT min(due)
      FROM inbound
      WHERE account = ?
        AND status = 0 /* pending */
        AND head = 1 /* head */
        AND due > ?""";

  // inbound_uid
  public static final String REPLAYED =
      """
      UPDATE inbound
      SET replayed_as = ?
      WHERE uid = ?
        AND status = 3 /* failed */
        AND replayed_as IS NULL
      RETURNING %s"""
          .formatted(EVENT);

  // inbound_uid
  public static final String DISCARD_EVENT =
      """
      UPDATE inbound
      SET status = 4 /* discarded */
      WHERE uid = ?
        AND status = 3 /* failed */""";

  // ---- sessions as lanes

  // inbound_lane
  public static final String FIRST_OF_SESSION =
      """
      SELECT id
      FROM inbound
      WHERE session = ?
        AND active = 1
      ORDER BY id
      LIMIT 1""";

  // primary key
  public static final String PROMOTE_EVENT =
      """
      UPDATE inbound
      SET head = ?, due = max(due, ?)
      WHERE id = ?
        AND status = 0 /* pending */
        AND head = 0 /* behind */""";

  // inbound_heard
  public static final String MOVE_EVENTS = "UPDATE inbound SET session = ? WHERE session = ?";

  // inbound_lane
  public static final String ALL_BEHIND =
      """
      UPDATE inbound
      SET head = 0 /* behind */
      WHERE session = ?
        AND active = 1
        AND head <> 0""";

  // primary key, inbound_lane. As with every promotion, it has been due since then.
  public static final String PROMOTE_IF_ALONE =
      """
      UPDATE inbound
      SET head = ?, due = iif(status = 0 /* pending */, max(due, ?), due)
      WHERE id = ?
        AND head = 0 /* behind */
        AND NOT EXISTS (
          SELECT 1
          FROM inbound other
          WHERE other.session = inbound.session
            AND other.active = 1
            AND other.status = 1 /* leased */
            AND other.id <> inbound.id
        )""";

  // primary key
  public static final String SET_HEAD = "UPDATE inbound SET head = ? WHERE id = ? AND head = ?";

  // inbound_heard, backwards
  public static final String HEARD =
      """
      SELECT %s
      FROM inbound
      WHERE session = ?
        AND (received, id) < (?, ?)
      ORDER BY received DESC, id DESC
      LIMIT ?"""
          .formatted(EVENT);

  // ---- receipts

  // receipt's primary key, message's primary key
  public static final String WORD_ON =
      """
      SELECT %s
      FROM receipt r
      LEFT JOIN message m ON m.id = r.message
      WHERE r.account = ?
        AND r.name = ?"""
          .formatted(WORD);

  // receipt's primary key. The first claim stays. Gives what was told before.
  public static final String CLAIM =
      """
      INSERT INTO receipt (account, name, receipt, message, part)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, name)
      DO UPDATE SET message = excluded.message, part = excluded.part,
          unclaimed = NULL
      WHERE message IS NULL
      RETURNING state""";

  // receipt's primary key
  public static final String SAVE_WORD =
      """
      INSERT INTO receipt (account, name, receipt, state, at, detail, permanent, unclaimed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, name)
      DO UPDATE SET state = excluded.state, at = excluded.at, detail = excluded.detail,
          permanent = excluded.permanent""";

  // message_uid, receipt_message
  public static final String RECEIPTS =
      """
      SELECT part, receipt, state, at, detail, permanent
      FROM receipt
      WHERE message = (SELECT id FROM message WHERE uid = ?)
      ORDER BY part""";

  // receipt_message
  public static final String FAILED_PARTS =
      """
      SELECT part, detail, permanent
      FROM receipt
      WHERE message = ?
        AND state = 3 /* failed */
      ORDER BY part""";

  // receipt_message, message_receipt's primary key
  public static final String SET_RECEIPT_STATUS =
      """
      INSERT INTO message_receipt (message, number, state)
      SELECT message, min(account), CASE WHEN max(state) = 3 /* failed */ THEN 3
          ELSE min(coalesce(state, 0)) END
      FROM receipt
      WHERE message = ?
      GROUP BY message
      ON CONFLICT (message)
      DO UPDATE SET state = excluded.state
      WHERE state <> excluded.state""";

  public static final String ADD_RETRY =
      "INSERT INTO receipt_retry (message) VALUES (?) ON CONFLICT DO NOTHING";

  // receipt_retry's primary key
  public static final String DELETE_RETRY = "DELETE FROM receipt_retry WHERE message = ?";

  // message_uid, receipt_retry's primary key
  public static final String DELETE_RETRY_OF =
      """
      DELETE FROM receipt_retry
      WHERE message = (SELECT id FROM message WHERE uid = ?)""";

  // message_receipt's primary key
  public static final String DELETE_RECEIPT_STATUS =
      "DELETE FROM message_receipt WHERE message = ?";

  // receipt_message
  public static final String DELETE_RECEIPTS = "DELETE FROM receipt WHERE message = ?";

  // receipt_unclaimed, receipt's primary key
  public static final String DELETE_UNCLAIMED =
      """
      DELETE FROM receipt
      WHERE (account, name) IN (
        SELECT account, name
        FROM receipt
        WHERE unclaimed < ?
        ORDER BY unclaimed
        LIMIT ?
      )""";
}
