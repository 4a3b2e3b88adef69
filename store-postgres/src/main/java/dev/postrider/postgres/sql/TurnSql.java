package dev.postrider.postgres.sql;

/** The statements about handing events out, and what follows; see {@link MessageSql}. */
public final class TurnSql {
  private TurnSql() {}

  /**
   * An event that has not ended, whole, as {@link dev.postrider.jdbc.SqlReader#rawEvent} reads it.
   */
  private static final String ACTIVE =
      " e.id, e.uid, e.account, e.session, i.status, e.received, e.content, i.attempts, i.deaths,"
          + " i.due, i.lease, i.handed_out, NULL::bigint, i.error, CASE WHEN i.handed_out IS NOT"
          + " NULL THEN 0 END, NULL::bigint, e.replay_of, e.replayed_as ";

  private static final String WITH_CONTENT = " JOIN inbound e ON e.id = ANY (ARRAY[i.id]) ";

  // ---- taking in

  public static final String ADD_TO_INBOX =
      """
      INSERT INTO inbox (id, account, session, head, status, attempts, deaths, due)
      SELECT id, account, session, head, 0, 0, 0, due
      FROM unnest(?::bigint[], ?::int[], ?::text[], ?::smallint[], ?::bigint[]) AS n(id,
          account, session, head, due)""";

  // ---- handing out

  // inbox_due: for each account; inbound_pkey
  public static final String HEADS_DUE =
      """
      SELECT h.id, h.account, h.due, h.attempts, (
        SELECT octet_length(e.content)
        FROM inbound e
        WHERE e.id = h.id
      )
      FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::int[]) AS w(account, now, latest, most)
      CROSS JOIN LATERAL (
        SELECT i.id, i.account, i.due, i.attempts
        FROM inbox i
        WHERE i.account = w.account
          AND i.head = 1 /* head */
          AND i.status = 0 /* pending */
          AND i.due <= w.latest
          AND (i.due <= w.now OR i.attempts = 0)
          AND i.id <> ALL (?::bigint[])
        ORDER BY i.due, i.id
        LIMIT w.most
      ) h
      ORDER BY h.due, h.id""";

  // inbox_pkey, inbound_pkey. Two nodes pass each other by.
  public static final String INBOUND =
      """
      UPDATE inbox i
      SET status = 1 /* leased */, attempts = i.attempts + 1, due = n.until, lease = n.lease,
          holder = n.holder, handed_out = n.now
      FROM unnest(?::bigint[], ?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[],
          ?::text[]) AS n(id, lease, now, latest, until, holder)
      CROSS JOIN LATERAL (
        SELECT x.id
        FROM inbox x
        WHERE x.id = n.id
          AND x.head + 0 = 1
          AND x.status + 0 = 0
          AND x.due <= n.latest
          AND (x.due <= n.now OR x.attempts = 0)
        FOR UPDATE SKIP LOCKED
      ) f, inbound e
      WHERE i.id = ANY (ARRAY[f.id])
        AND e.id = ANY (ARRAY[f.id])
      RETURNING %s"""
          .formatted(ACTIVE);

  // inbox_session, inbox_pkey, inbound_pkey. Of two nodes the second finds it taken.
  public static final String TAKE_HEAD =
      """
      UPDATE inbox i
      SET status = 1 /* leased */, attempts = i.attempts + 1, lease = ?, holder = NULL,
          handed_out = ?, due = ?
      FROM inbound e
      WHERE i.id = (
        SELECT x.id
        FROM (SELECT ?::text AS name) AS s, inbox x
        WHERE x.session >= s.name
          AND x.session <= s.name
          AND x.account > 0
        ORDER BY x.session, x.id
        LIMIT 1
      )
        AND i.id + 0 <= ?
        AND i.status + 0 = 0 /* pending */
        AND e.id = ANY (ARRAY[i.id])
      RETURNING %s"""
          .formatted(ACTIVE);

  // inbox_lease. In the order of the rows.
  public static final String LOCK_LEASES =
      """
      SELECT i.id, i.lease, i.attempts, i.deaths, i.handed_out, i.error, i.head
      FROM inbox i
      WHERE i.lease IS NOT NULL
        AND i.lease = ANY (?::uuid[])
      ORDER BY i.id + 0
      FOR UPDATE""";

  // inbox_pkey. Of those that are locked.
  public static final String EXTEND =
      """
      UPDATE inbox i
      SET due = n.until
      FROM unnest(?::bigint[], ?::bigint[]) AS n(id, until)
      WHERE i.id = ANY (ARRAY[n.id])
        AND i.status + 0 = 1""";

  // inbox_pkey. Of those that are locked.
  public static final String WAIT_AGAIN =
      """
      UPDATE inbox i
      SET status = 0 /* pending */, due = n.due, deaths = i.deaths + n.died, error = n.error,
          lease = NULL, holder = NULL
      FROM unnest(?::bigint[], ?::bigint[], ?::int[], ?::text[]) AS n(id, due, died,
          error)
      WHERE i.id = ANY (ARRAY[n.id])
        AND i.status + 0 = 1""";

  // inbox_pkey. Of those that are locked.
  public static final String LEAVE_INBOX =
      """
      DELETE FROM inbox
      WHERE id = ANY (?::bigint[])
        AND status + 0 = 1""";

  // inbox_session, inbox_pkey: for each session. To be used under its lock.
  public static final String PROMOTE_NEXT =
      """
      UPDATE inbox i
      SET head = n.head, due = greatest(i.due, n.at)
      FROM unnest(?::text[], ?::smallint[], ?::bigint[]) AS n(session, head, at)
      CROSS JOIN LATERAL (
        SELECT x.id
        FROM inbox x
        WHERE x.session >= n.session
          AND x.session <= n.session
          AND x.account > 0
        ORDER BY x.session, x.id
        LIMIT 1
      ) f
      WHERE i.id = ANY (ARRAY[f.id])
        AND i.head + 0 = 0""";

  // inbox_session, inbox_pkey: for each session. To be used under its lock.
  public static final String PROMOTE_IF_ALONE =
      """
      UPDATE inbox i
      SET head = n.head,
          due = CASE WHEN i.status = 0 /* pending */ THEN greatest(i.due, n.at) ELSE i.due END
      FROM unnest(?::text[], ?::smallint[], ?::bigint[]) AS n(session, head, at)
      CROSS JOIN LATERAL (
        SELECT x.id
        FROM inbox x
        WHERE x.session >= n.session
          AND x.session <= n.session
          AND x.account > 0
        ORDER BY x.session, x.id
        LIMIT 1
      ) f
      WHERE i.id = ANY (ARRAY[f.id])
        AND i.head + 0 = 0
        AND (
          SELECT true
          FROM inbox o
          WHERE o.session >= n.session
            AND o.session <= n.session
            AND o.account > 0
            AND o.status + 0 = 1
            AND o.id + 0 <> f.id
          LIMIT 1
        ) IS NULL""";

  // inbox_session. To be used under the locks of both sessions.
  public static final String MOVE_INBOX =
      """
      UPDATE inbox
      SET session = ?, head = 0 /* behind */
      WHERE session = ANY (?::text[])
        AND account > 0""";

  // inbox_session, inbox_pkey. To be used under the session's lock.
  public static final String SET_HEAD =
      """
      UPDATE inbox
      SET head = ?
      WHERE id = (
        SELECT x.id
        FROM (SELECT ?::text AS name) AS s, inbox x
        WHERE x.session >= s.name
          AND x.session <= s.name
          AND x.account > 0
        ORDER BY x.session, x.id
        LIMIT 1
      )
        AND head + 0 <> 0""";

  // inbox_lapse, inbox_pkey. In the order of the rows.
  public static final String DISOWN =
      """
      WITH held AS (
        SELECT id
        FROM inbox
        WHERE status = 1 /* leased */
          AND due > ?
          AND holder = coalesce(?::text, holder)
        ORDER BY id + 0
        FOR UPDATE
      )
      UPDATE inbox
      SET due = ?
      WHERE id = ANY (ARRAY(SELECT id FROM held))""";

  // inbox_lease, inbound_pkey
  public static final String LEASED =
      """
      SELECT %s
      FROM inbox i %s
      WHERE i.lease = ?"""
          .formatted(ACTIVE, WITH_CONTENT);

  // inbound_uid, inbox_pkey
  public static final String OPEN_TURNS =
      """
      SELECT e.uid, i.status, i.attempts, i.lease
      FROM inbound e
      JOIN inbox i ON i.id = ANY (ARRAY[e.id])
      WHERE e.uid = ANY (?::uuid[])""";

  // inbox_lapse, inbound_pkey
  public static final String LAPSED =
      """
      SELECT %s
      FROM inbox i %s
      WHERE i.status = 1 /* leased */
        AND i.due <= ?
      ORDER BY i.due, i.id
      LIMIT ?"""
          .formatted(ACTIVE, WITH_CONTENT);

  // inbox_lapse
  public static final String NEXT_LAPSE =
      """
      SELECT (
        SELECT due
        FROM inbox
        WHERE status = 1 /* leased */
        ORDER BY due
        LIMIT 1
      )""";

  // inbox_due
  public static final String NEXT_EVENT_DUE =
      """
      SELECT (
        SELECT due
        FROM inbox
        WHERE account = ?
          AND head = 1 /* head */
          AND status = 0 /* pending */
          AND due > ?
        ORDER BY due
        LIMIT 1
      )""";

  // inbox_pkey, backwards; inbound_pkey
  public static final String LIST_ACTIVE =
      """
      SELECT %s
      FROM inbox i %s
      WHERE i.id < ?
      ORDER BY i.id DESC
      LIMIT ?"""
          .formatted(ACTIVE, WITH_CONTENT);

  // inbox_lapse, inbound_pkey (as many rows as events that somebody has)
  public static final String LIST_LEASED =
      """
      SELECT %s
      FROM (
        SELECT *
        FROM inbox
        WHERE status = 1 /* leased */
          AND due >= 0
          AND id + 0 < ?
        ORDER BY id + 0 DESC
        LIMIT ?
      ) i %s
      ORDER BY i.id DESC"""
          .formatted(ACTIVE, WITH_CONTENT);

  // ---- what went wrong

  // inbound_note_pkey
  public static final String ADD_NOTES =
      """
      INSERT INTO inbound_note (event, n, at, attempt, error, next)
      SELECT h.event, coalesce(
        (
          SELECT max(x.n)
          FROM inbound_note x
          WHERE x.event = h.event
        ), 0
      ) + 1, h.at, h.attempt, h.error, h.next
      FROM unnest(?::bigint[], ?::bigint[], ?::int[], ?::text[], ?::bigint[]) AS h(event,
          at, attempt, error, next)""";

  // inbound_uid, inbound_note_pkey
  public static final String NOTES =
      """
      SELECT n.at, n.attempt, n.error, n.next
      FROM inbound e
      JOIN inbound_note n ON n.event = ANY (ARRAY[e.id])
      WHERE e.uid = ANY (ARRAY[?::uuid])
      ORDER BY n.n""";

  // ---- what follows

  public static final String ADD_FOLLOWS =
      "INSERT INTO follow (message, turn) SELECT * FROM unnest(?::bigint[], ?::uuid[])";

  // follow_pkey. In the order of the rows.
  public static final String UNFOLLOW =
      """
      DELETE FROM follow f
      USING unnest(?::bigint[]) AS n(message)
      WHERE f.message = ANY (ARRAY[n.message])
      RETURNING f.message, f.turn""";

  // follow_pkey, message_pkey, ended_pkey
  public static final String UNFOLLOWED =
      """
      SELECT f.message, m.uid, coalesce(
        (
          SELECT e.status
          FROM ended e
          WHERE e.id = f.message
        ), 0
      )
      FROM follow f
      JOIN message m ON m.id = ANY (ARRAY[f.message])
      WHERE f.message > ?
      ORDER BY f.message
      LIMIT ?""";

  // inbound_uid
  public static final String EVENTS_BY_UID =
      "SELECT uid, id, account FROM inbound WHERE uid = ANY (?::uuid[])";

  // In the order of the rows. Whoever ends an event, or follows one of its messages, holds the row
  // until it commits.
  public static final String SAVE_TURNS =
      """
      INSERT INTO turn AS t (id, state, delivered, lost, status, received, attempts,
          deaths, due, handed_out, ended, error)
      SELECT id, 0, delivered, lost, status, received, attempts, deaths,
          due, handed_out, ended, error
      FROM unnest(?::bigint[], ?::int[], ?::int[], ?::smallint[], ?::bigint[], ?::int[],
          ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[]) AS n(id, delivered,
              lost, status, received, attempts, deaths, due, handed_out, ended, error)
      ON CONFLICT (id)
      DO UPDATE SET delivered = t.delivered + CASE WHEN t.state = 0 /* open */ THEN
          excluded.delivered ELSE 0 END,
          lost = t.lost + CASE WHEN t.state = 0 /* open */ THEN excluded.lost ELSE 0 END,
          status = coalesce(excluded.status, t.status), received =
              coalesce(excluded.received, t.received),
          attempts = coalesce(excluded.attempts, t.attempts), deaths =
              coalesce(excluded.deaths, t.deaths),
          due = coalesce(excluded.due, t.due), handed_out = coalesce(excluded.handed_out,
              t.handed_out),
          ended = coalesce(excluded.ended, t.ended), error = coalesce(excluded.error,
              t.error)""";

  // turn_pkey; follow_turn for each. Of those that are locked.
  public static final String END_TURNS =
      """
      UPDATE turn t
      SET closed = n.at, state = CASE WHEN t.status <> 2 OR t.lost > 0 THEN 2 WHEN
          t.delivered > 0 THEN 1 ELSE 3 END
      FROM unnest(?::bigint[], ?::uuid[], ?::bigint[]) AS n(id, turn, at)
      WHERE t.id = ANY (ARRAY[n.id])
        AND t.state = 0 /* open */
        AND t.status IS NOT NULL
        AND (
          SELECT true
          FROM follow f
          WHERE f.turn = n.turn
          LIMIT 1
        ) IS NULL
      RETURNING t.id, t.state""";

  // ---- operating on dead letters

  // inbound_uid, turn_pkey
  public static final String MARK_EVENT_REPLAYED =
      """
      UPDATE inbound e
      SET replayed_as = ?
      FROM turn t
      WHERE e.uid = ANY (ARRAY[?::uuid])
        AND t.id = ANY (ARRAY[e.id])
        AND t.status + 0 = 3
        AND e.replayed_as IS NULL
      RETURNING e.id""";

  // inbound_pkey
  public static final String ADD_REPLAY =
      """
      INSERT INTO inbound (id, uid, account, name, session, received, content, replay_of)
          OVERRIDING SYSTEM VALUE
      SELECT ?, n.uid, e.account, n.uid, e.session, ?, ?, e.uid
      FROM (SELECT ?::uuid AS uid) n, inbound e
      WHERE e.id = ?""";

  // inbound_uid, turn_pkey
  public static final String DISCARD =
      """
      UPDATE turn t
      SET status = 4 /* discarded */
      FROM inbound e
      WHERE e.uid = ANY (ARRAY[?::uuid])
        AND t.id = ANY (ARRAY[e.id])
        AND t.status + 0 = 3
      RETURNING t.id, e.account""";

  // turn_received, turn_pkey, inbound_pkey, inbound_file_pkey, inbound_note_pkey. No waiting.
  public static final String DELETE_EVENTS =
      """
      WITH old AS (
        SELECT id
        FROM turn
        WHERE received < ?
        ORDER BY received
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), turns AS (
        DELETE FROM turn
        WHERE id = ANY (ARRAY(SELECT id FROM old))
        RETURNING id, status
      ), notes AS (
        DELETE FROM inbound_note
        WHERE event = ANY (ARRAY(SELECT id FROM old))
      ), files AS (
        DELETE FROM inbound_file
        WHERE uid = ANY (
          ARRAY(SELECT uid FROM inbound WHERE id = ANY (ARRAY(SELECT id FROM old)))
        )
      ), events AS (
        DELETE FROM inbound
        WHERE id = ANY (ARRAY(SELECT id FROM old))
        RETURNING id, account
      )
      SELECT e.account, t.status
      FROM turns t
      JOIN events e ON e.id = t.id""";
}
