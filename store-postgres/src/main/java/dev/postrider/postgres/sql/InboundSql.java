package dev.postrider.postgres.sql;

/** The statements about what comes from platforms; see {@link MessageSql}. */
public final class InboundSql {
  private InboundSql() {}

  /** An event whole, as {@link dev.postrider.jdbc.SqlReader#rawEvent} reads it. */
  private static final String EVENT =
      " e.id, e.uid, e.account, e.session, coalesce(i.status, t.status), e.received, e.content,"
          + " coalesce(i.attempts, t.attempts), coalesce(i.deaths, t.deaths),"
          + " coalesce(i.due, t.due), i.lease,"
          + " coalesce(i.handed_out, t.handed_out), t.ended, coalesce(i.error, t.error),"
          + " CASE WHEN i.id IS NULL THEN t.state WHEN i.handed_out IS NOT NULL THEN"
          + " 0 END, t.closed,"
          + " e.replay_of, e.replayed_as ";

  /** What goes with an event: its row in the inbox, or that of its turn. */
  private static final String STATE =
      " LEFT JOIN LATERAL (SELECT * FROM inbox x WHERE x.id = e.id OFFSET 0) i ON true"
          + " LEFT JOIN LATERAL (SELECT * FROM turn x WHERE x.id = e.id OFFSET 0) t ON true ";

  private static final String WORD =
      " r.account, r.receipt, (SELECT m.uid FROM message m WHERE m.id = r.message),"
          + " r.part, r.state, r.at, r.detail, r.permanent,"
          + " r.unclaimed, r.name, r.message ";

  private static final String NAMES = " unnest(?::int[], ?::uuid[]) AS n(account, name) ";

  // ---- events

  // The sequence is looked up once, not for every id.
  public static final String NEXT_EVENTS =
      """
      SELECT nextval(
        (
          SELECT pg_get_serial_sequence('inbound', 'id')::regclass
        )
      )
      FROM generate_series(1, ?)""";

  // Waits for another node that is storing the same event.
  public static final String ADD_EVENTS =
      """
      INSERT INTO inbound (id, uid, account, name, session, received, content) OVERRIDING
          SYSTEM VALUE
      SELECT *
      FROM unnest(?::bigint[], ?::uuid[], ?::int[], ?::uuid[], ?::text[], ?::bigint[],
          ?::bytea[])
      ON CONFLICT (account, name)
      DO NOTHING
      RETURNING account, name""";

  // inbound_name
  public static final String KNOWN_EVENTS =
      """
      SELECT e.account, e.name, e.uid
      FROM %s
      JOIN inbound e ON e.name = ANY (ARRAY[n.name])
        AND e.account + 0 = n.account"""
          .formatted(NAMES);

  public static final String SAVE_CURSORS =
      """
      INSERT INTO inbound_cursor (account, cursor)
      SELECT *
      FROM unnest(?::int[], ?::text[])
      ON CONFLICT (account)
      DO UPDATE SET cursor = excluded.cursor""";

  // inbound_cursor_pkey
  public static final String CURSOR = "SELECT cursor FROM inbound_cursor WHERE account = ?";

  // inbound_uid, inbox_pkey, turn_pkey
  public static final String EVENT_BY_UID =
      """
      SELECT %s
      FROM inbound e %s
      WHERE e.uid = ?"""
          .formatted(EVENT, STATE);

  // inbound_pkey, backwards; inbox_pkey, turn_pkey
  public static final String LIST_EVENTS =
      """
      SELECT %s
      FROM inbound e %s
      WHERE e.id < ?
      ORDER BY e.id DESC
      LIMIT ?"""
          .formatted(EVENT, STATE);

  // inbound_session, backwards; inbox_pkey, turn_pkey. A pair is compared, so that no other index
  // has the order.
  public static final String LIST_EVENTS_OF_SESSION =
      """
      SELECT %s
      FROM (SELECT ?::text AS wanted, ?::bigint AS before) AS p
      JOIN inbound e ON (e.session, e.id) < (wanted, before)
        AND e.session >= wanted
        AND e.account > 0 %s
      ORDER BY e.session DESC, e.id DESC
      LIMIT ?"""
          .formatted(EVENT, STATE);

  // inbound_account, backwards; inbox_pkey, turn_pkey. Likewise.
  public static final String LIST_EVENTS_OF_ACCOUNT =
      """
      SELECT %s
      FROM (SELECT ?::int AS wanted, ?::bigint AS before) AS p
      JOIN inbound e ON (e.account, e.id) < (wanted, before)
        AND e.account >= wanted
        AND e.account > 0 %s
      ORDER BY e.account DESC, e.id DESC
      LIMIT ?"""
          .formatted(EVENT, STATE);

  // turn_dead, backwards; inbound_pkey, inbox_pkey, turn_pkey
  public static final String LIST_EVENTS_DEAD =
      """
      SELECT %s
      FROM turn d
      JOIN inbound e ON e.id = ANY (ARRAY[d.id]) %s
      WHERE d.status = 3 /* failed */
        AND d.id < ?
      ORDER BY d.id DESC
      LIMIT ?"""
          .formatted(EVENT, STATE);

  // inbound_heard, backwards; inbox_pkey, turn_pkey. Likewise.
  public static final String HEARD =
      """
      SELECT %s
      FROM (
        SELECT ?::text AS wanted, ?::bigint AS before, ?::bigint AS row
      ) AS p
      JOIN inbound e ON (e.session, e.received, e.id) < (p.wanted, p.before, p.row)
        AND e.session >= p.wanted
        AND e.received >= 0 %s
      ORDER BY e.session DESC, e.received DESC, e.id DESC
      LIMIT ?"""
          .formatted(EVENT, STATE);

  // ---- receipts

  // Waits for another node that is storing the same receipt.
  public static final String ADD_WORDS =
      """
      INSERT INTO receipt (account, name, receipt, message, part, state, at, detail,
          permanent, unclaimed)
      SELECT *
      FROM unnest(?::int[], ?::uuid[], ?::text[], ?::bigint[], ?::int[], ?::smallint[],
          ?::bigint[], ?::text[], ?::boolean[], ?::bigint[])
      ON CONFLICT
      DO NOTHING
      RETURNING account, name""";

  // receipt_pkey, message_pkey. In the order of the names.
  public static final String LOCK_WORDS =
      """
      SELECT %s
      FROM %s
      CROSS JOIN LATERAL (
        SELECT *
        FROM receipt x
        WHERE x.account = n.account
          AND x.name = n.name
        FOR UPDATE
      ) r"""
          .formatted(WORD, NAMES);

  // receipt_pkey
  public static final String SAVE_WORDS =
      """
      UPDATE receipt r
      SET message = n.message, part = n.part, state = n.state, at = n.at,
          detail = n.detail, permanent = n.permanent, unclaimed = n.unclaimed
      FROM unnest(?::int[], ?::uuid[], ?::bigint[], ?::int[], ?::smallint[], ?::bigint[],
          ?::text[], ?::boolean[], ?::bigint[]) AS n(account, name, message, part, state, at,
              detail, permanent, unclaimed)
      WHERE r.account = ANY (ARRAY[n.account])
        AND r.name = ANY (ARRAY[n.name])""";

  // message_uid, receipt_message
  public static final String RECEIPTS =
      """
      SELECT r.part, r.receipt, r.state, r.at, r.detail, r.permanent
      FROM message m
      CROSS JOIN LATERAL (
        SELECT *
        FROM receipt x
        WHERE x.message = m.id
        OFFSET 0
      ) r
      WHERE m.uid = ANY (ARRAY[?::uuid])
      ORDER BY r.part""";

  // In the order of the rows. What is there stays as it is, and is locked.
  public static final String LOCK_RECEIPT_STATUS =
      """
      INSERT INTO message_receipt AS w (message, number, state)
      SELECT n.message, n.account, 0 /* sent */
      FROM unnest(?::bigint[], ?::int[]) AS n(message, account)
      ON CONFLICT (message)
      DO UPDATE SET number = w.number""";

  // receipt_message, message_receipt_pkey. A statement of its own: it sees what others have written
  // that were waited for.
  public static final String SET_RECEIPT_STATUS =
      """
      UPDATE message_receipt w
      SET state = r.state
      FROM unnest(?::bigint[]) AS n(message)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN max(x.state) = 3 /* failed */ THEN 3 ELSE min(coalesce(x.state, 0)) END
            AS state
        FROM receipt x
        WHERE x.message = n.message
        OFFSET 0
      ) r
      WHERE w.message = ANY (ARRAY[n.message])
        AND w.state + 0 <> r.state""";

  // In the order of the rows.
  public static final String ADD_RETRIES =
      """
      INSERT INTO receipt_retry (message)
      SELECT *
      FROM unnest(?::bigint[])
      ON CONFLICT
      DO NOTHING""";

  // receipt_retry_pkey
  public static final String DELETE_RETRY = "DELETE FROM receipt_retry WHERE message = ?";

  // message_uid, receipt_retry_pkey
  public static final String DELETE_RETRY_OF =
      """
      DELETE FROM receipt_retry
      WHERE message = (SELECT id FROM message WHERE uid = ?)""";

  // receipt_message
  public static final String FAILED_PARTS =
      """
      SELECT r.message, r.part, r.detail, r.permanent
      FROM unnest(?::bigint[]) AS n(message)
      CROSS JOIN LATERAL (
        SELECT *
        FROM receipt x
        WHERE x.message = n.message
          AND x.state = 3 /* failed */
        OFFSET 0
      ) r
      ORDER BY r.message, r.part""";

  // receipt_unclaimed. Two nodes pass each other by.
  public static final String DELETE_UNCLAIMED =
      """
      DELETE FROM receipt
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM receipt WHERE unclaimed < ? ORDER BY
          unclaimed LIMIT ? FOR UPDATE SKIP LOCKED))""";
}
