package dev.postrider.postgres.sql;

/** The statements of a restoration; see {@link MessageSql}. */
public final class RestoreSql {
  private RestoreSql() {}

  // no table: when the primary that was followed until now last wrote something that has come
  public static final String GONE_BACK_TO =
      """
      SELECT
        (extract(epoch FROM coalesce(pg_last_xact_replay_timestamp(), c.now)) * 1000000)::bigint,
        (extract(epoch FROM c.now) * 1000000)::bigint
      FROM (SELECT clock_timestamp() AS now) AS c""";

  // queue_lane: as many entries as are taken
  public static final String PLACED =
      """
      SELECT id
      FROM queue
      WHERE seq IS NOT NULL
      ORDER BY account, chat, seq
      LIMIT ?""";

  // queue_pkey: from that row on. What arrives was accepted by a node that could not place it.
  public static final String LOOSE =
      """
      SELECT id
      FROM queue
      WHERE id > ?
        AND seq + 0 IS NULL
        AND (status + 0 = 1 OR due <= ?)
      ORDER BY id
      LIMIT ?""";

  // queue_pkey, message_pkey; account (a handful of rows)
  public static final String HOLD =
      """
      WITH gone AS (
        DELETE FROM queue
        WHERE id = ANY (?::bigint[])
        RETURNING *
      ), written AS (
        INSERT INTO ended (id, account, status, attempts, reservation, flags, due, tried,
            ended, progress, error, reason, keyed)
        SELECT g.id, g.account, 5 /* held */, g.attempts, g.reservation,
            g.flags | 2 /* possible duplicate */, g.due, g.tried, n.ended, g.progress, ?, ?,
            m.idem_key IS NOT NULL
        FROM unnest(?::bigint[], ?::bigint[]) AS n(id, ended)
        JOIN gone g ON g.id = n.id
        JOIN message m ON m.id = ANY (ARRAY[g.id])
      )
      UPDATE account a
      SET active = a.active - c.active, dead = a.dead + c.dead
      FROM (
        SELECT account, count(*) FILTER (WHERE NOT arriving) AS active, count(*) AS dead
        FROM gone
        GROUP BY account
      ) AS c
      WHERE a.id = c.account""";

  // queue_pkey: what is left
  public static final String COUNT_ACTIVE = "SELECT count(*) FROM queue WHERE id > 0";

  // ended_dead, backwards; message_pkey
  public static final String UNDECIDED =
      """
      SELECT 1
      FROM ended e
      JOIN message m ON m.id = ANY (ARRAY[e.id])
      WHERE e.status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND e.ended >= ?
        AND e.ended <= ?
        AND e.reason || '' = ?
        AND m.replayed_as IS NULL
      ORDER BY e.ended DESC, e.id DESC
      LIMIT 1""";

  // ---- inbound messages

  // inbox_pkey: as many entries as are taken
  public static final String ACTIVE_INBOUND = "SELECT id FROM inbox ORDER BY id LIMIT ?";

  // inbox_pkey, session_pkey, inbound_pkey; follow_turn for each. A turn is over, unless messages
  // of
  // it are still to be followed.
  public static final String HOLD_INBOUND =
      """
      WITH gone AS (
        DELETE FROM inbox
        WHERE id = ANY (?::bigint[])
        RETURNING *
      ), counted AS (
        INSERT INTO inbound_count AS c (account, node, waiting, dead)
        SELECT account, '', -count(*), count(*)
        FROM gone
        GROUP BY account
        ON CONFLICT (account, node)
        DO UPDATE SET waiting = c.waiting + excluded.waiting, dead = c.dead + excluded.dead
      ), left_sessions AS (
        UPDATE session s
        SET waiting = s.waiting - g.gone
        FROM (SELECT session, count(*) AS gone FROM gone GROUP BY session) AS g
        WHERE s.name = ANY (ARRAY[g.session])
      )
      INSERT INTO turn AS t (id, state, delivered, lost, closed, status, received, attempts,
          deaths, due, handed_out, ended, error)
      SELECT g.id, CASE WHEN owed THEN 0 ELSE 2 END, 0, 0, CASE WHEN owed THEN NULL ELSE n.at END,
          3 /* failed */, e.received, g.attempts, g.deaths, g.due, g.handed_out, n.at, n.error
      FROM (SELECT ?::bigint AS at, ?::text AS error) AS n
      CROSS JOIN gone g
      JOIN inbound e ON e.id = ANY (ARRAY[g.id])
      CROSS JOIN LATERAL (
        SELECT EXISTS (
          SELECT 1
          FROM follow f
          WHERE f.turn = e.uid
        ) AS owed
      ) AS f
      ON CONFLICT (id)
      DO UPDATE SET state = excluded.state, closed = excluded.closed, status = excluded.status,
          received = excluded.received, attempts = excluded.attempts, deaths = excluded.deaths,
          due = excluded.due, handed_out = excluded.handed_out, ended = excluded.ended,
          error = excluded.error""";
}
