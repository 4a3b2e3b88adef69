package dev.postrider.postgres.sql;

/**
 * Every statement, with the index it walks. Statements on the way of a message take whole batches:
 * an array per column, so that a batch costs one round trip however large it is.
 *
 * <h2>Plans that do not depend on how full the queue is</h2>
 *
 * A statement's plan is made once and kept, perhaps while the queue is empty. To a planner who
 * knows that, walking the whole of an index looks as cheap as one step in it, and the plan would be
 * kept while the queue fills. So batch statements leave it no such choice:
 *
 * <ul>
 *   <li>{@code q.id = ANY (ARRAY[s.id])} instead of {@code q.id = s.id}: usable as a condition of
 *       the index, but not for a merge, for which the whole index would be offered;
 *   <li>{@code q.status + 0 = 1} where a row is found by its id: a partial index on the bare status
 *       is not recognized;
 *   <li>{@code LATERAL (… OFFSET 0)}: what is asked inside stays inside;
 *   <li>{@code account > 0}, which always holds: an index of which that is the condition has an id
 *       somewhere, and a statement that looks for the id alone does not find it;
 *   <li>{@code (SELECT true … LIMIT 1)} instead of {@code EXISTS}: it is asked for each row, not
 *       once for all there are.
 * </ul>
 */
public final class MessageSql {
  private MessageSql() {}

  /** A message whole, active or ended. */
  private static final String COLUMNS =
      " m.id, m.uid, m.account, m.chat, coalesce(q.status, e.status), coalesce(q.attempts,"
          + " e.attempts), coalesce(q.reservation, e.reservation), coalesce(q.flags, e.flags),"
          + " m.created, coalesce(q.due, e.due), m.expires, coalesce(q.tried, e.tried), e.ended,"
          + " coalesce(q.progress, e.progress), coalesce(q.error, e.error), e.reason, m.replay_of,"
          + " m.replayed_as, m.content, m.plan ";

  /** How many columns a message whole has. */
  public static final int MESSAGE_WIDTH = 20;

  /** What goes with a message: its row in the queue, or that of its end. */
  private static final String STATE =
      " LEFT JOIN LATERAL (SELECT * FROM queue q WHERE q.id = m.id OFFSET 0) q ON true"
          + " LEFT JOIN LATERAL (SELECT * FROM ended e WHERE e.id = m.id OFFSET 0) e ON true ";

  private static final String WHOLE = " message m" + STATE;

  /** An active message whole. */
  private static final String ACTIVE =
      " m.id, m.uid, m.account, m.chat, q.status, q.attempts, q.reservation, q.flags, m.created,"
          + " q.due, m.expires, q.tried, NULL::bigint, q.progress, q.error, NULL::text,"
          + " m.replay_of, m.replayed_as, m.content, m.plan ";

  /** An ended message whole. */
  private static final String ENDED =
      " m.id, m.uid, m.account, m.chat, e.status, e.attempts, e.reservation, e.flags, m.created,"
          + " e.due, m.expires, e.tried, e.ended, e.progress, e.error, e.reason, m.replay_of,"
          + " m.replayed_as, m.content, m.plan ";

  static String selectWhole() {
    return "SELECT" + COLUMNS + "FROM" + WHOLE;
  }

  /** Messages whole, by another table that leads to them. */
  static String selectWith(String other, String id) {
    return "SELECT"
        + COLUMNS
        + "FROM "
        + other
        + " JOIN message m ON m.id = ANY (ARRAY["
        + id
        + "])"
        + STATE;
  }

  static String selectActive() {
    return "SELECT" + ACTIVE + "FROM queue q JOIN message m ON m.id = ANY (ARRAY[q.id])";
  }

  static String selectEnded() {
    return "SELECT" + ENDED + "FROM ended e JOIN message m ON m.id = ANY (ARRAY[e.id])";
  }

  /** As {@link dev.postrider.jdbc.session.Values#head} reads them. */
  private static final String HEAD_COLUMNS = " q.id, q.chat, q.seq, q.priority, q.due, q.flags ";

  /** The database's clock, unless a test brings its own. */
  public static final String NOW =
      "coalesce(?::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)";

  // ---- accounts

  // account (a handful of rows)
  public static final String ALL_ACCOUNTS =
      "SELECT id, name, paused, paused_since, broken, broken_since FROM account WHERE name <> ''";

  // account_name_key
  public static final String ACCOUNT_ID = "SELECT id FROM account WHERE name = ?";

  public static final String ADD_ACCOUNT =
      "INSERT INTO account (name) VALUES (?) ON CONFLICT (name) DO NOTHING";

  // Each gives ACCOUNT_STATE, whether or not there was something to change.

  private static final String ACCOUNT_STATE =
      " RETURNING name, paused, paused_since, broken, broken_since";

  // account_pkey
  public static final String PAUSE_ACCOUNT =
      """
      UPDATE account
      SET paused_since = CASE WHEN paused IS NULL THEN ? ELSE paused_since END,
          paused = coalesce(paused, ?)
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // account_pkey
  public static final String RESUME_ACCOUNT =
      """
      UPDATE account
      SET paused = NULL, paused_since = NULL, broken = NULL, broken_since = NULL
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // account_pkey
  public static final String ACCOUNT_BROKEN =
      """
      UPDATE account
      SET broken_since = CASE WHEN broken IS NULL THEN ? ELSE broken_since END,
          broken = coalesce(broken, ?)
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // account_pkey
  public static final String ACCOUNT_REPAIRED =
      """
      UPDATE account
      SET broken = NULL, broken_since = NULL
      WHERE id = ? %s"""
          .formatted(ACCOUNT_STATE);

  // account (a handful of rows), inbound_count (one per account and node)
  public static final String DEPTHS =
      """
      SELECT *
      FROM (
        SELECT a.name, a.active, a.dead, coalesce(sum(c.waiting), 0)::bigint AS waiting,
            coalesce(sum(c.dead), 0)::bigint AS dead_events
        FROM account a
        LEFT JOIN inbound_count c ON c.account = a.id
        WHERE a.name <> ''
        GROUP BY a.id
      ) d
      WHERE active > 0
        OR dead > 0
        OR waiting > 0
        OR dead_events > 0
      ORDER BY name""";

  // ---- the batch

  // mark_pkey, account_pkey. Whoever changes a lane holds its account's row until it commits.
  public static final String BEGIN =
      """
      WITH marked AS (
        INSERT INTO mark (node, batch)
        VALUES (?, ?)
        ON CONFLICT (node)
        DO UPDATE SET batch = excluded.batch
      )
      SELECT id, fence
      FROM account
      WHERE id = ANY (?)
      ORDER BY id
      FOR UPDATE""";

  // mark_pkey
  public static final String FIRST_MARK =
      "INSERT INTO mark (node, batch) VALUES (?, 0) ON CONFLICT (node) DO NOTHING";

  // mark_pkey; waits for a transaction that has not ended yet
  public static final String LAST_MARK = "SELECT batch FROM mark WHERE node = ? FOR UPDATE";

  // mark_pkey. A standby that follows still gets what it has not.
  public static final String STORED_MARK =
      "SELECT batch FROM mark WHERE node = ? AND NOT pg_is_in_recovery()";

  // pg_stat_activity (a row per connection)
  public static final String END_OLD_CONNECTION =
      """
      SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
      WHERE pid = ?
        AND application_name = left(?, 63)""";

  // account_pkey
  public static final String COUNT =
      """
      UPDATE account a
      SET active = a.active + d.active, dead = a.dead + d.dead, changes = a.changes +
          d.changes
      FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::int[]) AS d(id, active, dead,
          changes)
      WHERE a.id = d.id""";

  public static final String NOTIFY =
      "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload";

  // ---- accepting

  // message_key, queue_pkey, ended_pkey
  public static final String BY_KEYS =
      """
      SELECT %s, k.n, m.content_hash
      FROM unnest(?::int[], ?::text[])
      WITH ORDINALITY AS k(account, key, n)
      CROSS JOIN LATERAL (
        SELECT *
        FROM message m
        WHERE m.account = k.account
          AND m.idem_key = k.key
        OFFSET 0
      ) m %s"""
          .formatted(COLUMNS, STATE);

  // message_key, queue_pkey, ended_pkey
  public static final String BY_KEY =
      """
      SELECT %s, m.content_hash
      FROM %s
      WHERE m.account = ?
        AND m.idem_key = ?"""
          .formatted(COLUMNS, WHOLE);

  // queue_lane twice, queue_bulk, queue_arrivals, chat_alias_chat, chat_alias_pkey,
  // paused_lane_pkey: for each lane. Arrivals under a former name of the chat wait for their place
  // in this lane, too.
  public static final String LANES =
      """
      SELECT (
        SELECT q.seq
        FROM queue q
        WHERE q.account = l.account
          AND q.chat = l.chat
          AND q.seq IS NOT NULL
        ORDER BY q.seq DESC
        LIMIT 1
      ), (
        SELECT q.seq
        FROM queue q
        WHERE q.account = l.account
          AND q.chat = l.chat
          AND q.seq IS NOT NULL
        ORDER BY q.seq
        LIMIT 1
      ), (
        SELECT true
        FROM queue q
        WHERE q.account = l.account
          AND q.chat = l.chat
          AND q.priority = 1
          AND q.seq IS NOT NULL
        LIMIT 1
      ), coalesce(
        (
          SELECT true
          FROM queue q
          WHERE q.account = l.account
            AND q.chat = l.chat
            AND q.arriving
          LIMIT 1
        ), (
          SELECT true
          FROM chat_alias c
          CROSS JOIN LATERAL (
            SELECT q.id
            FROM queue q
            WHERE q.account = c.account
              AND q.chat = c.former
              AND q.arriving
            LIMIT 1
          ) q
          WHERE c.account = l.account
            AND c.chat = l.chat
            AND c.account > 0
          LIMIT 1
        )
      ), (
        SELECT c.chat
        FROM chat_alias c
        WHERE c.account = l.account
          AND c.former = l.chat
      ), (
        SELECT true
        FROM paused_lane p
        WHERE p.account = l.account
          AND p.chat = l.chat
      )
      FROM unnest(?::int[], ?::text[])
      WITH ORDINALITY AS l(account, chat, n)
      ORDER BY n""";

  // queue_lane: as many entries as the lane holds
  public static final String COUNT_LANE =
      """
      SELECT count(*)
      FROM queue
      WHERE account = ?
        AND chat = ?
        AND seq IS NOT NULL""";

  // queue_bulk, queue_pkey
  public static final String RAISE_LANES =
      """
      UPDATE queue
      SET priority = 0
      WHERE id = ANY (ARRAY(SELECT b.id FROM unnest(?::int[], ?::text[]) AS l(account,
          chat) CROSS JOIN LATERAL (SELECT q.id FROM queue q WHERE q.account = l.account
              AND q.chat = l.chat AND q.priority = 1 AND q.seq IS NOT NULL OFFSET 0) b))""";

  // The sequence is looked up once, not for every id.
  public static final String NEXT_IDS =
      """
      SELECT nextval(
        (
          SELECT pg_get_serial_sequence('message', 'id')::regclass
        )
      )
      FROM generate_series(1, ?)""";

  public static final String ADD_MESSAGES =
      """
      INSERT INTO message (id, uid, account, chat, created, expires, idem_key,
          content_hash, turn, session, run, replay_of, content, plan) OVERRIDING SYSTEM
              VALUE
      SELECT *
      FROM unnest(?::bigint[], ?::uuid[], ?::int[], ?::text[], ?::bigint[], ?::bigint[],
          ?::text[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::bytea[],
              ?::bytea[])""";

  public static final String ADD_TO_QUEUE =
      """
      INSERT INTO queue (id, account, chat, seq, head, arriving, status, priority,
          attempts, reservation, flags, due, expires, tried, progress)
      SELECT id, account, chat, seq, head, arriving, status, priority,
          attempts, attempts, flags, due, expires, tried, progress
      FROM unnest(?::bigint[], ?::int[], ?::text[], ?::bigint[], ?::smallint[],
          ?::boolean[], ?::smallint[], ?::smallint[], ?::int[], ?::smallint[],
              ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[]) AS n(id, account, chat,
                  seq, head, arriving, status, priority, attempts, flags, due, expires,
                      tried, progress)""";

  // message_uid, ended_pkey
  public static final String MARK_REPLAYED =
      """
      UPDATE message m
      SET replayed_as = ?
      FROM ended e
      WHERE m.uid = ANY (ARRAY[?::uuid])
        AND e.id = ANY (ARRAY[m.id])
        AND e.status + 0 IN (3, 4, 5)
        AND m.replayed_as IS NULL""";

  // ---- taking their place

  // queue_arrivals
  public static final String ARRIVALS =
      """
      SELECT id, account, chat, priority, flags, due
      FROM queue
      WHERE account = ?
        AND arriving
      ORDER BY chat, id
      LIMIT ?""";

  // queue_arrivals
  public static final String ARRIVALS_OF_LANE =
      """
      SELECT id, account, chat, priority, flags, due
      FROM queue
      WHERE account = ?
        AND chat = ?
        AND arriving
      ORDER BY id""";

  // chat_alias_pkey, queue_arrivals, queue_pkey, message_pkey
  public static final String RENAME_ARRIVALS =
      """
      WITH moved AS (
        UPDATE queue q
        SET chat = n.chat
        FROM (
          SELECT x.id, c.chat
          FROM unnest(?::text[]) AS l(former)
          CROSS JOIN LATERAL (
            SELECT c.chat
            FROM chat_alias c
            WHERE c.account = ?
              AND c.former = l.former
            OFFSET 0
          ) c
          CROSS JOIN LATERAL (
            SELECT x.id
            FROM queue x
            WHERE x.account = ?
              AND x.chat = l.former
              AND x.arriving
            ORDER BY x.id
            OFFSET 0
          ) x
        ) n
        WHERE q.id = ANY (ARRAY[n.id])
        RETURNING q.id, q.chat
      )
      UPDATE message m
      SET chat = moved.chat
      FROM moved
      WHERE m.id = ANY (ARRAY[moved.id])""";

  // chat_alias_pkey
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
        AND chat = ?
        AND account > 0""";

  public static final String ADD_ALIAS =
      """
      INSERT INTO chat_alias (account, former, chat)
      VALUES (?, ?, ?)
      ON CONFLICT (account, former)
      DO UPDATE SET chat = excluded.chat""";

  // chat_alias_pkey (whole: as many rows as chats have moved; at the start, and when one moves)
  public static final String CHAT_ALIASES =
      "SELECT account, former, chat FROM chat_alias ORDER BY account, former";

  public static final String TELL_ALIAS =
      """
      INSERT INTO told_alias (account, former, chat)
      VALUES (?, ?, ?)
      ON CONFLICT (account, former)
      DO UPDATE SET chat = excluded.chat""";

  // told_alias_pkey
  public static final String FORGET_TOLD =
      "DELETE FROM told_alias WHERE account = ? AND former = ?";

  // told_alias_pkey (whole: those whose lanes are not joined yet)
  public static final String TOLD_ALIASES =
      "SELECT account, former, chat FROM told_alias ORDER BY account, former";

  // queue_lane
  public static final String LANE_STATUS =
      """
      SELECT status
      FROM queue
      WHERE account = ?
        AND chat = ?
        AND seq IS NOT NULL
      ORDER BY seq
      LIMIT 1""";

  // queue_pkey. By due time: of messages that are overdue, the one that was due first goes first.
  public static final String SCHEDULED =
      """
      SELECT q.id, q.account, q.chat, q.priority, q.flags, q.due
      FROM unnest(?::bigint[], ?::int[], ?::bigint[]) AS s(id, account, at)
      JOIN queue q ON q.id = ANY (ARRAY[s.id])
        AND q.account + 0 = s.account
        AND q.status + 0 = 0
        AND q.flags & 8 /* scheduled */ <> 0
        AND NOT q.arriving
        AND q.due <= s.at
      ORDER BY q.due, q.id""";

  // queue_pkey
  public static final String PLACE =
      """
      UPDATE queue q
      SET seq = p.seq, head = p.head, arriving = false, flags = p.flags,
          due = p.due, priority = p.priority
      FROM unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::smallint[], ?::bigint[],
          ?::smallint[]) AS p(id, seq, head, flags, due, priority)
      WHERE q.id = ANY (ARRAY[p.id])""";

  // ---- the way of a message

  // queue_pkey, message_pkey
  public static final String RESERVE =
      """
      UPDATE queue q
      SET status = 1 /* sending */, attempts = q.attempts + 1, reservation = q.reservation + 1,
          tried = r.at
      FROM unnest(?::bigint[], ?::bigint[], ?::int[]) AS r(id, at, account),
          message m
      WHERE q.id = ANY (ARRAY[r.id])
        AND m.id = ANY (ARRAY[r.id])
        AND q.account + 0 = r.account
        AND q.status + 0 = 0
        AND q.head = 1 /* head */
        AND q.flags & 8 /* scheduled */ = 0
        AND q.due <= r.at
        AND q.expires > r.at
      RETURNING %s"""
          .formatted(ACTIVE);

  // queue_pkey
  public static final String PROGRESS =
      """
      UPDATE queue q
      SET progress = p.progress
      FROM unnest(?::bigint[], ?::int[], ?::bytea[]) AS p(id, reservation, progress)
      WHERE q.id = ANY (ARRAY[p.id])
        AND q.status + 0 = 1
        AND q.reservation = p.reservation
      RETURNING q.id""";

  /** What {@code head} is for whoever becomes the head of its lane. */
  private static final String NEW_HEAD =
      " CASE WHEN (SELECT true FROM paused_lane p WHERE p.account = q.account AND p.chat = q.chat)"
          + " THEN 2 ELSE 1 END AS head ";

  // queue_pkey; queue_lane and paused_lane_pkey for each lane's next; message_pkey for each that is
  // reserved. The next of a lane that is paused is not told of.
  public static final String SETTLE =
      """
      WITH s AS (
        SELECT *
        FROM unnest(?::bigint[], ?::int[], ?::smallint[], ?::bigint[], ?::bigint[],
            ?::int[], ?::bytea[], ?::text[], ?::text[], ?::smallint[], ?::boolean[],
                ?::boolean[]) AS s(id, reservation, status, at, due, back, progress,
                    error, reason, flags, keyed, then_reserve)
      ), again AS (
        UPDATE queue q
        SET status = 0 /* queued */, due = s.due, attempts = q.attempts - s.back,
            progress = s.progress, error = s.error, flags = (q.flags & ~3) | s.flags
        FROM s
        WHERE s.status = 0 /* queued */
          AND q.id = ANY (ARRAY[s.id])
          AND q.status + 0 = 1
          AND q.reservation = s.reservation
        RETURNING q.id
      ), gone AS (
        DELETE FROM queue q
        USING s
        WHERE s.status <> 0 /* queued */
          AND q.id = ANY (ARRAY[s.id])
          AND q.status + 0 = 1
          AND q.reservation = s.reservation
        RETURNING q.id, q.account, q.chat, q.seq, s.status, q.attempts - s.back AS
            attempts,
            q.reservation, (q.flags & ~3) | s.flags AS flags, s.due,
            q.tried, s.at, s.progress, s.error, s.reason, s.keyed,
            s.then_reserve
      ), written AS (
        INSERT INTO ended (id, account, status, attempts, reservation, flags, due, tried,
            ended, progress, error, reason, keyed)
        SELECT id, account, status, attempts, reservation, flags, due,
            tried, at, progress, error, reason, keyed
        FROM gone
      ), next AS MATERIALIZED (
        SELECT g.id AS before, g.at, n.id, n.head, g.then_reserve
          AND n.head = 1 /* head */
          AND n.expires > g.at
          AND n.due <= g.at AS reserved
        FROM gone g
        CROSS JOIN LATERAL (
          SELECT q.id, q.expires, q.due, %s
          FROM queue q
          WHERE q.account = g.account
            AND q.chat = g.chat
            AND q.seq IS NOT NULL
            AND q.seq > g.seq
          ORDER BY q.seq
          LIMIT 1
        ) n
      ), promoted AS (
        UPDATE queue q
        SET head = n.head, status = CASE WHEN n.reserved THEN 1 ELSE 0 END,
            attempts = q.attempts + n.reserved::int, reservation = q.reservation +
                n.reserved::int,
            tried = CASE WHEN n.reserved THEN n.at ELSE q.tried END,
            due = CASE WHEN n.reserved THEN q.due ELSE greatest(q.due, n.at) END
        FROM next n
        WHERE q.id = ANY (ARRAY[n.id])
          AND q.status + 0 = 0
          AND q.head = 0 /* behind */
        RETURNING n.before, n.reserved, q.*
      )
      SELECT %s, q.before, q.reserved, %s
      FROM promoted q
      LEFT JOIN message m ON m.id = ANY (ARRAY[q.id])
        AND q.reserved
      WHERE q.head = 1 /* head */
      UNION ALL
      SELECT %s a.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM (
        SELECT id
        FROM again
        UNION ALL
        SELECT id
        FROM gone
      ) a"""
          .formatted(NEW_HEAD, ACTIVE, HEAD_COLUMNS, " NULL, ".repeat(MESSAGE_WIDTH));

  // queue_expiry
  public static final String EXPIRING =
      """
      SELECT id, account
      FROM queue
      WHERE status = 0 /* queued */
        AND expires <= ?
      ORDER BY expires, id
      LIMIT ?""";

  // queue_lane
  public static final String QUEUED_OF_ACCOUNT =
      """
      SELECT id
      FROM queue
      WHERE account = ?
        AND status = 0 /* queued */
      ORDER BY account, chat, seq
      LIMIT ?""";

  // queue_lane
  public static final String QUEUED_OF_LANE =
      """
      SELECT id, seq, head, priority, due
      FROM queue
      WHERE account = ?
        AND chat = ?
        AND status + 0 = 0
        AND NOT arriving
      ORDER BY account, chat, seq""";

  // queue_pkey
  public static final String MOVE =
      """
      UPDATE queue q
      SET chat = ?, seq = p.seq, head = p.head, due = p.due
      FROM unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::bigint[]) AS p(id, seq,
          head, due)
      WHERE q.id = ANY (ARRAY[p.id])""";

  // message_pkey
  public static final String MOVE_MESSAGES =
      "UPDATE message SET chat = ? WHERE id = ANY (?::bigint[])";

  // account_pkey. In order, so that nobody waits for each other.
  public static final String LOCK_ACCOUNTS =
      """
      SELECT id
      FROM account
      WHERE id = ANY (?)
      ORDER BY id
      FOR UPDATE""";

  // queue_pkey, message_pkey twice. Many at once: whoever accepts waits for the accounts' locks.
  public static final String END_QUEUED =
      """
      WITH gone AS (
        DELETE FROM queue
        WHERE id = ANY (?::bigint[])
          AND status + 0 = 0
        RETURNING *
      ), e AS MATERIALIZED (
        SELECT q.id, q.account, ?::smallint AS status, q.attempts, q.reservation,
            q.flags, q.due, q.tried, ?::bigint AS ended, q.progress,
            ?::text AS error, ?::text AS reason, q.seq, q.head, q.arriving
        FROM gone q
      ), written AS (
        INSERT INTO ended (id, account, status, attempts, reservation, flags, due, tried,
            ended, progress, error, reason, keyed)
        SELECT e.id, e.account, e.status, e.attempts, e.reservation,
            e.flags, e.due, e.tried, e.ended, e.progress, e.error,
            e.reason, m.idem_key IS NOT NULL
        FROM e
        JOIN message m ON m.id = ANY (ARRAY[e.id])
      )
      SELECT %s, e.seq, e.head, e.arriving
      FROM e
      JOIN message m ON m.id = ANY (ARRAY[e.id])"""
          .formatted(ENDED);

  // queue_lane and paused_lane_pkey for each lane, queue_pkey. Tells of those that may be sent.
  public static final String PROMOTE =
      """
      WITH promoted AS (
        UPDATE queue q
        SET head = n.head, due = greatest(q.due, ?)
        FROM unnest(?::int[], ?::text[]) AS l(account, chat)
        CROSS JOIN LATERAL (
          SELECT q.id, %s
          FROM queue q
          WHERE q.account = l.account
            AND q.chat = l.chat
            AND q.seq IS NOT NULL
          ORDER BY q.seq
          LIMIT 1
        ) n
        WHERE q.id = ANY (ARRAY[n.id])
          AND q.status + 0 = 0
          AND q.head = 0 /* behind */
        RETURNING q.*
      )
      SELECT %s, q.account
      FROM promoted q
      WHERE q.head = 1 /* head */"""
          .formatted(NEW_HEAD, HEAD_COLUMNS);

  // history_pkey
  public static final String ADD_HISTORY =
      """
      INSERT INTO history (message, n, at, attempt, part, outcome, error, next)
      SELECT h.message, coalesce(
        (
          SELECT max(x.n)
          FROM history x
          WHERE x.message = h.message
        ), 0
      ) + 1, h.at, h.attempt, h.part, h.outcome, h.error, h.next
      FROM unnest(?::bigint[], ?::bigint[], ?::int[], ?::int[], ?::text[], ?::text[],
          ?::bigint[]) AS h(message, at, attempt, part, outcome, error, next)""";

  // ---- operating on messages

  // message_uid, queue_pkey, ended_pkey
  public static final String BY_UID =
      """
      SELECT %s
      FROM %s
      WHERE m.uid = ?"""
          .formatted(COLUMNS, WHOLE);

  // queue_pkey
  public static final String HURRY =
      """
      UPDATE queue q
      SET due = least(q.due, ?)
      WHERE q.id = ?
        AND q.status + 0 = 0
        AND q.head > 0
      RETURNING %s, q.head"""
          .formatted(HEAD_COLUMNS);

  // follow_pkey, message_pkey, ended_pkey
  public static final String UNFOLLOWED_AMONG =
      """
      SELECT %s
      FROM follow f
      JOIN message m ON m.id = ANY (ARRAY[f.message])
      JOIN ended e ON e.id = ANY (ARRAY[m.id])
      WHERE f.message = ANY (?::bigint[])"""
          .formatted(ENDED);

  // ended_pkey, message_pkey. In the order of the rows.
  public static final String LOCK_ENDED =
      """
      SELECT %s
      FROM unnest(?::bigint[]) AS n(id)
      CROSS JOIN LATERAL (
        SELECT *
        FROM ended x
        WHERE x.id = n.id
        FOR UPDATE
      ) e
      JOIN message m ON m.id = ANY (ARRAY[e.id])"""
          .formatted(ENDED);

  // ended_pkey
  public static final String RECEIPTS_FAILED =
      """
      UPDATE ended e
      SET status = n.status, ended = n.ended, progress = n.progress, error = n.error,
          reason = n.reason
      FROM unnest(?::bigint[], ?::smallint[], ?::bigint[], ?::bytea[], ?::text[], ?::text[])
          AS n(id, status, ended, progress, error, reason)
      WHERE e.id = ANY (ARRAY[n.id])""";

  // ended_pkey
  public static final String ENDED_AMONG =
      "SELECT id, account FROM ended WHERE id = ANY (?::bigint[])";

  // ended_pkey, message_pkey, history_pkey, receipt_message, message_receipt_pkey,
  // receipt_retry_pkey, run_report_pkey. What follows from
  // them is done before.
  public static final String DELETE =
      """
      WITH old AS (
        DELETE FROM ended
        WHERE id = ANY (?)
        RETURNING id, account, status
      ), texts AS (
        DELETE FROM message
        WHERE id = ANY (ARRAY(SELECT id FROM old))
      ), errors AS (
        DELETE FROM history
        WHERE message = ANY (ARRAY(SELECT id FROM old))
      ), words AS (
        DELETE FROM receipt
        WHERE message = ANY (ARRAY(SELECT id FROM old))
      ), statuses AS (
        DELETE FROM message_receipt
        WHERE message = ANY (ARRAY(SELECT id FROM old))
      ), retries AS (
        DELETE FROM receipt_retry
        WHERE message = ANY (ARRAY(SELECT id FROM old))
      ), news AS (
        DELETE FROM run_report
        WHERE message = ANY (ARRAY(SELECT id FROM old))
      )
      SELECT id, account, status
      FROM old""";

  // ended_done
  public static final String OLD_DONE =
      """
      SELECT id
      FROM ended
      WHERE status IN (2 /* delivered */, 6 /* cancelled */)
        AND NOT keyed
        AND ended < ?
      ORDER BY ended
      LIMIT ?""";

  // ended_done_keyed
  public static final String OLD_DONE_KEYED =
      """
      SELECT id
      FROM ended
      WHERE status IN (2 /* delivered */, 6 /* cancelled */)
        AND keyed
        AND ended < ?
      ORDER BY ended
      LIMIT ?""";

  // ended_dead
  public static final String OLD_DEAD =
      """
      SELECT id
      FROM ended
      WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND ended < ?
        AND (NOT keyed OR ended < ?)
      ORDER BY ended, id
      LIMIT ?""";

  // ---- budgets and pauses

  // budget_pkey
  public static final String SAVE_BUDGETS =
      """
      INSERT INTO budget AS b (scope, revision, until, state)
      SELECT *
      FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[])
      ON CONFLICT (scope)
      DO UPDATE SET revision = excluded.revision, until = excluded.until,
          state = excluded.state
      WHERE excluded.revision > b.revision""";

  // budget (whole: as many rows as chats were written to lately; when an account begins)
  public static final String OPEN_BUDGETS =
      "SELECT scope, revision, until, state FROM budget WHERE until > ?";

  // budget (whole; when pruning)
  public static final String DELETE_BUDGETS =
      """
      DELETE FROM budget
      WHERE scope IN (
        SELECT scope
        FROM budget
        WHERE until < ?
        LIMIT 1000
      )""";

  public static final String PAUSE_LANE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (account, chat)
      DO UPDATE SET reason = excluded.reason, since = excluded.since""";

  // paused_lane_pkey
  public static final String COPY_PAUSE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      SELECT account, ?, reason, since
      FROM paused_lane
      WHERE account = ?
        AND chat = ?
      ON CONFLICT
      DO NOTHING""";

  // paused_lane_pkey
  public static final String RESUME_LANE = "DELETE FROM paused_lane WHERE account = ? AND chat = ?";

  // paused_lane_pkey
  public static final String IS_PAUSED =
      """
      SELECT true
      FROM paused_lane
      WHERE account = ?
        AND chat = ?""";

  // queue_lane twice, queue_pkey: the lane's first, and what is outside its order. What waits for
  // its time gets its place first.
  public static final String CHANGE_HEADS =
      """
      UPDATE queue
      SET head = ?
      WHERE id = ANY (ARRAY((SELECT q.id FROM queue q WHERE q.account = ? AND q.chat = ?
          AND q.seq IS NOT NULL ORDER BY q.seq LIMIT 1) UNION ALL (SELECT q.id FROM queue
              q WHERE q.account = ? AND q.chat = ? AND q.seq IS NULL)))
        AND head = ?
        AND flags & 8 /* scheduled */ = 0""";

  // paused_lane_pkey (whole: as many rows as there are paused lanes), account_pkey
  public static final String PAUSED_LANES =
      """
      SELECT a.name, p.chat, p.reason, p.since
      FROM paused_lane p
      JOIN account a ON a.id = p.account""";

  // ---- media

  /** How many uses of a file are walked at once. */
  private static final String A_FEW = " 500 ";

  /** Whether the message of a use still needs the file: it is on its way, or a dead letter. */
  private static final String NEEDED =
      "(SELECT true FROM queue q WHERE q.id = u.message)"
          + " OR (SELECT true FROM ended e WHERE e.id = u.message AND e.status + 0 IN (3, 4, 5))";

  // blob_pkey
  public static final String BLOB = "SELECT hash, size, type FROM blob WHERE hash = ?";

  // blob_pkey
  public static final String KEEP_BLOB =
      "UPDATE blob SET look_at = greatest(look_at, ?) WHERE hash = ?";

  public static final String ADD_BLOB =
      "INSERT INTO blob (hash, size, type, look_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";

  public static final String ADD_PIECE =
      "INSERT INTO blob_piece (hash, no, bytes, key) VALUES (?, ?, ?, ?)";

  // blob_piece_pkey
  public static final String PIECE = "SELECT bytes, key FROM blob_piece WHERE hash = ? AND no = ?";

  // blob_pkey. In order, and whoever sweeps passes them by until this transaction has ended.
  public static final String HOLD_BLOBS =
      """
      SELECT hash
      FROM blob
      WHERE hash = ANY (?::text[])
      ORDER BY hash
      FOR KEY SHARE""";

  public static final String ADD_USES =
      "INSERT INTO blob_use (hash, message) SELECT * FROM unnest(?::text[], ?::bigint[])";

  // blob_look_at; blob_use_pkey, queue_pkey, ended_pkey: for each file until the first use that
  // needs it. If there is none, the first that was not looked at.
  public static final String LOOK_AT_BLOBS =
      """
      SELECT f.hash, l.live, coalesce(l.live, (SELECT u.message FROM blob_use u WHERE
          u.hash = f.hash ORDER BY u.message OFFSET %s LIMIT 1))
      FROM (
        SELECT hash
        FROM blob
        WHERE look_at <= ?
        ORDER BY look_at
        LIMIT ?
      ) f
      CROSS JOIN LATERAL (
        SELECT (
          SELECT u.message
          FROM (
            SELECT x.message
            FROM blob_use x
            WHERE x.hash = f.hash
            ORDER BY x.message
            LIMIT %s
          ) u
          WHERE %s
          LIMIT 1
        ) AS live
        OFFSET 0
      ) l"""
          .formatted(A_FEW, A_FEW, NEEDED);

  // blob_use_pkey, queue_pkey, ended_pkey. Asks again: a use with a lower number may have been
  // committed since.
  public static final String DELETE_USES =
      """
      DELETE FROM blob_use u
      USING unnest(?::text[], ?::bigint[]) AS s(hash, before)
      WHERE u.hash = ANY (ARRAY[s.hash])
        AND u.message < s.before
        AND (%s) IS NOT TRUE"""
          .formatted(NEEDED);

  // blob_pkey
  public static final String LOOK_AGAIN =
      "UPDATE blob SET look_at = greatest(look_at, ?) WHERE hash = ANY (?::text[])";

  // blob_pkey
  public static final String LOCK_BLOB =
      """
      SELECT hash
      FROM blob
      WHERE hash = ?
        AND look_at + 0 <= ?
      FOR UPDATE SKIP LOCKED""";

  // blob_use_pkey
  public static final String ANY_USE = "SELECT message FROM blob_use WHERE hash = ? LIMIT 1";

  // blob_piece_pkey
  public static final String DELETE_PIECES = "DELETE FROM blob_piece WHERE hash = ?";

  // blob_pkey
  public static final String DELETE_BLOB = "DELETE FROM blob WHERE hash = ?";

  // upload_pkey
  public static final String UPLOAD =
      """
      SELECT account, hash, variant, handle, expires_at
      FROM upload
      WHERE account = ?
        AND hash = ?
        AND variant = ?""";

  public static final String SAVE_UPLOAD =
      """
      INSERT INTO upload (account, hash, variant, handle, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, hash, variant)
      DO UPDATE SET handle = excluded.handle, expires_at = excluded.expires_at""";

  // upload_pkey
  public static final String FORGET_UPLOAD =
      """
      DELETE FROM upload
      WHERE account = ?
        AND hash = ?
        AND variant = ?
        AND handle = ?""";

  // upload_expires_at
  public static final String DELETE_UPLOADS =
      """
      DELETE FROM upload
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM upload WHERE expires_at <= ? ORDER BY
          expires_at LIMIT ? FOR UPDATE SKIP LOCKED))""";

  // ---- what is due

  // queue_due
  public static final String DUE =
      """
      SELECT %s
      FROM queue q
      WHERE q.account = ?
        AND q.priority = ?
        AND q.status = 0 /* queued */
        AND q.head = 1 /* head */
        AND q.due <= ?
        AND (q.due, q.id) > (?, ?)
      ORDER BY q.due, q.id
      LIMIT ?"""
          .formatted(HEAD_COLUMNS);

  // queue_due
  public static final String NEXT_DUE =
      """
      SELECT (
        SELECT due
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due > ?
        ORDER BY due
        LIMIT 1
      )""";

  // queue_due
  public static final String OLDEST_DUE =
      """
      SELECT (
        SELECT due
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due <= ?
        ORDER BY due
        LIMIT 1
      )""";

  // queue_paused
  public static final String OLDEST_PAUSED =
      """
      SELECT (
        SELECT due
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 2 /* paused head */
          AND due <= ?
        ORDER BY due
        LIMIT 1
      )""";

  // queue_due, as many entries as are counted at most
  public static final String COUNT_DUE =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due <= ?
        ORDER BY due
        LIMIT ?
      ) AS heads""";

  // queue_paused, as many entries as are counted at most
  public static final String COUNT_PAUSED =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 2 /* paused head */
        ORDER BY due
        LIMIT ?
      ) AS heads""";

  // queue_due, as many rows as are counted at most
  public static final String COUNT_LATER =
      """
      SELECT count(*), count(*) FILTER (WHERE flags & 8 /* scheduled */ <> 0)
      FROM (
        SELECT flags
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due > ?
        ORDER BY due
        LIMIT ?
      ) AS heads""";

  // queue_due, message_pkey: as many rows as are asked for
  public static final String WAITING =
      """
      SELECT m.uid, q.status, q.flags, m.created, q.due, q.tried, q.error,
          q.seq IS NOT NULL, q.chat
      FROM (
        SELECT *
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 1 /* head */
          AND due > ?
          AND due <= ?
        ORDER BY due
        LIMIT ?
      ) q
      JOIN message m ON m.id = ANY (ARRAY[q.id])""";

  // queue_paused, message_pkey: as many rows as are asked for
  public static final String WAITING_PAUSED =
      """
      SELECT m.uid, q.status, q.flags, m.created, q.due, q.tried, q.error,
          q.seq IS NOT NULL, q.chat
      FROM (
        SELECT *
        FROM queue
        WHERE account = ?
          AND priority = ?
          AND status = 0 /* queued */
          AND head = 2 /* paused head */
        ORDER BY due
        LIMIT ?
      ) q
      JOIN message m ON m.id = ANY (ARRAY[q.id])""";

  // queue_waiting, message_pkey
  public static final String OLDEST_WAITING =
      """
      SELECT %s
      FROM (
        SELECT *
        FROM queue
        WHERE account = ?
          AND account > 0
          AND flags & 8 /* scheduled */ = 0
        ORDER BY account, id
        LIMIT 8
      ) q
      JOIN message m ON m.id = ANY (ARRAY[q.id])"""
          .formatted(ACTIVE);

  // queue_expiry
  public static final String NEXT_EXPIRY =
      """
      SELECT (
        SELECT expires
        FROM queue
        WHERE status = 0 /* queued */
        ORDER BY expires
        LIMIT 1
      )""";

  // queue_sending, message_pkey
  public static final String INTERRUPTED =
      """
      SELECT %s
      FROM queue q
      JOIN message m ON m.id = ANY (ARRAY[q.id])
      WHERE q.account = ?
        AND q.status = 1 /* sending */"""
          .formatted(ACTIVE);

  // ---- lists

  // message_uid, history_pkey
  public static final String HISTORY =
      """
      SELECT h.at, h.attempt, h.part, h.outcome, h.error, h.next
      FROM message m
      JOIN history h ON h.message = ANY (ARRAY[m.id])
      WHERE m.uid = ANY (ARRAY[?::uuid])
      ORDER BY h.n""";

  // queue_lane: one seek per lane
  public static final String LANE_AFTER =
      """
      SELECT chat
      FROM queue
      WHERE account = ?
        AND chat > ?
      ORDER BY account, chat
      LIMIT 1""";

  // queue_lane, message_pkey, paused_lane_pkey: for each lane. What has no place comes last.
  public static final String LANE_TOPS =
      """
      SELECT f.uid, f.status, f.flags, f.created, f.due, f.tried, f.error,
          f.seq IS NOT NULL, p.reason, p.since
      FROM unnest(?::int[], ?::text[])
      WITH ORDINALITY AS l(account, chat, n)
      LEFT JOIN LATERAL (
        SELECT m.uid, q.status, q.flags, m.created, q.due, q.tried,
            q.error, q.seq
        FROM (
          SELECT *
          FROM queue q
          WHERE q.account = l.account
            AND q.chat = l.chat
          ORDER BY q.seq
          LIMIT 1
        ) q
        JOIN message m ON m.id = ANY (ARRAY[q.id])
        OFFSET 0
      ) f ON true
      LEFT JOIN LATERAL (
        SELECT p.reason, p.since
        FROM paused_lane p
        WHERE p.account = l.account
          AND p.chat = l.chat
        OFFSET 0
      ) p ON true
      ORDER BY l.n""";

  // queue_lane, message_pkey
  public static final String LANE_HEAD =
      """
      SELECT m.uid, q.status, q.due
      FROM queue q
      JOIN message m ON m.id = ANY (ARRAY[q.id])
      WHERE q.account = ?
        AND q.chat = ?
        AND q.seq IS NOT NULL
      ORDER BY q.seq
      LIMIT 1""";

  // ---- the cluster

  // node_pkey. The first sign of life takes the name, any later one only keeps it.
  public static final String BEAT =
      """
      INSERT INTO node (name, instance, address, started, seen, expires, claims, reports,
          version, format)
      SELECT ?, ?, ?, now, now, now + ?, ?::text[], ?::text[], ?, ?
      FROM (SELECT %s AS now) AS clock
      ON CONFLICT (name)
      DO UPDATE SET instance = excluded.instance, address = excluded.address,
          seen = excluded.seen, expires = excluded.expires, claims = excluded.claims,
          reports = excluded.reports, version = excluded.version, format = excluded.format,
          started = CASE WHEN node.instance =
              excluded.instance THEN node.started ELSE excluded.started END
      WHERE ?
        OR node.instance = excluded.instance
      RETURNING seen, (%s)"""
          .formatted(NOW, FormatSql.OLDEST);

  // node (a handful of rows)
  public static final String NODES =
      """
      SELECT name, address, started, seen, expires > ?, claims, reports, version, format
      FROM node
      ORDER BY name""";

  // account (a handful of rows); queue_arrivals for each
  public static final String HOLDINGS =
      """
      SELECT a.name, a.owner, a.fence, a.since, (
        SELECT true
        FROM queue q
        WHERE q.account = a.id
          AND q.arriving
        LIMIT 1
      ), a.changes
      FROM account a
      ORDER BY a.name""";

  // node_pkey. Whoever takes a lease lives, and has its name.
  public static final String ALIVE =
      """
      INSERT INTO node (name, instance, address, started, seen, expires, claims)
      SELECT ?, ?, '', now, now, now + ?, '{}'
      FROM (SELECT %s AS now) AS clock
      ON CONFLICT (name)
      DO UPDATE SET instance = excluded.instance, seen = excluded.seen,
          expires = excluded.expires
      WHERE ?
        OR node.instance = excluded.instance"""
          .formatted(NOW);

  // account_name_key, node_pkey; pg_stat_activity (a row per connection). A node that is dead but
  // was stopped in the middle of a statement would keep its locks.
  public static final String END_DEAD_OWNER =
      """
      SELECT pg_terminate_backend(s.pid)
      FROM account a
      JOIN node n ON n.name = a.owner
        AND n.expires <= %s
      JOIN pg_stat_activity s ON starts_with(s.application_name, 'postrider '
          || left(n.instance::text, 8) || ' writer')
      WHERE a.name = ?
        AND a.owner <> ?"""
          .formatted(NOW);

  /** The connections of the process that has this name, if that is another one. */
  private static final String NAMESAKE =
      " FROM node n JOIN pg_stat_activity s ON starts_with(s.application_name, 'postrider ' ||"
          + " left(n.instance::text, 8) || ' ') WHERE n.name = ? AND n.instance <> ? AND ";

  private static final String IS_DEAD =
      "n.expires <= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  // node_pkey; pg_stat_activity (a row per connection)
  public static final String END_DEAD_NAMESAKE =
      """
      SELECT pg_terminate_backend(s.pid) %s %s"""
          .formatted(NAMESAKE, IS_DEAD);

  // node_pkey; pg_stat_activity (a row per connection)
  public static final String LIVING_NAMESAKE =
      """
      SELECT 1 %s NOT %s
      LIMIT 1"""
          .formatted(NAMESAKE, IS_DEAD);

  // account_name_key. Locked before anything is read, so that what is read then is the latest.
  public static final String LOCK_LEASE = "SELECT id FROM account WHERE name = ? FOR UPDATE";

  // account_pkey, node_pkey, restore_pkey. The owner keeps what it has while its node lives. Of a
  // database that has gone back, until everything is held, nobody takes anything: he would send it.
  public static final String TAKE_LEASE =
      """
      WITH found AS (
        SELECT a.id, a.owner, a.since, n.seen, clock.now
        FROM account a
        CROSS JOIN (SELECT %s AS now) AS clock
        LEFT JOIN node n ON n.name = a.owner
        WHERE a.id = ?
          AND (a.owner IS NULL OR a.owner = ? OR n.name IS NULL OR n.expires <= clock.now)
          AND NOT EXISTS (
            SELECT 1
            FROM (SELECT finished FROM restore ORDER BY at DESC LIMIT 1) AS last
            WHERE last.finished IS NULL
          )
      )
      UPDATE account a
      SET owner = ?, fence = a.fence + 1, since = found.now
      FROM found
      WHERE a.id = found.id
      RETURNING a.fence, found.owner, found.since, found.seen, found.now"""
          .formatted(NOW);

  // account_name_key
  public static final String LEASE_GONE =
      """
      UPDATE account
      SET owner = NULL, fence = fence + 1, since = %s
      WHERE name = ?
        AND fence = ?
        AND owner IS NOT NULL"""
          .formatted(NOW);

  public static final String ADD_TAKEOVER =
      "INSERT INTO takeover (at, account, previous, taker, died, gap) VALUES (?, ?, ?, ?, ?, ?)";

  // takeover_pkey
  public static final String TRIM_TAKEOVERS =
      """
      DELETE FROM takeover
      WHERE id < (SELECT max(id) FROM takeover) - 1000""";

  // takeover_pkey, backwards
  public static final String TAKEOVERS =
      """
      SELECT at, account, previous, taker, died, gap
      FROM takeover
      ORDER BY id DESC
      LIMIT ?""";

  // account (a handful of rows), node_pkey. What another process of this name holds is its own.
  public static final String LEAVE =
      """
      WITH gone AS (
        DELETE FROM node
        WHERE name = ?
          AND instance = ?
        RETURNING name
      )
      UPDATE account
      SET owner = NULL, fence = fence + 1, since = %s
      WHERE owner = (SELECT name FROM gone)"""
          .formatted(NOW);

  // node (a handful of rows): nodes that died long ago
  public static final String FORGET_NODES = "DELETE FROM node WHERE expires < ?";

  // mark (a handful of rows): those of processes that are no more
  public static final String FORGET_MARKS =
      """
      DELETE FROM mark m
      WHERE NOT EXISTS (
        SELECT 1
        FROM node n
        WHERE starts_with(m.node, n.instance::text)
      )""";
}
