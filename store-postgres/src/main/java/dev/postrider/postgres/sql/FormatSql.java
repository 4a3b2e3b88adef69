package dev.postrider.postgres.sql;

/**
 * The statements about the database's own format; see {@link MessageSql}. Some are asked of
 * databases whose format nobody knows yet.
 */
public final class FormatSql {
  private FormatSql() {}

  private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  // postrider_format (a row per format)
  public static final String CURRENT = "SELECT max(version) FROM postrider_format";

  // postrider_format (a row per format)
  public static final String BUILD =
      "SELECT postrider FROM postrider_format ORDER BY version DESC LIMIT 1";

  // postrider_format (a row per format). The format that a server must know at least.
  public static final String OLDEST =
      "SELECT f.oldest FROM postrider_format f ORDER BY f.version DESC LIMIT 1";

  public static final String ADD_PLAIN = "INSERT INTO postrider_format (version) VALUES (?)";

  public static final String ADD =
      "INSERT INTO postrider_format (version, oldest, postrider, at) VALUES (?, ?, ?, %s)"
          .formatted(NOW);

  // node (a handful of rows). In the first formats a node says less of itself.
  public static final String LIVING_OLDER =
      """
      SELECT n.name || coalesce(' (Postrider ' || (to_jsonb(n) ->> 'version') || ')', '')
      FROM node n
      WHERE n.expires > %s
        AND coalesce((to_jsonb(n) ->> 'format')::integer, 0) < ?
      ORDER BY n.name"""
          .formatted(NOW);

  // node (a handful of rows); pg_stat_activity (a row per connection). What a frozen server holds
  // it could go on with.
  public static final String END_NODES =
      """
      SELECT pg_terminate_backend(s.pid)
      FROM node n
      JOIN pg_stat_activity s ON starts_with(s.application_name, 'postrider '
          || left(to_jsonb(n) ->> 'instance', 8))
      WHERE s.pid <> pg_backend_pid()""";
}
