package dev.postrider.sqlite.sql;

/** The statements of an export that are SQLite's own; parameters have the names of columns. */
public final class ExportSql {
  private ExportSql() {}

  // primary key. The row is there: whoever names an account makes it.
  public static final String ADD_ACCOUNT =
      """
      UPDATE account
      SET paused = :paused, paused_since = :paused_since, broken = :broken,
        broken_since = :broken_since
      WHERE id = :account AND paused IS NULL AND broken IS NULL
      """;

  // ---- messages

  public static final String MESSAGES =
      """
      SELECT m.id AS row_no, m.uid, m.account, m.chat, m.status,
        iif(m.active, m.seq, NULL) AS place,
        m.active AND m.head > 0 AS head,
        m.active AND m.flags & 8 /* scheduled */ > 0 AS scheduled,
        iif(m.active, m.priority, NULL) AS priority,
        m.attempts, m.reservation,
        m.flags & 1 > 0 AS late,
        m.flags & 2 > 0 AS possible_duplicate,
        m.created, m.due, m.expires, m.tried, m.ended, m.progress, m.error, m.reason,
        m.content_hash, m.replay_of, m.replayed_as,
        EXISTS (SELECT 1 FROM follow f WHERE f.message = m.id) AS unfollowed,
        m.content, m.plan,
        EXISTS (SELECT 1 FROM history h WHERE h.message = m.id) AS history
      FROM message m
      WHERE
      """;

  // What waits for its time is the head of no lane, but due all the same.
  public static final String ADD_MESSAGE =
      """
      INSERT INTO message (uid, account, chat, seq, head, status, active, priority, attempts,
        reservation, flags, created, due, expires, tried, ended, progress, error, reason,
        idem_key, content_hash, turn, session, run, replay_of, replayed_as, content, plan)
      VALUES (:uid, :account, :chat, :place, :head OR :scheduled, :status, :active, :priority,
        :attempts, :reservation, :flags, :created, :due, :expires, :tried, :ended, :progress,
        :error, :reason, :idem_key, :content_hash, :turn, :session, :run, :replay_of,
        :replayed_as, :content, :plan)
      ON CONFLICT DO NOTHING
      """;

  // message_lane twice, paused_lane's primary key, message_uid
  public static final String JOIN_LANE =
      """
      UPDATE message
      SET seq = 1 + coalesce((SELECT max(o.seq) FROM message o
            WHERE o.account = :account AND o.chat = :chat AND o.active = 1), 0),
        head = CASE
          WHEN EXISTS (SELECT 1 FROM message o
            WHERE o.account = :account AND o.chat = :chat AND o.active = 1
              AND o.seq IS NOT NULL) THEN 0 /* behind */
          WHEN EXISTS (SELECT 1 FROM paused_lane p
            WHERE p.account = (SELECT a.name FROM account a WHERE a.id = :account)
              AND p.chat = :chat) THEN 2 /* paused head */
          ELSE 1 /* head */
        END
      WHERE uid = :uid AND :joins
      """;

  // ---- pauses

  // paused_lane's primary key; it has the account's name
  public static final String LANE_PAUSES =
      """
      SELECT :account AS account, chat, reason, since
      FROM paused_lane
      WHERE account = (SELECT a.name FROM account a WHERE a.id = :account) AND
      """;

  // A pause that is there stays, and counts as added: its lane may have a new head.
  public static final String ADD_LANE_PAUSE =
      """
      INSERT INTO paused_lane (account, chat, reason, since)
      VALUES ((SELECT a.name FROM account a WHERE a.id = :account), :chat, :reason, :since)
      ON CONFLICT (account, chat) DO UPDATE SET reason = paused_lane.reason
      """;

  // message_lane twice, then the primary key
  public static final String PAUSE_HEADS =
      """
      UPDATE message
      SET head = 2 /* paused head */
      WHERE head = 1 /* head */ AND flags & 8 /* scheduled */ = 0 AND (
        id = (SELECT id FROM message
          WHERE account = :account AND chat = :chat AND active = 1 AND seq IS NOT NULL
          ORDER BY seq LIMIT 1)
        OR id IN (SELECT id FROM message
          WHERE account = :account AND chat = :chat AND active = 1 AND seq IS NULL))
      """;

  // ---- inbound messages

  public static final String INBOUND =
      """
      SELECT m.id AS row_no, m.uid, m.account, m.session, m.status, m.attempts, m.deaths,
        m.received, m.due, m.lease, m.handed_out, m.ended, m.error, m.turn, m.turn_ended,
        m.delivered, m.lost, m.replay_of, m.replayed_as, m.content,
        EXISTS (SELECT 1 FROM inbound_note n WHERE n.inbound = m.id) AS notes
      FROM inbound m
      WHERE
      """;

  public static final String ADD_INBOUND =
      """
      INSERT INTO inbound (uid, account, name, session, head, status, active, attempts, deaths,
        received, due, lease, handed_out, ended, error, turn, turn_ended, delivered, lost,
        replay_of, replayed_as, content)
      VALUES (:uid, :account, :name, :session, 0, :status, :active, :attempts, :deaths, :received,
        :due, :lease, :handed_out, :ended, :error, :turn, :turn_ended, :delivered, :lost,
        :replay_of, :replayed_as, :content)
      ON CONFLICT DO NOTHING
      """;

  // inbound_uid, inbound_lane, session's primary key. The first of its session is the head.
  public static final String ADD_HEAD_OF_SESSION =
      """
      UPDATE inbound
      SET head = (SELECT iif(s.paused IS NULL, 1, 2) FROM session s WHERE s.name = :session)
      WHERE uid = :uid AND active = 1 AND NOT EXISTS (
        SELECT 1 FROM inbound o
        WHERE o.session = :session AND o.active = 1 AND o.id < inbound.id)
      """;
}
