package dev.postrider.postgres;

import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.message.LanePauses;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.reminder.ReminderWriter;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.store.Carried;
import dev.postrider.store.Transfer;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.time.Scheduler;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Takes everything out of a database, or puts it in. */
final class Moving implements Transfer {
  private static final Instant EVER = Instant.EPOCH;

  private final PostgresStore store;
  private final DataSource database;
  private final Accounts accounts;
  private final Scheduler time;
  private final MovingDesk desk;
  private final MovingWords words;
  private final MovingRuns runs;

  Moving(
      PostgresStore store,
      DataSource database,
      Accounts accounts,
      ReminderWriter reminders,
      Scheduler time) {
    this.store = store;
    this.database = database;
    this.accounts = accounts;
    this.time = time;
    this.desk = new MovingDesk(accounts);
    this.words = new MovingWords(accounts);
    this.runs = new MovingRuns(accounts, reminders);
  }

  @Override
  public String inUseBecause() {
    List<String> alive =
        store.roll().nodes().stream()
            .filter(ClusterSnapshot.Node::alive)
            .map(ClusterSnapshot.Node::name)
            .toList();
    return alive.isEmpty()
        ? ""
        : "servers work on it: " + String.join(", ", alive) + "; stop them first";
  }

  @FunctionalInterface
  private interface Work<T> {
    T run(Connection connection, JdbcSession session) throws SQLException;
  }

  private <T> T inTransaction(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      T result = work.run(connection, new JdbcSession(connection));
      connection.commit();
      return result;
    } catch (SQLException e) {
      StoreUnavailable known = PgErrors.unavailable(e);
      throw known == null ? new StoreUnavailable(String.valueOf(e.getMessage()), e) : known;
    }
  }

  @Override
  public long count() {
    return inTransaction(
        (_, session) -> {
          Long all = session.one(MessageSql.COUNT_ALL, row -> row.getLong(1));
          return all == null ? 0L : all;
        });
  }

  // ---- out

  @Override
  public List<Carried> messages(long afterRow, int limit) {
    return inTransaction(
        (connection, session) ->
            withHistory(
                connection, session, session.all(MessageSql.CARRY, this::read, afterRow, limit)));
  }

  @Override
  public List<Carried> find(List<Carried> messages) {
    return inTransaction(
        (connection, session) ->
            withHistory(
                connection,
                session,
                session.all(
                    MessageSql.CARRY_THESE,
                    this::read,
                    batches(connection).uuids(messages, one -> one.message().id().value()))));
  }

  private static BatchColumns batches(Connection connection) {
    return new BatchColumns(connection, "", "");
  }

  @SuppressWarnings("NullAway") // a hash may be null, which is not seen of arrays in other modules
  private Carried read(ResultSet row) throws SQLException {
    StoredMessage message = Rows.message(row, accounts);
    boolean ended = message.status().ended();
    long seq = row.getLong(MessageSql.MESSAGE_WIDTH + 2);
    Long place = row.wasNull() ? null : Long.valueOf(seq);
    boolean arriving = row.getBoolean(MessageSql.MESSAGE_WIDTH + 4);
    boolean ordered = (row.getInt(8) & Values.UNORDERED) == 0;
    boolean scheduled = (row.getInt(8) & Values.SCHEDULED) != 0;
    return new Carried(
        message,
        place,
        !ended && (arriving || row.getBoolean(MessageSql.MESSAGE_WIDTH + 3)),
        // An arrival waits outside its lane, too; where it arrives it enters when it is due: now.
        !ended && ordered && (scheduled || arriving),
        ended
            ? message.message().priority()
            : row.getInt(MessageSql.MESSAGE_WIDTH + 5) == 0 ? Priority.LIVE : Priority.BULK,
        accounts
            .cipher()
            .openIfAny(
                Column.CONTENT_HASH,
                message.id().value(),
                row.getBytes(MessageSql.MESSAGE_WIDTH + 1)),
        row.getBoolean(MessageSql.MESSAGE_WIDTH + 6),
        List.of());
  }

  private static List<Carried> withHistory(
      Connection connection, JdbcSession session, List<Carried> messages) throws SQLException {
    Map<Long, List<HistoryEntry>> histories = new HashMap<>();
    session.all(
        MessageSql.CARRY_HISTORY,
        row ->
            histories
                .computeIfAbsent(row.getLong(7), _ -> new ArrayList<>())
                .add(SqlReader.historyEntry(row)),
        batches(connection).longs(messages, one -> one.message().row()));
    return messages.stream()
        .map(one -> one.with(histories.getOrDefault(one.message().row(), List.of())))
        .toList();
  }

  @Override
  public Notes notes() {
    Map<String, String> cursors = new HashMap<>();
    inTransaction(
        (_, session) ->
            session.all(
                InboundSql.CARRY_CURSORS,
                row -> cursors.put(accounts.name(row.getInt(1)), row.getString(2))));
    return new Notes(
        store.accounts(), store.budgets(EVER), store.pausedLanes(), store.aliases(), cursors);
  }

  @Override
  public List<Event> events(long afterRow, int limit) {
    return inTransaction(
        (connection, session) -> desk.events(session, batches(connection), afterRow, limit));
  }

  @Override
  public List<Event> findEvents(List<Event> events) {
    return inTransaction((connection, session) -> desk.find(session, batches(connection), events));
  }

  @Override
  public List<SessionView> sessions(String afterId, int limit) {
    return inTransaction((_, session) -> desk.sessions(session, afterId, limit));
  }

  @Override
  public List<SessionReply> mirrored(@Nullable SessionReply after, int limit) {
    return inTransaction((_, session) -> desk.mirrored(session, after, limit));
  }

  @Override
  public List<Reminder> reminders(@Nullable UUID after, int limit) {
    return inTransaction((_, session) -> runs.reminders(session, after, limit));
  }

  @Override
  public List<StoredRun> runs(@Nullable UUID after, int limit) {
    return inTransaction((_, session) -> runs.runs(session, after, limit));
  }

  @Override
  public List<RunTarget> runTargets(UUID run, int from, int limit) {
    return inTransaction((_, session) -> runs.targets(session, run, from, limit));
  }

  @Override
  public List<Day> days() {
    return inTransaction((_, session) -> runs.days(session));
  }

  @Override
  public List<Word> words(@Nullable Word after, int limit) {
    return inTransaction((_, session) -> words.after(session, after, limit));
  }

  @Override
  public List<Word> findWords(List<Word> all) {
    return inTransaction((connection, session) -> words.find(session, batches(connection), all));
  }

  @Override
  public List<Held> files(String afterHash, int limit) {
    return inTransaction(
        (_, session) -> session.all(MessageSql.CARRY_BLOBS, Moving::held, afterHash, limit));
  }

  private static Held held(ResultSet row) throws SQLException {
    return new Held(SqlReader.blob(row), Values.instant(row.getLong(4)));
  }

  @Override
  public List<Upload> uploads(@Nullable Upload after, int limit) {
    return inTransaction(
        (_, session) ->
            session.all(
                MessageSql.CARRY_UPLOADS,
                SqlReader::upload,
                after == null ? "" : after.account(),
                after == null ? "" : after.hash(),
                after == null ? "" : after.variant(),
                limit));
  }

  // ---- in

  /** A message with the row it gets. */
  private record Row(long id, int account, Carried carried) {
    StoredMessage of() {
      return carried.message();
    }

    int flags() {
      return (of().late() ? Values.LATE : 0)
          | (of().possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0)
          | (carried.ordered() ? 0 : Values.UNORDERED)
          | (carried.scheduled() ? Values.SCHEDULED : 0);
    }
  }

  @Override
  public int add(List<Carried> messages) {
    if (messages.isEmpty()) {
      return 0;
    }
    return inTransaction(
        (connection, session) -> {
          BatchColumns arrays = batches(connection);
          List<Long> ids = session.all(MessageSql.NEXT_IDS, row -> row.getLong(1), messages.size());
          List<Row> rows = new ArrayList<>(messages.size());
          for (int i = 0; i < messages.size(); i++) {
            Carried one = messages.get(i);
            int account = accounts.idOrNew(one.message().message().account());
            rows.add(new Row(ids.get(i), account, one));
          }
          Set<Long> fresh = addMessages(session, arrays, rows);
          List<Row> added = rows.stream().filter(row -> fresh.contains(row.id)).toList();
          addActive(
              session, arrays, added.stream().filter(row -> !row.of().status().ended()).toList());
          addEnded(
              session, arrays, added.stream().filter(row -> row.of().status().ended()).toList());
          addHistory(session, arrays, added);
          addUses(session, arrays, added);
          addFollows(session, arrays, added);
          count(session, arrays, added);
          return added.size();
        });
  }

  private Set<Long> addMessages(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    ContentCipher cipher = accounts.cipher();
    return new HashSet<>(
        session.all(
            MessageSql.CARRY_MESSAGES,
            row -> row.getLong(1),
            arrays.longs(rows, Row::id),
            arrays.uuids(rows, row -> row.of().id().value()),
            arrays.ints(rows, Row::account),
            arrays.texts(rows, row -> row.of().message().to()),
            arrays.longs(rows, row -> Values.micros(row.of().createdAt())),
            arrays.longs(rows, row -> Values.micros(row.of().expiresAt())),
            arrays.texts(rows, row -> row.of().message().idempotencyKey()),
            arrays.bytes(
                rows,
                row ->
                    cipher.sealIfAny(
                        Column.CONTENT_HASH, row.of().id().value(), row.carried.contentHash())),
            arrays.texts(rows, row -> row.of().message().turnId()),
            arrays.texts(rows, row -> row.of().message().sessionId()),
            arrays.texts(rows, row -> row.of().message().runId()),
            arrays.uuids(rows, row -> uuid(row.of().replayOf())),
            arrays.uuids(rows, row -> uuid(row.of().replayedAs())),
            arrays.bytes(
                rows,
                row ->
                    cipher.seal(
                        Column.MESSAGE,
                        row.of().id().value(),
                        MessageCodec.content(row.of().message()))),
            arrays.bytes(
                rows,
                row ->
                    cipher.sealIfAny(
                        Column.PLAN,
                        row.of().id().value(),
                        MessageCodec.plan(row.of().id(), row.of().message(), row.of().plan())))));
  }

  private static @Nullable UUID uuid(@Nullable MessageId id) {
    return id == null ? null : id.value();
  }

  private static void addActive(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    session.update(
        MessageSql.CARRY_QUEUE,
        arrays.longs(rows, Row::id),
        arrays.ints(rows, Row::account),
        arrays.texts(rows, row -> row.of().message().to()),
        arrays.nullableLongs(rows, row -> row.carried.place()),
        arrays.ints(rows, row -> row.carried.head() ? LanePauses.HEAD : LanePauses.BEHIND),
        arrays.flags(rows, _ -> false),
        arrays.ints(rows, row -> Values.status(row.of().status())),
        arrays.ints(rows, row -> Values.priority(row.carried.priority())),
        arrays.ints(rows, row -> row.of().attempts()),
        arrays.ints(rows, row -> row.of().reservation()),
        arrays.ints(rows, Row::flags),
        arrays.longs(rows, row -> Values.micros(row.of().dueAt())),
        arrays.longs(rows, row -> Values.micros(row.of().expiresAt())),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.of().triedAt())),
        arrays.bytes(rows, row -> MessageCodec.progress(row.of().progress())),
        arrays.texts(rows, row -> Rows.clean(row.of().error())));
  }

  private static void addEnded(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    session.update(
        MessageSql.CARRY_ENDED,
        arrays.longs(rows, Row::id),
        arrays.ints(rows, Row::account),
        arrays.ints(rows, row -> Values.status(row.of().status())),
        arrays.ints(rows, row -> row.of().attempts()),
        arrays.ints(rows, row -> row.of().reservation()),
        arrays.ints(rows, Row::flags),
        arrays.longs(rows, row -> Values.micros(row.of().dueAt())),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.of().triedAt())),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.of().endedAt())),
        arrays.bytes(rows, row -> MessageCodec.progress(row.of().progress())),
        arrays.texts(rows, row -> Rows.clean(row.of().error())),
        arrays.texts(rows, row -> row.of().reason()),
        arrays.flags(rows, row -> row.of().message().idempotencyKey() != null));
  }

  private static void addHistory(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    record Line(long row, int n, HistoryEntry entry) {}
    List<Line> lines = new ArrayList<>();
    for (Row row : rows) {
      int n = 1;
      for (HistoryEntry entry : row.carried.history()) {
        lines.add(new Line(row.id, n++, entry));
      }
    }
    session.update(
        MessageSql.CARRY_HISTORY_IN,
        arrays.longs(lines, Line::row),
        arrays.ints(lines, Line::n),
        arrays.longs(lines, line -> Values.micros(line.entry.at())),
        arrays.ints(lines, line -> line.entry.attempt()),
        arrays.ints(lines, line -> line.entry.part()),
        arrays.texts(lines, line -> line.entry.outcome()),
        arrays.texts(lines, line -> Rows.clean(line.entry.error())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.entry.nextAt())));
  }

  private static void addUses(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    record Use(String hash, long row) {}
    List<Use> uses =
        rows.stream()
            .flatMap(row -> row.carried.files().stream().map(hash -> new Use(hash, row.id)))
            .filter(use -> IncomingBytes.isName(use.hash))
            .toList();
    session.update(
        MessageSql.CARRY_USES, arrays.texts(uses, Use::hash), arrays.longs(uses, Use::row));
  }

  private static void addFollows(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    List<Row> followed = rows.stream().filter(row -> row.carried.unfollowed()).toList();
    session.update(
        TurnSql.ADD_FOLLOWS,
        arrays.longs(followed, Row::id),
        arrays.uuids(followed, row -> Rows.turn(row.of().message())));
  }

  private static void count(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    BatchSideEffects sideEffects = new BatchSideEffects();
    for (Row row : rows) {
      if (!row.of().status().ended()) {
        sideEffects.messageAdded(row.account);
      } else if (row.of().status().deadLetter()) {
        sideEffects.deadLetterAdded(row.account);
      }
    }
    sideEffects.write(session, arrays);
  }

  @Override
  public void add(Notes notes) {
    for (AccountState state : notes.accounts()) {
      time.await(store.save(state));
    }
    time.await(store.save(notes.budgets()));
    for (PausedLane lane : notes.pausedLanes()) {
      time.await(store.pauseLane(lane));
    }
    inTransaction(
        (_, session) -> {
          for (ChatAlias alias : notes.aliases()) {
            int account = accounts.idOrNew(alias.account());
            session.update(MessageSql.ADD_ALIAS, account, alias.former(), alias.chat());
          }
          return true;
        });
    notes.cursors().keySet().stream()
        .filter(account -> store.cursor(account).isEmpty())
        .forEach(
            account -> time.await(store.receive(account, List.of(), notes.cursors().get(account))));
  }

  @Override
  public void addEvents(List<Event> events) {
    inTransaction((connection, session) -> desk.add(session, batches(connection), events));
  }

  @Override
  public void addSessions(List<SessionView> sessions) {
    inTransaction(
        (connection, session) -> desk.addSessions(session, batches(connection), sessions));
  }

  @Override
  public void addMirrored(List<SessionReply> messages) {
    inTransaction(
        (connection, session) -> desk.addMirrored(session, batches(connection), messages));
  }

  @Override
  public void addReminder(Reminder reminder) {
    inTransaction((connection, session) -> runs.add(session, batches(connection), reminder));
  }

  @Override
  public void addRun(StoredRun run) {
    inTransaction((_, session) -> runs.add(session, run));
  }

  @Override
  public void addRunTargets(List<RunTarget> targets) {
    inTransaction((connection, session) -> runs.addTargets(session, batches(connection), targets));
  }

  @Override
  public void addDays(List<Day> days) {
    inTransaction((connection, session) -> runs.addDays(session, batches(connection), days));
  }

  @Override
  public void addWords(List<Word> all) {
    inTransaction((connection, session) -> words.add(session, batches(connection), all));
  }
}
