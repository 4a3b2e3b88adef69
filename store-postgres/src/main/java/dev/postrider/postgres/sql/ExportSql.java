package dev.postrider.postgres.sql;

/** The statements of an export that are PostgreSQL's own; parameters have the names of columns. */
public final class ExportSql {
  private ExportSql() {}

  // account_pkey. The row is there: whoever names an account makes it.
  public static final String ADD_ACCOUNT =
      """
      UPDATE account
      SET paused = :paused, paused_since = :paused_since, broken = :broken,
        broken_since = :broken_since
      WHERE id = :account AND paused IS NULL AND broken IS NULL
      """;

  // ---- messages

  // What waits to be taken in has no place yet: elsewhere it enters its lane when it is due, now.
  public static final String MESSAGES =
      """
      SELECT m.id AS row_no, m.uid, m.account, m.chat,
        coalesce(q.status, e.status) AS status,
        q.seq AS place,
        coalesce(q.arriving OR q.head > 0, false) AS head,
        coalesce(q.flags & 4 = 0 AND (q.flags & 8 /* scheduled */ > 0 OR q.arriving),
            false) AS scheduled,
        q.priority,
        coalesce(q.attempts, e.attempts) AS attempts,
        coalesce(q.reservation, e.reservation) AS reservation,
        coalesce(q.flags, e.flags) & 1 > 0 AS late,
        coalesce(q.flags, e.flags) & 2 > 0 AS possible_duplicate,
        m.created,
        coalesce(q.due, e.due) AS due,
        m.expires,
        coalesce(q.tried, e.tried) AS tried,
        e.ended,
        coalesce(q.progress, e.progress) AS progress,
        coalesce(q.error, e.error) AS error,
        e.reason, m.content_hash, m.replay_of, m.replayed_as,
        coalesce((SELECT true FROM follow f WHERE f.message = m.id), false) AS unfollowed,
        m.content, m.plan,
        coalesce((SELECT true FROM history h WHERE h.message = m.id LIMIT 1), false) AS history
      FROM message m
      LEFT JOIN LATERAL (SELECT * FROM queue x WHERE x.id = m.id OFFSET 0) q ON true
      LEFT JOIN LATERAL (SELECT * FROM ended x WHERE x.id = m.id OFFSET 0) e ON true
      WHERE
      """;

  public static final String ADD_MESSAGE =
      """
      INSERT INTO message (uid, account, chat, created, expires, idem_key, content_hash, turn,
        session, run, replay_of, replayed_as, content, plan)
      VALUES (:uid, :account, :chat, :created, :expires, :idem_key, :content_hash, :turn,
        :session, :run, :replay_of, :replayed_as, :content, :plan)
      ON CONFLICT DO NOTHING
      """;

  // message_uid
  public static final String ADD_QUEUED_MESSAGE =
      """
      INSERT INTO queue (id, account, chat, seq, head, arriving, status, priority, attempts,
        reservation, flags, due, expires, tried, progress, error)
      SELECT m.id, m.account, m.chat, :place, CASE WHEN :head THEN 1 ELSE 0 END, false, :status,
        :priority, :attempts, :reservation, :flags, :due, m.expires, :tried, :progress,
        :error
      FROM message m
      WHERE m.uid = :uid AND :active
      """;

  // message_uid
  public static final String ADD_ENDED_MESSAGE =
      """
      INSERT INTO ended (id, account, status, attempts, reservation, flags, due, tried, ended,
        progress, error, reason, keyed)
      SELECT m.id, m.account, :status, :attempts, :reservation, :flags, :due, :tried,
        :ended, :progress, :error, :reason, :keyed
      FROM message m
      WHERE m.uid = :uid AND NOT :active
      """;

  // message_uid, queue_pkey, queue_lane twice, paused_lane_pkey
  public static final String JOIN_LANE =
      """
      UPDATE queue
      SET seq = 1 + coalesce((SELECT max(o.seq) FROM queue o
            WHERE o.account = :account AND o.chat = :chat), 0),
        head = CASE
          WHEN EXISTS (SELECT 1 FROM queue o
            WHERE o.account = :account AND o.chat = :chat AND o.seq IS NOT NULL) THEN 0 /* behind */
          WHEN EXISTS (SELECT 1 FROM paused_lane p
            WHERE p.account = :account AND p.chat = :chat) THEN 2 /* paused head */
          ELSE 1 /* head */
        END
      WHERE id = (SELECT m.id FROM message m WHERE m.uid = :uid) AND :joins
      """;

  // A pause that is there stays as it is, and counts as added: its lane may have got a new head.
  public static final String ADD_LANE_PAUSE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      VALUES (:account, :chat, :reason, :since)
      ON CONFLICT (account, chat) DO UPDATE SET reason = paused_lane.reason
      """;

  // queue_lane twice, queue_pkey
  public static final String PAUSE_HEADS =
      """
      UPDATE queue
      SET head = 2 /* paused head */
      WHERE head = 1 /* head */ AND flags & 8 /* scheduled */ = 0 AND id = ANY (ARRAY(
        (SELECT q.id FROM queue q
          WHERE q.account = :account AND q.chat = :chat AND q.seq IS NOT NULL
          ORDER BY q.seq LIMIT 1)
        UNION ALL
        (SELECT q.id FROM queue q
          WHERE q.account = :account AND q.chat = :chat AND q.seq IS NULL)))
      """;

  // ---- inbound messages

  public static final String INBOUND =
      """
      SELECT m.id AS row_no, m.uid, m.account, m.session,
        coalesce(i.status, t.status) AS status,
        coalesce(i.attempts, t.attempts) AS attempts,
        coalesce(i.deaths, t.deaths) AS deaths,
        m.received,
        coalesce(i.due, t.due) AS due,
        i.lease,
        coalesce(i.handed_out, t.handed_out) AS handed_out,
        t.ended,
        coalesce(i.error, t.error) AS error,
        CASE WHEN i.id IS NULL THEN t.state WHEN i.handed_out IS NOT NULL THEN 0 END AS turn,
        t.closed AS turn_ended,
        coalesce(t.delivered, 0) AS delivered,
        coalesce(t.lost, 0) AS lost,
        m.replay_of, m.replayed_as, m.content,
        coalesce((SELECT true FROM inbound_note n WHERE n.event = m.id LIMIT 1), false) AS notes
      FROM inbound m
      LEFT JOIN LATERAL (SELECT * FROM inbox x WHERE x.id = m.id OFFSET 0) i ON true
      LEFT JOIN LATERAL (SELECT * FROM turn x WHERE x.id = m.id OFFSET 0) t ON true
      WHERE
      """;

  public static final String ADD_INBOUND =
      """
      INSERT INTO inbound (uid, account, name, session, received, replay_of, replayed_as, content)
      VALUES (:uid, :account, :name, :session, :received, :replay_of, :replayed_as, :content)
      ON CONFLICT DO NOTHING
      """;

  // inbound_uid, inbox_session, session_pkey. The first of its session is the head.
  public static final String ADD_WAITING_INBOUND =
      """
      INSERT INTO inbox (id, account, session, head, status, attempts, deaths, due, lease,
        handed_out, error)
      SELECT e.id, e.account, e.session,
        CASE
          WHEN (SELECT true FROM inbox o
            WHERE o.session = e.session AND o.id + 0 < e.id AND o.account > 0 LIMIT 1) THEN 0
          WHEN (SELECT s.paused FROM session s WHERE s.name = e.session) IS NULL THEN 1
          ELSE 2
        END,
        :status, :attempts, :deaths, :due, :lease, :handed_out, :error
      FROM inbound e
      WHERE e.uid = :uid AND :active
      """;

  // inbound_uid
  public static final String ADD_ENDED_INBOUND =
      """
      INSERT INTO turn (id, state, delivered, lost, closed, status, received, attempts, deaths,
        due, handed_out, ended, error)
      SELECT e.id, coalesce(:turn, 0), :delivered, :lost, :turn_ended, :status, e.received,
        :attempts, :deaths, :due, :handed_out, :ended, :error
      FROM inbound e
      WHERE e.uid = :uid AND NOT :active
      """;

  // inbound_uid
  public static final String ADD_OPEN_TURN =
      """
      INSERT INTO turn (id, state, delivered, lost)
      SELECT e.id, 0, :delivered, :lost
      FROM inbound e
      WHERE e.uid = :uid AND :active AND (:delivered > 0 OR :lost > 0)
      """;
}
