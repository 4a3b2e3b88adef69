package dev.postrider.sqlite.sql;

/** Statements about files of inbound messages that are kept. */
public final class InboundFileSql {
  private InboundFileSql() {}

  // inbound_file's primary key, for each of these, separated by commas
  public static final String FILES =
      """
      SELECT n, state, attempts, hash, error, uid
      FROM json_each('["' || replace(?, ',', '","') || '"]') o
      CROSS JOIN inbound_file
      WHERE uid = unhex(o.value, '-')""";

  public static final String ADD_FILE =
      """
      INSERT INTO inbound_file (uid, n, state, attempts, next_at)
      VALUES (?, ?, 0 /* pending */, 0, ?)""";

  // inbound_file_due, inbound_file's primary key
  public static final String CLAIM_FILES =
      """
      UPDATE inbound_file
      SET attempts = attempts + 1, next_at = ?
      WHERE state = 0 /* pending */
        AND (uid, n) IN (
          SELECT uid, n
          FROM inbound_file
          WHERE state = 0 /* pending */
            AND next_at <= ?
            AND (next_at <= ? OR attempts = 0)
          ORDER BY next_at
          LIMIT ?
        )
      RETURNING n, state, attempts, hash, error, uid""";

  // inbound_file's primary key
  public static final String FILE_DONE =
      """
      UPDATE inbound_file
      SET state = ?, next_at = ?, hash = ?, error = ?
      WHERE uid = ?
        AND n = ?
        AND state = 0 /* pending */
        AND attempts = ?""";

  // inbound_file_hash
  public static final String KEPT_FILE = "SELECT n FROM inbound_file WHERE hash = ? LIMIT 1";

  // inbound_old, inbound_file's primary key
  public static final String DELETE_FILES =
      """
      DELETE FROM inbound_file
      WHERE uid IN (
        SELECT uid
        FROM inbound
        WHERE active = 0
          AND received < ?
        ORDER BY received, id
        LIMIT ?
      )""";
}
