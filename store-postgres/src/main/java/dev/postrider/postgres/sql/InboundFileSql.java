package dev.postrider.postgres.sql;

/** Statements about files of inbound messages that are kept. */
public final class InboundFileSql {
  private InboundFileSql() {}

  // inbound_file_pkey, for each of these, separated by commas
  public static final String FILES =
      """
      SELECT f.n, f.state, f.attempts, f.hash, f.error, f.uid
      FROM unnest(string_to_array(?, ',')::uuid[]) AS o (uid)
      JOIN inbound_file f ON f.uid = ANY (ARRAY[o.uid])""";

  public static final String ADD_FILES =
      """
      INSERT INTO inbound_file (uid, n, state, attempts, next_at)
      SELECT e.uid, f.n, 0 /* pending */, 0, e.received
      FROM unnest(?::uuid[], ?::int[], ?::bigint[]) AS e (uid, files, received),
        generate_series(0, e.files - 1) AS f (n)""";

  // inbound_file_due. The rows are locked, so that they stay where they are.
  public static final String CLAIM_FILES =
      """
      UPDATE inbound_file
      SET attempts = attempts + 1, next_at = ?
      WHERE ctid = ANY (ARRAY(
        SELECT ctid
        FROM inbound_file
        WHERE state = 0 /* pending */
          AND next_at <= ?
          AND (next_at <= ? OR attempts = 0)
        ORDER BY next_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ))
      RETURNING n, state, attempts, hash, error, uid""";

  // inbound_file_pkey
  public static final String FILE_DONE =
      """
      UPDATE inbound_file
      SET state = ?, next_at = ?, hash = ?, error = ?
      WHERE uid = ?
        AND n = ?
        AND state < 1 /* pending; written so, it is not looked for among all that are */
        AND attempts = ?""";

  // inbound_file_hash
  public static final String KEPT_FILE = "SELECT n FROM inbound_file WHERE hash = ? LIMIT 1";
}
