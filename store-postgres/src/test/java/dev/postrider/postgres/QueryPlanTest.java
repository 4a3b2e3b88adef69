package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.export.ExportStatements;
import dev.postrider.jdbc.export.NamedSql;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.postgres.sql.FormatSql;
import dev.postrider.postgres.sql.InboundFileSql;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.ListSql;
import dev.postrider.postgres.sql.MemorySql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.ReminderSql;
import dev.postrider.postgres.sql.RestoreSql;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every statement on the way of a message walks the indexes that {@link MessageSql} names, and no
 * other, whatever the planner knows of the tables: a plan made for an empty queue is kept while it
 * fills.
 */
class QueryPlanTest {
  private static final Pattern ACCESS =
      Pattern.compile("(?:Index (?:Only )?Scan(?: Backward)? using (\\S+)|Seq Scan) on (\\S+)");

  private String url;
  private Connection connection;
  private final List<String> wrong = new ArrayList<>();
  private int prepared;

  @BeforeEach
  void open() throws SQLException {
    url = PostgresServer.shared().newSchema();
    connection = DriverManager.getConnection(url);
    Migrations.OURS.apply(connection, "the test's");
    connection.setAutoCommit(true);
    execute(WriteTransactions.SETTINGS);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    PostgresServer.shared().drop(url);
  }

  @Test
  void in_a_database_that_nobody_has_looked_at() throws Exception {
    checkAll();
  }

  @Test
  void in_an_empty_database() throws Exception {
    execute("ANALYZE");
    checkAll();
  }

  @Test
  void with_a_hundred_thousand_waiting() throws Exception {
    fill(100_000, 0);
    execute("ANALYZE");
    checkAll();
  }

  @Test
  void with_a_hundred_thousand_in_one_lane_and_many_ended() throws Exception {
    fill(100_000, 100_000);
    execute("ANALYZE");
    checkAll();
  }

  @Test
  void a_look_at_a_file_ends_at_the_first_use_that_needs_it() throws Exception {
    fill(100_000, 100_000); // one file that all use
    String sql = MessageSql.LOOK_AT_BLOBS.replaceFirst("\\?", "1").replaceFirst("\\?", "10");

    List<String> plan = lines("EXPLAIN (ANALYZE, TIMING OFF) " + sql);

    assertThat(plan)
        .filteredOn(line -> line.contains("using blob_use_pkey"))
        .anyMatch(line -> line.matches(".*actual rows=1(\\.00)? loops=1\\)"))
        .anyMatch(line -> line.endsWith("(never executed)"));
  }

  private void fill(int waiting, int ended) throws SQLException {
    int lanes = ended == 0 ? waiting / 10 : 1;
    execute("INSERT INTO account (name) VALUES ('bot')");
    execute(
        "INSERT INTO message (uid, account, chat, created, expires, idem_key, content_hash,"
            + " content) SELECT gen_random_uuid(), 2, 'chat-' || n % "
            + lanes
            + ", n, n, 'key-' || n, '\\x00', '\\x00' FROM generate_series(1, "
            + (waiting + ended)
            + ") AS n");
    execute(
        "INSERT INTO queue (id, account, chat, seq, head, arriving, status, priority, attempts,"
            + " reservation, flags, due, expires) SELECT id, 2, chat, id, CASE WHEN id > "
            + lanes
            + " THEN 0 WHEN id % 2 = 0 THEN 2 ELSE 1 END, false, CASE WHEN id < 100 THEN 1"
            + " ELSE 0 END, 0, 0, 0, 0, id, id FROM message WHERE"
            + " id <= "
            + waiting);
    execute(
        "INSERT INTO ended (id, account, status, attempts, reservation, flags, due, ended, keyed)"
            + " SELECT id, 2, 2, 1, 1, 0, id, id, true FROM message WHERE id > "
            + waiting);
    execute(
        "INSERT INTO paused_lane (account, chat, reason, since) SELECT account, chat, '', 0 FROM"
            + " queue WHERE head = 2");
    fillMedia(lanes);
    fillInbound(lanes, waiting);
    fillReminders(waiting, ended);
    execute(
        "INSERT INTO inbound_file (uid, n, state, attempts, next_at, hash) SELECT"
            + " gen_random_uuid(), 0, n % 3, 0, n, CASE WHEN n % 3 = 1 THEN 'h' || n END FROM"
            + " generate_series(1, 10000) AS n");
    execute(
        "INSERT INTO memory (account, chat, key, value, expires_at) SELECT 2, 'chat-' || n, 'k',"
            + " '\\x00', CASE WHEN n % 2 = 0 THEN n END FROM generate_series(1, 10000) AS n");
  }

  /** One large run, that has just begun or has nearly ended, among many small ones that have. */
  private void fillReminders(int waiting, int ended) throws SQLException {
    execute(
        "INSERT INTO reminder (uid, name, account, next_fire, targets, version, created, updated,"
            + " document) SELECT gen_random_uuid(), '', 2, CASE WHEN n % 2 = 0 THEN n END, 1, 1, n,"
            + " n, '\\x00' FROM generate_series(1, 2000) AS n");
    execute(
        "INSERT INTO reminder_target (reminder, n, account, chat) SELECT 1, n, 2, 'chat-' || n FROM"
            + " generate_series(1, "
            + waiting
            + ") AS n UNION ALL SELECT id, 0, 2, '' FROM reminder");
    execute(
        "INSERT INTO run (uid, reminder, name, instant, account, status, total, created, ended,"
            + " version, document) SELECT gen_random_uuid(), r.uid, '', n, 2, CASE WHEN r.id = 1"
            + " THEN 1 ELSE 3 END, 1, n, CASE WHEN r.id > 1 THEN n END, 1, '\\x00' FROM reminder r"
            + " CROSS JOIN generate_series(1, 5) AS n");
    execute("INSERT INTO run_account (run, account, active) SELECT id, 2, status = 1 FROM run");
    execute(
        "INSERT INTO run_target (run, n, account, chat, status, step, tries) SELECT 1, n, 2,"
            + " 'chat-' || n, CASE WHEN n < 5 THEN 1 WHEN n <= "
            + ended
            + " THEN 2 + n % 4 ELSE 0 END, 0, 0 FROM generate_series(1, "
            + waiting
            + ") AS n UNION ALL SELECT id, 0, 2, '', 2, 1, 1 FROM run");
    execute(
        "INSERT INTO run_day (day, account, sent) SELECT n, 2, 1 FROM generate_series(1, 400) AS"
            + " n");
  }

  /** As many sessions as lanes; as many events and turns as messages that are active and ended. */
  private void fillInbound(int sessions, int waiting) throws SQLException {
    execute(
        "INSERT INTO inbound (uid, account, name, session, received, content)"
            + " SELECT uid, 2, uid, 's' || id % "
            + sessions
            + ", id, '\\x00' FROM message");
    execute(
        "INSERT INTO inbox (id, account, session, head, status, attempts, deaths, due, lease)"
            + " SELECT id, account, session, CASE WHEN id <= "
            + sessions
            + " THEN 1 ELSE 0 END, CASE WHEN id < 100 THEN 1 ELSE 0 END, 0, 0, received,"
            + " CASE WHEN id < 100 THEN uid END FROM inbound WHERE id <= "
            + waiting);
    execute(
        "INSERT INTO turn (id, state, delivered, lost, status, received) SELECT id, id % 4, 1, 0, 2"
            + " + id % 3, received FROM inbound WHERE id > "
            + waiting);
    execute(
        "INSERT INTO session (name, account, chat, waiting, last) SELECT 's' || n, 2, '', 1, n FROM"
            + " generate_series(0, "
            + (sessions - 1)
            + ") AS n");
    execute("INSERT INTO follow (message, turn) SELECT id, uid FROM message");
    execute(
        "INSERT INTO inbound_note (event, n, at, attempt, error) SELECT id, 1, 1, 1, '' FROM"
            + " inbound");
    execute(
        "INSERT INTO mirrored (session, at, message, account, chat, content, receipts)"
            + " SELECT session, received, uid, 2, '', '\\x00', '\\x00' FROM inbound");
    execute(
        "INSERT INTO minute (at, node, in_taken, in_done, in_errors, out_taken, out_done,"
            + " out_errors) SELECT n, 'one', 0, 0, 0, 0, 0, 0 FROM generate_series(1, 10000) AS n");
    execute(
        "INSERT INTO receipt (account, name, receipt, message, part, unclaimed) SELECT 2, uid, 'r',"
            + " CASE WHEN id % 2 = 0 THEN id END, 0, CASE WHEN id % 2 = 1 THEN id END FROM"
            + " message");
  }

  /** As many files as lanes: either many with a few uses each, or one that all use. */
  private void fillMedia(int files) throws SQLException {
    execute(
        "INSERT INTO blob (hash, size, type, look_at) SELECT 'hash-' || n, 1, 'x', n FROM"
            + " generate_series(0, "
            + (files - 1)
            + ") AS n");
    execute("INSERT INTO blob_piece (hash, no, bytes) SELECT hash, 0, '\\x00' FROM blob");
    execute(
        "INSERT INTO blob_use (hash, message) SELECT 'hash-' || id % "
            + files
            + ", id FROM message");
    execute(
        "INSERT INTO upload (account, hash, variant, handle, expires_at) SELECT 'bot', hash, '',"
            + " 'x', look_at FROM blob");
  }

  /** Statements that readers make: on a connection with fewer settings than the writer's. */
  private static final Set<String> READ =
      Set.of(
          "DUE",
          "NEXT_DUE",
          "OLDEST_DUE",
          "OLDEST_PAUSED",
          "PAUSED_LANES",
          "COUNT_DUE",
          "COUNT_PAUSED",
          "COUNT_LATER",
          "WAITING",
          "WAITING_PAUSED",
          "NEXT_EXPIRY",
          "INTERRUPTED",
          "LIST_ALL",
          "SKIP_ALL",
          "LIST_CHAT",
          "SKIP_CHAT",
          "LIST_TURN",
          "SKIP_TURN",
          "LIST_SESSION",
          "SKIP_SESSION",
          "LIST_RUN",
          "SKIP_RUN",
          "LIST_REASON",
          "SKIP_REASON",
          "LIST_CREATED",
          "SKIP_CREATED",
          "LIST_QUEUED",
          "SKIP_QUEUED",
          "DEAD_GROUPS",
          "COUNT_DEAD",
          "LIST_DEAD",
          "SKIP_DEAD",
          "LIST_DEAD_OF_ACCOUNT",
          "SKIP_DEAD_OF_ACCOUNT",
          "SENDING_ROWS",
          "SENDING_LANES",
          "LANES_BY_AGE",
          "CLAIMED",
          "HOLDINGS",
          "CHAT_ALIASES",
          "TOLD_ALIASES",
          "LANE_AFTER",
          "LANE_HEAD",
          "HISTORY",
          "BLOB",
          "KEEP_BLOB",
          "ADD_BLOB",
          "ADD_PIECE",
          "PIECE",
          "LOOK_AT_BLOBS",
          "DELETE_USES",
          "LOOK_AGAIN",
          "LOCK_BLOB",
          "ANY_USE",
          "DELETE_PIECES",
          "DELETE_BLOB",
          "UPLOAD",
          "SAVE_UPLOAD",
          "FORGET_UPLOAD",
          "DELETE_UPLOADS",
          "CURSOR",
          "MEMORY",
          "PRUNE_MEMORY",
          "FILES",
          "CLAIM_FILES",
          "FILE_DONE",
          "KEPT_FILE",
          "EVENT_BY_UID",
          "LIST_EVENTS",
          "LIST_EVENTS_OF_SESSION",
          "LIST_EVENTS_OF_ACCOUNT",
          "LIST_EVENTS_DEAD",
          "LIST_ACTIVE",
          "LIST_LEASED",
          "HEARD",
          "RECEIPTS",
          "LEASED",
          "LAPSED",
          "NEXT_LAPSE",
          "NEXT_EVENT_DUE",
          "NOTES",
          "UNFOLLOWED",
          "SESSION",
          "SESSIONS",
          "SESSIONS_OF_ACCOUNT",
          "SAID",
          "MINUTES",
          "DELETE_MINUTES",
          "AUDIT",
          "DELETE_AUDIT",
          "FOLD_COUNTS",
          "REMINDER_BY_UID",
          "LIST_REMINDERS",
          "LIST_REMINDERS_OF_ACCOUNT",
          "TARGETS",
          "KNOWN",
          "REMINDERS_DUE",
          "NEXT_FIRE",
          "RUN_BY_UID",
          "LIST_RUNS",
          "LIST_RUNS_OF_REMINDER",
          "LIST_RUNS_OF_STATUS",
          "ACTIVE_RUNS",
          "GOING_RUN",
          "RUN_ACCOUNTS",
          "COUNT_REASONS",
          "COUNT_TARGETS",
          "COUNT_LEFT",
          "PENDING_TARGETS",
          "SENDING_TARGETS",
          "RUN_TARGETS",
          "RUN_TARGETS_OF_STATUS",
          "RUN_TARGETS_OF_REASON",
          "RUN_REPORTS",
          "LIST_RECEIPT_STATUS",
          "SKIP_RECEIPT_STATUS",
          "COUNT_RECEIPT_STATUS",
          "TO_RETRY",
          "SENT_ON",
          "PLACED",
          "LOOSE",
          "HOLD",
          "COUNT_ACTIVE",
          "UNDECIDED",
          "ACTIVE_INBOUND",
          "HOLD_INBOUND",
          "LAST_RESTORE",
          "COUNT_HELD",
          "FINISH",
          "PAUSE_RUNS",
          "FORGET_RETRIES");

  /** They are about everything there is, or there are few: attempts under way, nodes, accounts. */
  private static final Set<String> MAY_WALK_ALL =
      Set.of(
          "SENDING_ROWS",
          "SENDING_LANES",
          "LANES_BY_AGE",
          "DELETE_BUDGETS",
          "OPEN_BUDGETS",
          "PAUSED_LANES",
          "export sentOnDay",
          "CHAT_ALIASES",
          "TOLD_ALIASES",
          "COUNT_ACTIVE",
          "PAUSE_RUNS",
          "FORGET_RETRIES");

  private static final Set<String> SMALL =
      Set.of(
          "account",
          "node",
          "takeover",
          "mark",
          "restore",
          "postrider_format",
          "f",
          "receipt_retry", // what failed lately
          "budget",
          "inbound_cursor",
          "inbound_count",
          "a",
          "n",
          "b");

  private void checkAll() throws Exception {
    Map<String, String> comments = comments();
    Set<String> indexes = indexes();
    wrong.clear();
    for (boolean readers : List.of(false, true)) {
      if (readers) {
        execute(
            "SET enable_hashjoin = on; SET enable_mergejoin = on; " + Database.READERS_SETTINGS);
      }
      for (Field statement : statements()) {
        String name = statement.getName();
        if (statement.getType() == String.class
            && !Modifier.isPrivate(statement.getModifiers())
            && !name.equals("NOW")
            && readers == READ.contains(name)) {
          check(name, (String) statement.get(null), comments.getOrDefault(name, ""), indexes);
        }
      }
    }
    checkExport(indexes);
    assertThat(wrong).isEmpty();
  }

  /** The indexes that an export walks, by kind; another of its statements after a slash. */
  private static final Map<String, String> EXPORTS =
      Map.ofEntries(
          Map.entry("file", "blob_pkey"),
          Map.entry("upload", "upload_pkey"),
          Map.entry("message", "ended_pkey follow_pkey history_pkey message_uid queue_pkey"),
          Map.entry(
              "message/accepted", "ended_pkey follow_pkey history_pkey message_pkey queue_pkey"),
          Map.entry("message/items", "history_pkey"),
          Map.entry("message/then0", "message_uid"),
          Map.entry("message/then1", "message_uid"),
          Map.entry("message/then2", "message_uid paused_lane_pkey queue_lane queue_pkey"),
          Map.entry("message/then3", "message_uid"),
          Map.entry("message/then4", "blob_pkey message_uid"),
          Map.entry("message/then5", "message_uid"),
          Map.entry("lanePause", "paused_lane_pkey"),
          Map.entry("lanePause/then0", "queue_lane queue_pkey"),
          Map.entry("chatAlias", "chat_alias_pkey"),
          Map.entry("toldAlias", "told_alias_pkey"),
          Map.entry("memory", "memory_pkey"),
          Map.entry("session", "session_pkey"),
          Map.entry("inbound", "inbound_note_pkey inbound_uid inbox_pkey turn_pkey"),
          Map.entry("inbound/accepted", "inbound_note_pkey inbound_pkey inbox_pkey turn_pkey"),
          Map.entry("inbound/items", "inbound_note_pkey"),
          Map.entry("inboundFile", "inbound_file_pkey"),
          Map.entry("inbound/then0", "inbound_uid inbox_session session_pkey"),
          Map.entry("inbound/then1", "inbound_uid"),
          Map.entry("inbound/then2", "inbound_uid"),
          Map.entry("inbound/then3", "inbound_uid"),
          Map.entry("inbound/then4", "session_pkey"),
          Map.entry("sessionMessage", "mirrored_pkey"),
          Map.entry("receipt", "message_pkey receipt_pkey"),
          Map.entry("receipt/insert", "message_uid"),
          Map.entry("reminder", "reminder_uid"),
          Map.entry("reminderTarget", "reminder_target_pkey reminder_uid"),
          Map.entry("reminderTarget/insert", "reminder_uid"),
          Map.entry("run", "run_uid"),
          Map.entry("receipt/then0", "message_uid receipt_message"),
          Map.entry("receipt/then1", "message_uid"),
          Map.entry("run/then0", "run_uid"),
          Map.entry("runTarget", "run_target_pkey run_uid"),
          Map.entry("runTarget/insert", "run_uid"),
          Map.entry("runTarget/then0", "run_uid"),
          Map.entry("sentOnDay", "run_day_pkey"),
          Map.entry("minute", "minute_pkey"),
          Map.entry("minute/insert", "minute_pkey"),
          Map.entry("audit", "audit_pkey"),
          Map.entry("importReceipt", "import_receipt_pkey"));

  private void checkExport(Set<String> indexes) throws SQLException {
    var export = new PostgresExport(null, null, new Accounts(null, ContentCipher.OFF));
    for (Kind kind : Kind.values()) {
      ExportStatements all = export.statements(kind);
      Map<String, NamedSql> named = new TreeMap<>();
      named.put("", all.select());
      named.put("/insert", all.insert());
      if (all.accepted() != null) {
        named.put("/accepted", all.accepted());
      }
      if (all.items() != null) {
        named.put("/items", all.items());
      }
      for (int n = 0; n < all.then().size(); n++) {
        named.put("/then" + n, all.then().get(n).sql());
      }
      for (Map.Entry<String, NamedSql> one : named.entrySet()) {
        String name = kind.label() + one.getKey();
        check("export " + name, one.getValue().sql(), EXPORTS.getOrDefault(name, ""), indexes);
      }
    }
  }

  private static final List<Class<?>> SOURCES =
      List.of(
          MessageSql.class,
          ListSql.class,
          InboundSql.class,
          TurnSql.class,
          SessionSql.class,
          InboundFileSql.class,
          MemorySql.class,
          ReminderSql.class,
          RunSql.class,
          RestoreSql.class,
          FormatSql.class,
          SqlRestoration.class);

  private static List<Field> statements() {
    return SOURCES.stream().flatMap(source -> Stream.of(source.getDeclaredFields())).toList();
  }

  /** What stands above each statement. */
  private static Map<String, String> comments() throws IOException {
    Map<String, String> comments = new HashMap<>();
    for (Class<?> source : SOURCES) {
      String text = Files.readString(source(source));
      Matcher matcher =
          Pattern.compile("((?:  // [^\n]*\n)+)  (?:public )?static final String (\\w+)")
              .matcher(text);
      while (matcher.find()) {
        comments.put(matcher.group(2), matcher.group(1));
      }
    }
    assertThat(comments).hasSizeGreaterThan(50);
    return comments;
  }

  private static Path source(Class<?> statements) {
    String file = statements.getName().replace('.', '/') + ".java";
    Path own = Path.of("src/main/java", file);
    return Files.exists(own) ? own : Path.of("../store-jdbc/src/main/java", file);
  }

  private Set<String> indexes() throws SQLException {
    return Set.copyOf(
        new JdbcSession(connection)
            .all(
                "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()",
                row -> row.getString(1)));
  }

  /** The plan walks the indexes that the comment names, and no others; and none as a whole. */
  private void check(String name, String sql, String comment, Set<String> indexes)
      throws SQLException {
    List<String> plan = plan(sql);
    Set<String> used = new TreeSet<>();
    for (int i = 0; i < plan.size(); i++) {
      Matcher access = ACCESS.matcher(plan.get(i));
      if (access.find() && !SMALL.contains(access.group(2))) {
        boolean seeks =
            (i + 1 < plan.size() && plan.get(i + 1).contains("Index Cond:"))
                || (i > 0 && plan.get(i - 1).contains("Limit"));
        String through = access.group(1) == null ? access.group(2) : access.group(1);
        used.add(seeks || MAY_WALK_ALL.contains(name) ? through : "all of " + through);
      }
    }
    Set<String> named = new TreeSet<>();
    for (String index : indexes) {
      boolean ofSmall = SMALL.stream().anyMatch(table -> index.startsWith(table + "_"));
      if (!ofSmall && comment.matches("(?s).*\\b" + index + "\\b.*")) {
        named.add(index);
      }
    }
    if (!used.equals(named)) {
      wrong.add(name + " uses " + used + " says " + named + "\n" + String.join("\n", plan));
    }
  }

  private List<String> plan(String sql) throws SQLException {
    String name = "p" + prepared++;
    StringBuilder numbered = new StringBuilder("PREPARE " + name + " AS ");
    int parameters = 0;
    for (char c : sql.toCharArray()) {
      numbered.append(c == '?' ? "$" + ++parameters : String.valueOf(c));
    }
    execute(numbered.toString());
    String values = String.join(", ", Collections.nCopies(parameters, "NULL"));
    return lines("EXPLAIN EXECUTE " + name + (parameters == 0 ? "" : "(" + values + ")"));
  }

  private List<String> lines(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
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
