package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every statement on the way of a message walks the indexes that {@link Sql} names, and no other,
 * whatever the planner knows of the tables: a plan made for an empty queue is kept while it fills.
 */
class PlansTest {
  private static final Pattern ACCESS =
      Pattern.compile("(?:Index (?:Only )?Scan(?: Backward)? using (\\S+)|Seq Scan) on (\\S+)");

  private String url;
  private Connection connection;
  private int prepared;

  @BeforeEach
  void open() throws SQLException {
    url = PostgresServer.shared().newSchema();
    connection = DriverManager.getConnection(url);
    Migrations.apply(connection, "the test's");
    connection.setAutoCommit(true);
    execute(Transactions.SETTINGS);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    PostgresServer.shared().drop(url);
  }

  @Test
  void in_a_database_that_nobody_has_looked_at() throws SQLException {
    checkAll();
  }

  @Test
  void in_an_empty_database() throws SQLException {
    execute("ANALYZE");
    checkAll();
  }

  @Test
  void with_a_hundred_thousand_waiting() throws SQLException {
    fill(100_000, 0);
    execute("ANALYZE");
    checkAll();
  }

  @Test
  void with_a_hundred_thousand_in_one_lane_and_many_ended() throws SQLException {
    fill(100_000, 100_000);
    execute("ANALYZE");
    checkAll();
  }

  private void fill(int waiting, int ended) throws SQLException {
    int lanes = ended == 0 ? waiting / 10 : 1;
    execute("INSERT INTO account (name) VALUES ('bot')");
    execute(
        "INSERT INTO message (uid, account, chat, created, expires, idem_key, content_hash, content)"
            + " SELECT gen_random_uuid(), 2, 'chat-' || n % "
            + lanes
            + ", n, n, 'key-' || n, '\\x00', '\\x00' FROM generate_series(1, "
            + (waiting + ended)
            + ") AS n");
    execute(
        "INSERT INTO queue (id, account, chat, seq, head, arriving, status, priority, attempts, reservation, flags,"
            + " due, expires) SELECT id, 2, chat, id, id <= "
            + lanes
            + ", false, CASE WHEN id < 100 THEN 1 ELSE 0 END, 0, 0, 0, 0, id, id FROM message WHERE id <= "
            + waiting);
    execute(
        "INSERT INTO ended (id, account, status, attempts, reservation, flags, due, ended, keyed)"
            + " SELECT id, 2, 2, 1, 1, 0, id, id, true FROM message WHERE id > "
            + waiting);
  }

  private void checkAll() throws SQLException {
    check(Sql.BEGIN, "account_pkey");
    check(Sql.COUNT, "account_pkey");
    check(Sql.BY_KEYS, "message_key", "queue_pkey", "ended_pkey");
    check(Sql.LANES, "queue_lane", "queue_bulk", "queue_arrivals");
    check(Sql.COUNT_LANE, "queue_lane");
    check(Sql.RAISE_LANES, "queue_bulk", "queue_pkey");
    check(Sql.ARRIVALS, "queue_arrivals");
    check(Sql.SCHEDULED, "queue_pkey");
    check(Sql.PLACE, "queue_pkey");
    check(Sql.RESERVE, "queue_pkey", "message_pkey");
    check(Sql.PROGRESS, "queue_pkey");
    check(Sql.SETTLE, "queue_pkey", "queue_lane", "message_pkey");
    check(Sql.EXPIRING, "queue_expiry");
    check(Sql.QUEUED_OF_ACCOUNT, "queue_lane");
    check(Sql.END_QUEUED, "queue_pkey", "message_pkey");
    check(Sql.PROMOTE, "queue_pkey", "queue_lane");
    check(Sql.ADD_HISTORY, "history_pkey");
    check(Sql.BY_UID, "message_uid", "queue_pkey", "ended_pkey");
    check(Sql.HURRY, "queue_pkey");
    check(Sql.DELETE, "ended_pkey", "message_pkey", "history_pkey");
    check(Sql.OLD_DONE, "ended_done");
    check(Sql.OLD_DONE_KEYED, "ended_done_keyed");
    check(Sql.OLD_DEAD, "ended_dead");
    execute(
        "SET enable_hashjoin = on; SET enable_mergejoin = on; SET plan_cache_mode = force_generic_plan; "
            + Database.READERS_SETTINGS);
    check(Sql.DUE, "queue_due");
    check(Sql.NEXT_DUE, "queue_due");
    check(Sql.OLDEST_DUE, "queue_due");
    check(Sql.NEXT_EXPIRY, "queue_expiry");
    check(Sql.INTERRUPTED, "queue_sending", "message_pkey");
    check(Sql.LIST_ALL, "message_pkey", "queue_pkey", "ended_pkey");
    check(Sql.LIST_TURN, "message_turn", "queue_pkey", "ended_pkey");
    check(Sql.LIST_DEAD, "ended_dead", "message_pkey");
    check(Sql.LIST_QUEUED, "queue_expiry", "message_pkey");
    check(Sql.LIST_SENDING, "queue_sending", "message_pkey");
    check(Sql.HOLDINGS, "account_name_key", "queue_arrivals");
    check(Sql.LANE_AFTER, "queue_lane");
    check(Sql.LANE_HEAD, "queue_lane", "message_pkey");
  }

  private void check(String sql, String... indexes) throws SQLException {
    List<String> plan = plan(sql);
    Set<String> used = new TreeSet<>();
    for (int i = 0; i < plan.size(); i++) {
      Matcher access = ACCESS.matcher(plan.get(i));
      if (access.find()) {
        boolean seeks =
            (i + 1 < plan.size() && plan.get(i + 1).contains("Index Cond:"))
                || (i > 0 && plan.get(i - 1).contains("Limit"));
        boolean whole =
            !seeks && !access.group(2).equals("account") && !sql.equals(Sql.LIST_SENDING);
        used.add(
            (whole ? "all of " : "")
                + (access.group(1) == null ? access.group(2) : access.group(1)));
      }
    }
    assertThat(used).as(sql + "\n" + String.join("\n", plan)).containsExactlyInAnyOrder(indexes);
  }

  private List<String> plan(String sql) throws SQLException {
    String name = "p" + prepared++;
    StringBuilder numbered = new StringBuilder("PREPARE " + name + " AS ");
    int parameters = 0;
    for (char c : sql.toCharArray()) {
      numbered.append(c == '?' ? "$" + ++parameters : String.valueOf(c));
    }
    execute(numbered.toString());
    List<String> lines = new ArrayList<>();
    String values = String.join(", ", Collections.nCopies(parameters, "NULL"));
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "EXPLAIN EXECUTE " + name + (parameters == 0 ? "" : "(" + values + ")"))) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
