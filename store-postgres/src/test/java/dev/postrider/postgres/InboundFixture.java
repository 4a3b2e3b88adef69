package dev.postrider.postgres;

import dev.postrider.config.ClusterSettings;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.NewMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes that hand out the events of one database, and what is asked of it behind their backs. */
final class InboundFixture implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  final SystemScheduler time = new SystemScheduler();
  final String url;
  private final Consumer<String> end;
  private final Ids ids = new Ids(time, new SplittableRandom());

  InboundFixture() {
    this(Schemas.take(), Schemas::giveBack);
  }

  private InboundFixture(String url, Consumer<String> end) {
    this.url = url;
    this.end = end;
  }

  /** In a schema without tables. */
  static InboundFixture withoutTables() {
    PostgresServer server = PostgresServer.shared();
    return new InboundFixture(server.newSchema(), server::drop);
  }

  Store open(String node) {
    return new PostgresStoreProvider().open(url, ClusterSettings.of(node), time);
  }

  <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  @Override
  public void close() {
    time.close();
    end.accept(url);
  }

  // ---- what comes in, and goes out

  NewInbound event(String session) {
    return event(session, "e" + ids.next());
  }

  NewInbound event(String session, String platformId) {
    InboundMessage arrival =
        new InboundMessage(
            platformId,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return new NewInbound(new InboundId(ids.next()), arrival, session, NOW);
  }

  InboundId hear(Store store, String session) {
    return await(store.receive("bot", List.of(event(session)), null)).getFirst().id();
  }

  InboundId nextId() {
    return new InboundId(ids.next());
  }

  NewMessage message(Message.Builder content) {
    Message message = content.build();
    MessageId id = ids.nextMessageId();
    return new NewMessage(
        id,
        message,
        new Plan(id, List.of(Part.plain(String.valueOf(message.text())))),
        Progress.none(1),
        NOW,
        NOW,
        NOW.plusSeconds(600),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }

  /** A message of this turn. */
  NewMessage answer(InboundId turn) {
    return message(Message.to("bot", "ann").text("answer").turnId(turn.toString()));
  }

  // ---- leases

  LeaseRequest wish(int most) {
    return wish(most, null);
  }

  LeaseRequest wish(int most, @Nullable String holder) {
    List<UUID> leases = Stream.generate(ids::next).limit(most).toList();
    return new LeaseRequest(Set.of("bot"), leases, NOW, NOW.plusSeconds(30), holder);
  }

  StoredInbound handOut(Store store) {
    return await(store.inboundStore().lease(wish(1))).getFirst();
  }

  static UUID lease(StoredInbound inbound) {
    return Objects.requireNonNull(inbound.handling().lease());
  }

  static Completion handled(StoredInbound inbound, NewMessage... answers) {
    return back(inbound, InboundStatus.HANDLED, answers);
  }

  static Completion back(StoredInbound inbound, InboundStatus status, NewMessage... answers) {
    int attempt = inbound.handling().attempts();
    InboundNote note =
        status == InboundStatus.HANDLED ? null : new InboundNote(NOW, attempt, "not now", NOW);
    return new Completion(inbound, lease(inbound), status, NOW, NOW, false, note, List.of(answers));
  }

  // ---- looking behind

  void sql(String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      new JdbcSession(connection).execute(statement);
    }
  }

  long count(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Long found = new JdbcSession(connection).one(query, row -> row.getLong(1));
      return found == null ? -1 : found;
    }
  }

  /** How often somebody waited in a circle: that is retried, and nobody would notice. */
  long deadlocks() throws SQLException {
    return count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  }

  private static final Map<String, String> NEVER =
      Map.of(
          "a session counts what waits in it",
          "SELECT name FROM session s WHERE waiting <> (SELECT count(*) FROM inbox i"
              + " WHERE i.session = s.name)",
          "what waits has a session",
          "SELECT i.session FROM inbox i WHERE NOT EXISTS (SELECT FROM session s WHERE"
              + " s.name = i.session)",
          "the earliest of a session is its head, and no other",
          "SELECT i.session FROM inbox i JOIN session s ON s.name = i.session WHERE i.head <>"
              + " CASE WHEN i.id > (SELECT min(x.id) FROM inbox x WHERE x.session ="
              + " i.session) THEN 0"
              + " WHEN s.paused IS NULL THEN 1 ELSE 2 END",
          "only heads are handed out",
          "SELECT session FROM inbox WHERE status = 1 AND head = 0",
          "an event either waits or has ended",
          "SELECT session FROM inbound e WHERE EXISTS (SELECT FROM inbox i WHERE i.id = e.id)"
              + " = EXISTS (SELECT FROM turn t WHERE t.id = e.id AND t.status IS NOT NULL)",
          "a turn of which nothing is left to follow has ended with its event",
          "SELECT e.uid::text FROM turn t JOIN inbound e ON e.id = t.id WHERE t.status"
              + " IS NOT NULL AND t.state = 0"
              + " AND NOT EXISTS (SELECT FROM follow f WHERE f.turn = e.uid)",
          "what waits is counted",
          "SELECT a.name FROM account a WHERE coalesce((SELECT sum(waiting) FROM"
              + " inbound_count c WHERE c.account = a.id), 0)"
              + " <> (SELECT count(*) FROM inbox i WHERE i.account = a.id)",
          "a head is paused if its lane is, and only then; what is scheduled never is",
          "SELECT q.chat FROM queue q WHERE q.head > 0 AND q.head <> CASE WHEN q.flags &"
              + " 8 = 0 AND EXISTS (SELECT FROM"
              + " paused_lane p WHERE p.account = q.account AND p.chat = q.chat) THEN 2 ELSE 1 END",
          "dead letters are counted",
          "SELECT a.name FROM account a WHERE coalesce((SELECT sum(dead) FROM"
              + " inbound_count c WHERE c.account = a.id), 0)"
              + " <> (SELECT count(*) FROM turn t JOIN inbound e ON e.id = t.id WHERE"
              + " t.status = 3 AND e.account = a.id)");

  /** What is wrong with the tables; nothing, at any moment at which nobody writes. */
  List<String> wrong() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      JdbcSession session = new JdbcSession(connection);
      List<String> wrong = new ArrayList<>();
      for (Map.Entry<String, String> rule : NEVER.entrySet()) {
        session
            .all(rule.getValue(), row -> row.getString(1))
            .forEach(broken -> wrong.add("not so: " + rule.getKey() + " (" + broken + ")"));
      }
      return wrong;
    }
  }
}
