package dev.postrider.sqlite.sql;

/**
 * The statements of {@code dev.postrider.jdbc.message.MessageWalk}, two for each index: SKIP_ finds
 * the place so many rows further down, LIST_ gives what fits between two places. The literals in
 * the conditions are those of the partial indexes; see {@link MessageSql}.
 */
public final class ListSql {
  private ListSql() {}

  /**
   * What a row must fit besides: statuses (a bit for each), account, chat, reason, accepted from
   * and before; null: any. No index is used for them.
   */
  private static final String FITS =
      " AND (? >> m.status) & 1 = 1 AND m.account = coalesce(?, m.account) AND m.chat = coalesce(?,"
          + " m.chat) AND coalesce(m.reason, '') = coalesce(?, m.reason, '') AND m.created >= ? AND"
          + " m.created < ?";

  private static final String BY_ROW = " AND m.id < ? AND m.id >= ?" + FITS;

  private static final String NEWEST = " ORDER BY m.id DESC LIMIT ?";

  private static final String NTH = " ORDER BY m.id DESC LIMIT 1 OFFSET ?";

  private static String list(String from) {
    return "SELECT" + MessageSql.columns() + "FROM " + from;
  }

  private static String between(String time) {
    return " AND (m.%1$s, m.id) < (?, ?) AND (m.%1$s, m.id) >= (?, ?)".formatted(time)
        + FITS
        + " ORDER BY m.%s DESC, m.id DESC LIMIT ?".formatted(time);
  }

  private static String skip(String time, String from) {
    return """
        SELECT m.%1$s, m.id
        FROM %2$s
          AND (m.%1$s, m.id) < (?, ?)
        ORDER BY m.%1$s DESC, m.id DESC
        LIMIT 1
        OFFSET ?"""
        .formatted(time, from);
  }

  // primary key, backwards
  public static final String LIST_ALL =
      """
      %s %s %s"""
          .formatted(list("message m WHERE true"), BY_ROW, NEWEST);

  // primary key, backwards
  public static final String SKIP_ALL =
      """
      SELECT 0, m.id
      FROM message m
      WHERE m.id < ? %s"""
          .formatted(NTH);

  // chat_index's primary key, backwards; message's primary key
  public static final String LIST_CHAT =
      """
      %s
        AND c.message < ?
        AND c.message >= ? %s
      ORDER BY c.message DESC
      LIMIT ?"""
          .formatted(
              list("chat_index c CROSS JOIN message m ON m.id = c.message WHERE c.name = ?"), FITS);

  // chat_index's primary key, backwards
  public static final String SKIP_CHAT =
      """
      SELECT 0, message
      FROM chat_index
      WHERE name = ?
        AND message < ?
      ORDER BY message DESC
      LIMIT 1
      OFFSET ?""";

  // account_index's primary key, backwards; message's primary key
  public static final String LIST_ACCOUNT =
      """
      %s
        AND a.message < ?
        AND a.message >= ? %s
      ORDER BY a.message DESC
      LIMIT ?"""
          .formatted(
              list("account_index a CROSS JOIN message m ON m.id = a.message WHERE a.number = ?"),
              FITS);

  // account_index's primary key, backwards
  public static final String SKIP_ACCOUNT =
      """
      SELECT 0, message
      FROM account_index
      WHERE number = ?
        AND message < ?
      ORDER BY message DESC
      LIMIT 1
      OFFSET ?""";

  // message_turn, backwards
  public static final String LIST_TURN =
      """
      %s %s %s"""
          .formatted(list("message m INDEXED BY message_turn WHERE m.turn = ?"), BY_ROW, NEWEST);

  // message_turn, backwards
  public static final String SKIP_TURN =
      """
      SELECT 0, m.id
      FROM message m INDEXED BY message_turn
      WHERE m.turn = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // message_session, backwards
  public static final String LIST_SESSION =
      """
      %s %s %s"""
          .formatted(
              list("message m INDEXED BY message_session WHERE m.session = ?"), BY_ROW, NEWEST);

  // message_session, backwards
  public static final String SKIP_SESSION =
      """
      SELECT 0, m.id
      FROM message m INDEXED BY message_session
      WHERE m.session = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // message_run, backwards
  public static final String LIST_RUN =
      """
      %s %s %s"""
          .formatted(list("message m INDEXED BY message_run WHERE m.run = ?"), BY_ROW, NEWEST);

  // message_run, backwards
  public static final String SKIP_RUN =
      """
      SELECT 0, m.id
      FROM message m INDEXED BY message_run
      WHERE m.run = ?
        AND m.id < ? %s"""
          .formatted(NTH);

  // message_receipt_state, backwards; message's primary key
  public static final String LIST_RECEIPT_STATUS =
      """
      %s
        AND w.message < ?
        AND w.message >= ? %s
      ORDER BY w.message DESC
      LIMIT ?"""
          .formatted(
              list(
                  "message_receipt w CROSS JOIN message m ON m.id = w.message"
                      + " WHERE w.number = ? AND w.state = ?"),
              FITS);

  // message_receipt_state, backwards
  public static final String SKIP_RECEIPT_STATUS =
      """
      SELECT 0, message
      FROM message_receipt
      WHERE number = ?
        AND state = ?
        AND message < ?
      ORDER BY message DESC
      LIMIT 1
      OFFSET ?""";

  // message_receipt_state: no more than are asked for
  public static final String COUNT_RECEIPT_STATUS =
      """
      SELECT count(*)
      FROM (
        SELECT message
        FROM message_receipt
        WHERE number = ?
          AND state = ?
        LIMIT ?
      )""";

  // message_expiry, backwards
  public static final String LIST_QUEUED =
      """
      %s %s"""
          .formatted(
              list("message m INDEXED BY message_expiry WHERE m.status = 0"), between("expires"));

  // message_expiry, backwards
  public static final String SKIP_QUEUED =
      skip("expires", "message m INDEXED BY message_expiry WHERE m.status = 0");

  // message_dead, backwards
  public static final String LIST_DEAD =
      list("message m INDEXED BY message_dead WHERE m.status IN (3, 4, 5)") + between("ended");

  // message_dead, backwards
  public static final String SKIP_DEAD =
      skip("ended", "message m INDEXED BY message_dead WHERE m.status IN (3, 4, 5)");

  // message_dead, backwards: as many rows as are looked at; message's primary key
  public static final String DEAD_GROUPS =
      """
      SELECT g.account, g.status, g.reason, m.error, g.messages, g.replayed, g.oldest, g.newest,
          m.uid
      FROM (
        SELECT account, status, reason, count(*) AS messages, count(replayed_as) AS replayed,
            min(ended) AS oldest, max(ended) AS newest, max(id) AS last
        FROM (
          SELECT id, account, status, reason, created, ended, replayed_as
          FROM message INDEXED BY message_dead
          WHERE status IN (3, 4, 5)
          ORDER BY ended DESC
          LIMIT ?
        )
        WHERE (? >> status) & 1 = 1
          AND account = coalesce(?, account)
          AND created >= ?
          AND created < ?
        GROUP BY account, status, reason
      ) g
      JOIN message m ON m.id = g.last
      ORDER BY g.messages DESC, g.last DESC""";

  // message_dead: as many entries as are counted at most
  public static final String COUNT_DEAD =
      """
      SELECT count(*)
      FROM (
        SELECT 1
        FROM message INDEXED BY message_dead
        WHERE status IN (3, 4, 5)
        LIMIT ?
      )""";

  // message_sending (as many rows as there are attempts under way)
  public static final String SENDING_ROWS =
      "SELECT id FROM message INDEXED BY message_sending WHERE status = 1";

  // receipt_retry's primary key, message's primary key
  public static final String TO_RETRY =
      list("receipt_retry t CROSS JOIN message m ON m.id = t.message WHERE t.message > ?")
          + " ORDER BY t.message LIMIT ?";

  // receipt's primary key, message's primary key
  public static final String CLAIMED =
      list("message m WHERE m.id = (SELECT message FROM receipt WHERE account = ? AND name = ?)");

  // ---- lanes

  // message_sending (as many rows as there are attempts under way)
  public static final String SENDING_LANES =
      "SELECT account, chat FROM message INDEXED BY message_sending WHERE status = 1";

  // message_due, message_paused, message_sending: sorts as many as there are lanes
  public static final String LANES_BY_AGE =
      """
      SELECT min(created), account, chat
      FROM (
        SELECT created, account, chat
        FROM message INDEXED BY message_due
        WHERE status = 0 /* queued */
          AND head = 1 /* head */
        UNION ALL
        SELECT created, account, chat
        FROM message INDEXED BY message_paused
        WHERE status = 0 /* queued */
          AND head = 2 /* paused head */
        UNION ALL
        SELECT created, account, chat
        FROM message INDEXED BY message_sending
        WHERE status = 1 /* sending */
      )
      WHERE account = coalesce(?, account)
      GROUP BY account, chat
      HAVING (min(created), account, chat) > (?, ?, ?)
      ORDER BY min(created), account, chat
      LIMIT ?""";

  // ---- the indexes that are filled behind the writer

  // primary key (one row)
  public static final String INDEXED = "SELECT through FROM indexed WHERE id = 1";

  // primary key (one row)
  public static final String MARK_INDEXED = "UPDATE indexed SET through = ? WHERE id = 1";

  // primary key
  public static final String ROWS_AFTER =
      """
      SELECT id, account, chat, created
      FROM message
      WHERE id > ?
      ORDER BY id
      LIMIT ?""";

  public static final String ADD_CHAT =
      "INSERT INTO chat_index (name, message) VALUES (?, ?) ON CONFLICT DO NOTHING";

  // primary key (name, message)
  public static final String DELETE_CHAT = "DELETE FROM chat_index WHERE name = ? AND message = ?";

  public static final String ADD_ACCOUNT =
      "INSERT INTO account_index (number, message) VALUES (?, ?) ON CONFLICT DO NOTHING";

  // primary key (number, message)
  public static final String DELETE_ACCOUNT =
      """
      DELETE FROM account_index
      WHERE number = ?
        AND message = ?""";

  // primary key
  public static final String ADD_TO_MINUTE =
      """
      INSERT INTO minute_index (minute, first, last)
      VALUES (?, ?, ?)
      ON CONFLICT (minute)
      DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)""";

  // minute_index (a row for each minute of the time that messages are kept)
  public static final String DELETE_MINUTES =
      """
      DELETE FROM minute_index
      WHERE last < (SELECT min(id) FROM message)""";

  // minute_index's primary key: as many rows as there are minutes before
  public static final String LAST_UNTIL =
      "SELECT coalesce(max(last), 0) FROM minute_index WHERE minute <= ?";

  // minute_index's primary key: as many rows as there are minutes since. What is not in it yet
  // comes
  // later.
  public static final String FIRST_SINCE =
      """
      SELECT coalesce(min(first), (SELECT through + 1 FROM indexed WHERE id = 1))
      FROM minute_index
      WHERE minute >= ?""";
}
