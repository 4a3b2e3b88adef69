package dev.postrider.postgres.sql;

/**
 * The statements of {@code dev.postrider.jdbc.message.MessageWalk}, two for each index: SKIP_ finds
 * the place so many rows further down, LIST_ gives what fits between two places.
 */
public final class ListSql {
  private ListSql() {}

  /**
   * What a row must fit besides: statuses (a bit for each), account, chat, reason, accepted from
   * and before; null: any. No index is used for them.
   */
  private static String fits(String status, String reason) {
    return " AND (?::int >> "
        + status
        + ") & 1 = 1 AND m.account = coalesce(?::int, m.account) AND m.chat = coalesce(?::text,"
        + " m.chat) AND coalesce("
        + reason
        + ", '') = coalesce(?::text, "
        + reason
        + ", '') AND m.created + 0 >= ? AND m.created + 0 < ?";
  }

  private static final String WHOLE_FITS = fits("coalesce(q.status, e.status)", "e.reason");

  private static final String ENDED_FITS = fits("e.status", "e.reason");

  private static final String QUEUED_FITS = fits("q.status", "NULL::text");

  private static final String BY_ROW =
      " AND m.id < ? AND m.id >= ?" + WHOLE_FITS + " ORDER BY m.id DESC LIMIT ?";

  private static final String NTH = " ORDER BY m.id DESC LIMIT 1 OFFSET ?";

  private static String between(String time, String id, String fits) {
    return " AND (%1$s, %2$s) < (?, ?) AND (%1$s, %2$s) >= (?, ?)".formatted(time, id)
        + fits
        + " ORDER BY %1$s DESC, %2$s DESC LIMIT ?".formatted(time, id);
  }

  private static String skip(String time, String id, String from) {
    return """
        SELECT %1$s, %2$s
        FROM %3$s
          AND (%1$s, %2$s) < (?, ?)
        ORDER BY %1$s DESC, %2$s DESC
        LIMIT 1
        OFFSET ?"""
        .formatted(time, id, from);
  }

  // message_pkey, backwards; queue_pkey, ended_pkey
  public static final String LIST_ALL =
      """
      %s
      WHERE true %s"""
          .formatted(MessageSql.selectWhole(), BY_ROW);

  // message_pkey, backwards
  public static final String SKIP_ALL =
      """
      SELECT 0::bigint, m.id
      FROM message m
      WHERE m.id < ? %s"""
          .formatted(NTH);

  // Where most messages are of one chat, the primary key would look as good to the planner: the
  // order leaves it no choice.

  // message_chat, backwards; queue_pkey, ended_pkey
  public static final String LIST_CHAT =
      """
      %s
      WHERE m.account > 0
        AND (m.chat, m.id) < (?, ?)
        AND (m.chat, m.id) >= (?, ?) %s
      ORDER BY m.chat DESC, m.id DESC
      LIMIT ?"""
          .formatted(MessageSql.selectWhole(), WHOLE_FITS);

  // message_chat, backwards
  public static final String SKIP_CHAT =
      """
      SELECT 0::bigint, m.id
      FROM message m
      WHERE m.account > 0
        AND (m.chat, m.id) < (?, ?)
        AND m.chat >= ?
      ORDER BY m.chat DESC, m.id DESC
      LIMIT 1
      OFFSET ?""";

  // message_turn, backwards; queue_pkey, ended_pkey
  public static final String LIST_TURN =
      """
      %s
      WHERE m.turn = ? %s"""
          .formatted(MessageSql.selectWhole(), BY_ROW);

  // message_turn, backwards
  public static final String SKIP_TURN =
      """
      SELECT 0::bigint, m.id
      FROM message m
      WHERE m.turn = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // message_session, backwards; queue_pkey, ended_pkey
  public static final String LIST_SESSION =
      """
      %s
      WHERE m.session = ? %s"""
          .formatted(MessageSql.selectWhole(), BY_ROW);

  // message_session, backwards
  public static final String SKIP_SESSION =
      """
      SELECT 0::bigint, m.id
      FROM message m
      WHERE m.session = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // message_run, backwards; queue_pkey, ended_pkey
  public static final String LIST_RUN =
      """
      %s
      WHERE m.run = ? %s"""
          .formatted(MessageSql.selectWhole(), BY_ROW);

  // message_receipt_state, backwards; message_pkey, queue_pkey, ended_pkey
  public static final String LIST_RECEIPT_STATUS =
      """
      %s
      WHERE w.number > 0
        AND w.number = ?
        AND w.state = ?
        AND w.message < ?
        AND w.message >= ? %s
      ORDER BY w.number DESC, w.state DESC, w.message DESC
      LIMIT ?"""
          .formatted(MessageSql.selectWith("message_receipt w", "w.message"), WHOLE_FITS);

  // message_receipt_state, backwards
  public static final String SKIP_RECEIPT_STATUS =
      """
      SELECT 0::bigint, message
      FROM message_receipt
      WHERE number > 0
        AND number = ?
        AND state = ?
        AND message < ?
      ORDER BY number DESC, state DESC, message DESC
      LIMIT 1
      OFFSET ?""";

  // message_receipt_state: no more than are asked for
  public static final String COUNT_RECEIPT_STATUS =
      """
      SELECT count(*)
      FROM (
        SELECT message
        FROM message_receipt
        WHERE number > 0
          AND number = ?
          AND state = ?
        ORDER BY number, state, message
        LIMIT ?
      ) w""";

  // receipt_retry_pkey; message_pkey, queue_pkey, ended_pkey
  public static final String TO_RETRY =
      """
      %s
      WHERE t.message > ?
      ORDER BY t.message
      LIMIT ?"""
          .formatted(MessageSql.selectWith("receipt_retry t", "t.message"));

  // message_run, backwards
  public static final String SKIP_RUN =
      """
      SELECT 0::bigint, m.id
      FROM message m
      WHERE m.run = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // ended_reason, backwards; message_pkey
  public static final String LIST_REASON =
      """
      %s
      WHERE e.reason = ?
        AND e.id < ?
        AND e.id >= ? %s
      ORDER BY e.id DESC
      LIMIT ?"""
          .formatted(MessageSql.selectEnded(), ENDED_FITS);

  // ended_reason, backwards
  public static final String SKIP_REASON =
      """
      SELECT 0::bigint, e.id
      FROM ended e
      WHERE e.reason = ?
        AND e.id < ?
      ORDER BY e.id DESC
      LIMIT 1
      OFFSET ?""";

  // message_created, backwards; queue_pkey, ended_pkey
  public static final String LIST_CREATED =
      """
      %s
      WHERE m.account = ?
        AND m.account > 0 %s"""
          .formatted(MessageSql.selectWhole(), between("m.created", "m.id", WHOLE_FITS));

  // message_created, backwards
  public static final String SKIP_CREATED =
      skip("m.created", "m.id", "message m WHERE m.account = ? AND m.account > 0");

  // queue_expiry, backwards; message_pkey
  public static final String LIST_QUEUED =
      """
      %s
      WHERE q.status = 0 /* queued */ %s"""
          .formatted(MessageSql.selectActive(), between("q.expires", "q.id", QUEUED_FITS));

  // queue_expiry, backwards
  public static final String SKIP_QUEUED = skip("q.expires", "q.id", "queue q WHERE q.status = 0");

  // ended_dead, backwards: as many rows as are looked at; message_pkey, ended_pkey
  public static final String DEAD_GROUPS =
      """
      SELECT g.account, g.status, g.reason, e.error, g.messages, g.replayed, g.oldest, g.newest,
          m.uid
      FROM (
        SELECT e.account, e.status, e.reason, count(*) AS messages,
            count(m.replayed_as) AS replayed, min(e.ended) AS oldest, max(e.ended) AS newest,
            max(e.id) AS last
        FROM (
          SELECT id, account, status, reason, ended
          FROM ended
          WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
          ORDER BY ended DESC, id DESC
          LIMIT ?
        ) e
        JOIN message m ON m.id = ANY (ARRAY[e.id])
        WHERE (?::int >> e.status) & 1 = 1
          AND e.account = coalesce(?::int, e.account)
          AND m.created + 0 >= ?
          AND m.created + 0 < ?
        GROUP BY e.account, e.status, e.reason
      ) g
      JOIN message m ON m.id = ANY (ARRAY[g.last])
      JOIN ended e ON e.id = ANY (ARRAY[g.last])
      ORDER BY g.messages DESC, g.last DESC""";

  // ended_dead: as many entries as are counted at most
  public static final String COUNT_DEAD =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM ended
        WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        ORDER BY ended
        LIMIT ?
      ) AS dead""";

  // ended_dead, backwards; message_pkey
  public static final String LIST_DEAD =
      """
      %s
      WHERE e.status IN (3 /* failed */, 4 /* expired */, 5 /* held */) %s"""
          .formatted(MessageSql.selectEnded(), between("e.ended", "e.id", ENDED_FITS));

  // ended_dead, backwards
  public static final String SKIP_DEAD =
      skip("e.ended", "e.id", "ended e WHERE e.status IN (3, 4, 5)");

  // ended_dead_account, backwards; message_pkey
  public static final String LIST_DEAD_OF_ACCOUNT =
      """
      %s
      WHERE e.status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND e.account = ? %s"""
          .formatted(MessageSql.selectEnded(), between("e.ended", "e.id", ENDED_FITS));

  // ended_dead_account, backwards
  public static final String SKIP_DEAD_OF_ACCOUNT =
      skip("e.ended", "e.id", "ended e WHERE e.status IN (3, 4, 5) AND e.account = ?");

  // queue_sending (as many rows as there are attempts under way)
  public static final String SENDING_ROWS = "SELECT id FROM queue WHERE status = 1";

  // receipt_pkey, message_pkey, queue_pkey, ended_pkey
  public static final String CLAIMED =
      """
      %s
      WHERE m.id = (
        SELECT r.message
        FROM receipt r
        WHERE r.account = ?
          AND r.name = ?
      )"""
          .formatted(MessageSql.selectWhole());

  // ---- lanes

  // queue_sending (as many rows as there are attempts under way)
  public static final String SENDING_LANES = "SELECT account, chat FROM queue WHERE status = 1";

  // queue_due, queue_paused, queue_sending, queue_arrivals, message_pkey: sorts as many as there
  // are lanes
  public static final String LANES_BY_AGE =
      """
      SELECT min(m.created), q.account, q.chat
      FROM (
        (
          SELECT id, account, chat
          FROM queue
          WHERE status = 0 /* queued */
            AND head = 1 /* head */
          ORDER BY account, priority, due, id
          OFFSET 0
        )
        UNION ALL (
          SELECT id, account, chat
          FROM queue
          WHERE status = 0 /* queued */
            AND head = 2 /* paused head */
          ORDER BY account, priority, due, id
          OFFSET 0
        )
        UNION ALL
        SELECT id, account, chat
        FROM queue
        WHERE status = 1 /* sending */
        UNION ALL
        SELECT id, account, chat
        FROM queue
        WHERE arriving
      ) q
      CROSS JOIN LATERAL (
        SELECT created
        FROM message
        WHERE id = q.id
        OFFSET 0
      ) m
      WHERE q.account = coalesce(?::int, q.account)
      GROUP BY q.account, q.chat
      HAVING (min(m.created), q.account, q.chat) > (?, ?, ?)
      ORDER BY 1, 2, 3
      LIMIT ?""";
}
