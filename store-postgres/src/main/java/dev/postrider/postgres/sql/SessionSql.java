package dev.postrider.postgres.sql;

/** The statements about conversations, and how the queues went; see {@link MessageSql}. */
public final class SessionSql {
  private SessionSql() {}

  private static final String SESSION_COLUMNS =
      " s.name, s.account, s.chat, s.thread, s.waiting, s.last, s.paused, s.since ";

  private static final String SAID_COLUMNS =
      " session, at, message, account, chat, content, receipts ";

  // ---- a batch's sessions

  // In the order of the names. Waits for another node that begins the same.
  public static final String ADD_SESSIONS =
      """
      INSERT INTO session (name, account, chat, thread, waiting, last)
      SELECT name, account, chat, thread, 0, last
      FROM unnest(?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[]) AS n(name,
          account, chat, thread, last)
      ON CONFLICT (name)
      DO NOTHING
      RETURNING name""";

  // session_pkey. In the order of the names.
  public static final String LOCK_SESSIONS =
      """
      SELECT name, waiting, last, paused IS NOT NULL, moved_to
      FROM session
      WHERE name = ANY (?::text[])
      ORDER BY name
      FOR UPDATE""";

  // session_pkey
  public static final String SAVE_SESSIONS =
      """
      UPDATE session s
      SET waiting = n.waiting, last = n.last
      FROM unnest(?::text[], ?::int[], ?::bigint[]) AS n(name, waiting, last)
      WHERE s.name = ANY (ARRAY[n.name])""";

  // session_pkey
  public static final String DROP_SESSIONS = "DELETE FROM session WHERE name = ANY (?::text[])";

  // ---- pausing

  // session_pkey
  public static final String PAUSE_SESSION =
      "UPDATE session SET paused = coalesce(paused, ?), since = coalesce(since, ?) WHERE name = ?";

  // session_pkey
  public static final String RESUME_SESSION =
      """
      UPDATE session
      SET paused = NULL, since = NULL
      WHERE name = ?
        AND paused IS NOT NULL""";

  // ---- joining; to be used under the locks of both sessions

  // session_chat, chat_alias_chat: under every name that the chat had so far
  public static final String SESSIONS_OF_CHAT =
      """
      SELECT s.name, s.thread, s.last
      FROM (SELECT ?::int AS account, ?::text AS chat) p
      CROSS JOIN LATERAL (
        SELECT p.chat AS name
        UNION ALL
        SELECT a.former
        FROM chat_alias a
        WHERE a.account = p.account
          AND a.chat = p.chat
          AND a.account > 0
      ) c
      CROSS JOIN LATERAL (
        SELECT *
        FROM session x
        WHERE x.account = p.account
          AND left(x.chat, 500) = left(c.name, 500)
          AND x.chat IS NOT NULL
        OFFSET 0
      ) s
      WHERE s.chat = c.name
        AND s.moved_to IS NULL""";

  // session_moved_to
  public static final String FORMER_SESSIONS = "SELECT name FROM session WHERE moved_to = ?";

  // session_pkey. A pause that is there stays.
  public static final String MOVE_PAUSE =
      """
      UPDATE session s
      SET paused = o.paused, since = o.since
      FROM session o
      WHERE s.name = ANY (ARRAY[?::text])
        AND o.name = ANY (ARRAY[?::text])
        AND s.paused IS NULL
        AND o.paused IS NOT NULL""";

  // session_pkey
  public static final String MOVE_SESSION =
      "UPDATE session SET moved_to = ?, paused = NULL, since = NULL WHERE name = ?";

  // session_moved_to
  public static final String MOVE_FORMER_SESSIONS =
      "UPDATE session SET moved_to = ? WHERE moved_to = ?";

  // mirrored_pkey
  public static final String MOVE_MIRRORED = "UPDATE mirrored SET session = ? WHERE session = ?";

  // inbound_session
  public static final String MOVE_EVENTS =
      "UPDATE inbound SET session = ? WHERE session = ? AND account > 0";

  // ---- reading

  // session_pkey. By a former name, the one that it was joined to.
  public static final String SESSION =
      """
      SELECT %s
      FROM (SELECT ?::text AS name) n, session s
      WHERE s.name = coalesce((SELECT x.moved_to FROM session x WHERE x.name = n.name), n.name)"""
          .formatted(SESSION_COLUMNS);

  // account (a handful of rows); session_last for each, backwards
  public static final String SESSIONS =
      """
      SELECT %s
      FROM (
        SELECT ?::bigint AS last, ?::text AS name, ?::int AS most
      ) AS p
      CROSS JOIN LATERAL (
        SELECT o.*
        FROM account a
        CROSS JOIN LATERAL (
          SELECT *
          FROM session x
          WHERE x.account = a.id
            AND x.account > 0
            AND (x.last, x.name) < (p.last, p.name)
            AND x.moved_to IS NULL
          ORDER BY x.last DESC, x.name DESC
          LIMIT p.most
        ) o
        ORDER BY o.last DESC, o.name DESC
        LIMIT p.most
      ) s
      ORDER BY s.last DESC, s.name DESC"""
          .formatted(SESSION_COLUMNS);

  // session_last, backwards
  public static final String SESSIONS_OF_ACCOUNT =
      """
      SELECT %s
      FROM session s
      WHERE s.account = ?
        AND s.account > 0
        AND (s.last, s.name) < (?, ?)
        AND s.moved_to IS NULL
      ORDER BY s.last DESC, s.name DESC
      LIMIT ?"""
          .formatted(SESSION_COLUMNS);

  // ---- what was said

  public static final String MIRROR =
      """
      INSERT INTO mirrored (session, at, message, account, chat, content, receipts)
      SELECT *
      FROM unnest(?::text[], ?::bigint[], ?::uuid[], ?::int[], ?::text[], ?::bytea[],
          ?::bytea[])
      ON CONFLICT
      DO NOTHING""";

  // mirrored_pkey, backwards. Three are compared, so that no other index has the order.
  public static final String SAID =
      """
      SELECT %s
      FROM (
        SELECT ?::text AS wanted, ?::bigint AS before, ?::uuid AS id
      ) AS p
      JOIN mirrored ON (session, at, message) < (wanted, before, id)
        AND session >= wanted
      ORDER BY session DESC, at DESC, message DESC
      LIMIT ?"""
          .formatted(SAID_COLUMNS);

  // mirrored_at. Two nodes pass each other by.
  public static final String DELETE_SAID =
      """
      DELETE FROM mirrored
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM mirrored WHERE at < ? ORDER BY at LIMIT ?
          FOR UPDATE SKIP LOCKED))""";

  // account (a handful of rows); session_last for each. Passes by what waits, is paused or was
  // joined, and what another node holds.
  public static final String DELETE_SESSIONS =
      """
      DELETE FROM session
      WHERE ctid = ANY (ARRAY(SELECT s.old FROM (SELECT ?::bigint AS before, ?::int AS
          most) AS p CROSS JOIN LATERAL (SELECT o.old FROM account a CROSS JOIN LATERAL
              (SELECT x.ctid AS old FROM session x WHERE x.account = a.id AND x.account >
                  0 AND x.last < p.before AND x.waiting = 0 AND x.paused IS NULL AND
                  x.moved_to IS NULL ORDER BY x.last LIMIT p.most FOR UPDATE SKIP LOCKED) o
                      LIMIT p.most) s))""";

  // ---- how many there are

  public static final String COUNT_EVENTS =
      """
      INSERT INTO inbound_count AS c (account, node, waiting, dead)
      SELECT d.account, ?, d.waiting, d.dead
      FROM unnest(?::int[], ?::bigint[], ?::bigint[]) AS d(account, waiting, dead)
      ON CONFLICT (account, node)
      DO UPDATE SET waiting = c.waiting + excluded.waiting, dead = c.dead + excluded.dead""";

  // inbound_count (a row per account and node), node_pkey. What forgotten nodes counted stays.
  public static final String FOLD_COUNTS =
      """
      WITH gone AS (
        DELETE FROM inbound_count c
        WHERE c.node <> ''
          AND NOT EXISTS (SELECT FROM node n WHERE n.name = c.node)
        RETURNING account, waiting, dead
      )
      INSERT INTO inbound_count AS c (account, node, waiting, dead)
      SELECT account, '', sum(waiting), sum(dead)
      FROM gone
      GROUP BY account
      ORDER BY account
      ON CONFLICT (account, node)
      DO UPDATE SET waiting = c.waiting + excluded.waiting, dead = c.dead + excluded.dead""";

  // ---- how the queues went

  public static final String SAVE_MINUTE =
      """
      INSERT INTO minute AS m (at, node, in_taken, in_done, in_errors, in_lost, out_taken,
          out_done, out_errors, out_lost, in_waiting, in_under_way, in_dead, out_waiting,
              out_under_way, out_dead)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (at, node)
      DO UPDATE SET in_taken = m.in_taken + excluded.in_taken, in_done = m.in_done +
          excluded.in_done,
          in_errors = m.in_errors + excluded.in_errors,
          in_lost = coalesce(m.in_lost, 0) + excluded.in_lost, out_taken = m.out_taken +
              excluded.out_taken,
          out_done = m.out_done + excluded.out_done, out_errors = m.out_errors +
              excluded.out_errors,
          out_lost = coalesce(m.out_lost, 0) + excluded.out_lost,
          in_waiting = coalesce(excluded.in_waiting, m.in_waiting),
          in_under_way = coalesce(excluded.in_under_way, m.in_under_way),
          in_dead = coalesce(excluded.in_dead, m.in_dead), out_waiting =
              coalesce(excluded.out_waiting, m.out_waiting),
          out_under_way = coalesce(excluded.out_under_way, m.out_under_way),
          out_dead = coalesce(excluded.out_dead, m.out_dead)""";

  // minute_pkey
  public static final String MINUTES =
      """
      SELECT at, coalesce(max(in_waiting), 0), coalesce(max(in_under_way), 0),
          coalesce(max(in_dead), 0), sum(in_taken)::bigint, sum(in_done)::bigint,
          sum(in_errors)::bigint, coalesce(sum(in_lost), 0)::bigint,
          coalesce(max(out_waiting), 0),
              coalesce(max(out_under_way), 0),
          coalesce(max(out_dead), 0), sum(out_taken)::bigint, sum(out_done)::bigint,
          sum(out_errors)::bigint, coalesce(sum(out_lost), 0)::bigint
      FROM minute
      WHERE at >= ?
      GROUP BY at
      ORDER BY at
      LIMIT ?""";

  // minute_pkey. Two nodes pass each other by.
  public static final String DELETE_MINUTES =
      """
      DELETE FROM minute
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM minute WHERE at < ? ORDER BY at LIMIT ?
          FOR UPDATE SKIP LOCKED))""";

  // ---- what operators did

  public static final String RECORD_AUDIT =
      """
      INSERT INTO audit (at, id, operator, action, target, outcome)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT
      DO NOTHING""";

  // audit_pkey
  public static final String AUDIT =
      """
      SELECT at, id, operator, action, target, outcome
      FROM audit
      WHERE (at, id) < (?, ?)
      ORDER BY at DESC, id DESC
      LIMIT ?""";

  // audit_pkey. Two nodes pass each other by.
  public static final String DELETE_AUDIT =
      """
      DELETE FROM audit
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM audit WHERE at < ? ORDER BY at LIMIT ? FOR
          UPDATE SKIP LOCKED))""";
}
