package dev.postrider.sqlite.sql;

/** The statements of a restoration; see {@link MessageSql}. */
public final class RestoreSql {
  private RestoreSql() {}

  // message_lane: as many entries as are taken
  public static final String PLACED =
      """
      SELECT id
      FROM message INDEXED BY message_lane
      WHERE active = 1
        AND seq IS NOT NULL
      ORDER BY account, chat, seq
      LIMIT ?""";

  // message_lane: from that place on
  public static final String LOOSE =
      """
      SELECT account, chat, id
      FROM message INDEXED BY message_lane
      WHERE active = 1
        AND seq IS NULL
        AND (status = 1 /* sending */ OR due <= ?)
        AND account >= ?
        AND (account, chat, id) > (?, ?, ?)
      ORDER BY account, chat, id
      LIMIT ?""";

  // primary key
  public static final String HOLD =
      """
      UPDATE message
      SET status = 5 /* held */, active = 0, ended = ?, reason = ?, error = ?,
          flags = flags | 2 /* possible duplicate */
      WHERE id = ?
        AND active = 1""";

  // message_lane, whole: what is left
  public static final String COUNT_ACTIVE =
      "SELECT count(*) FROM message INDEXED BY message_lane WHERE active = 1";

  // message_dead, backwards
  public static final String UNDECIDED =
      """
      SELECT id
      FROM message INDEXED BY message_dead
      WHERE status IN (3 /* failed */, 4 /* expired */, 5 /* held */)
        AND ended >= ?
        AND ended <= ?
        AND reason = ?
        AND replayed_as IS NULL
      ORDER BY ended DESC
      LIMIT 1""";

  // ---- inbound messages

  // inbound_active: as many entries as are taken
  public static final String ACTIVE_INBOUND =
      """
      SELECT id, session
      FROM inbound INDEXED BY inbound_active
      WHERE active = 1
      ORDER BY id
      LIMIT ?""";

  // primary key, follow_turn. Its turn is over, unless messages of it are still to be followed.
  public static final String HOLD_INBOUND =
      """
      UPDATE inbound
      SET status = 3 /* failed */, active = 0, head = 0 /* behind */, ended = ?1, error = ?2,
          lease = NULL, holder = NULL,
          turn = iif(EXISTS (SELECT 1 FROM follow f WHERE f.turn = inbound.uid), 0 /* open */,
              2 /* failed */),
          turn_ended = iif(EXISTS (SELECT 1 FROM follow f WHERE f.turn = inbound.uid), NULL, ?1)
      WHERE id = ?3
        AND active = 1""";

  // session's primary key, inbound_lane
  public static final String COUNT_WAITING =
      """
      UPDATE session
      SET waiting = (
        SELECT count(*)
        FROM inbound i
        WHERE i.session = session.name
          AND i.active = 1
      )
      WHERE name = ?""";
}
