package dev.postrider.jdbc;

import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.NewestFirst;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReasonCount;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reads about reminders, with a reader's statements. */
public final class ReminderReader {
  /** How many columns a whole run has. */
  public static final int RUN_WIDTH = 16;

  private static final int TARGET_WIDTH = 11;

  private static final PagePortion.Columns LARGE_OF_REMINDER = PagePortion.Columns.of(5);
  private static final PagePortion.Columns LARGE_OF_RUN = PagePortion.Columns.of(9);
  private static final PagePortion.Columns LARGE_OF_TARGET = PagePortion.Columns.of(4, 8);

  private final SqlReader reader;
  private final JdbcSession session;

  public ReminderReader(SqlReader reader) {
    this.reader = reader;
    this.session = reader.session;
  }

  // ---- reminders

  Optional<StoredReminder> reminder(UUID id) throws SQLException {
    return Optional.ofNullable(
        session.one(reader.sql(ReadQuery.REMINDER), this::reminder, reader.key(id)));
  }

  Page<StoredReminder> reminders(@Nullable String account, @Nullable String cursor, int limit)
      throws SQLException {
    Integer number = account == null ? null : reader.number(account);
    if (account != null && number == null) {
      return new Page<>(List.of(), null);
    }
    return NewestFirst.page(
        (time, id, most) ->
            number == null
                ? reader.portion(
                    ReadQuery.REMINDERS,
                    this::reminder,
                    LARGE_OF_REMINDER,
                    time,
                    reader.key(id),
                    most)
                : reader.portion(
                    ReadQuery.REMINDERS_OF_ACCOUNT,
                    this::reminder,
                    LARGE_OF_REMINDER,
                    number,
                    time,
                    reader.key(id),
                    most),
        item -> NewestFirst.of(item.createdAt(), item.id()),
        cursor,
        limit);
  }

  /** A reminder: id, name, account, next firing, document, targets, version, created, updated. */
  public StoredReminder reminder(ResultSet row) throws SQLException {
    String account = reader.account(row.getInt(3));
    return new StoredReminder(
        reader.id(row, 1),
        row.getString(2),
        account,
        Values.nullableInstant(row, 4),
        document(row, 5, reader.id(row, 1), account),
        row.getInt(6),
        row.getLong(7),
        Values.instant(row.getLong(8)),
        Values.instant(row.getLong(9)));
  }

  /** The document of a reminder; a run has a copy of its reminder's. */
  private String document(ResultSet row, int column, UUID reminder, String account)
      throws SQLException {
    try {
      byte[] document = reader.cipher().open(Column.REMINDER, reminder, row.getBytes(column));
      return new String(document, StandardCharsets.UTF_8);
    } catch (UnreadableContent e) {
      if (!e.why().forGood()) {
        throw e; // whoever asked asks again
      }
      return MessageCodec.JSON.writeValueAsString(
          Map.of("unreadable", e.why().because(), "account", account));
    }
  }

  /** The targets of a reminder from that place on. */
  public List<ReminderTarget> targets(UUID reminder, int from, int limit) throws SQLException {
    return session.all(
        reader.sql(ReadQuery.REMINDER_TARGETS),
        row -> target(row, 1),
        reader.key(reminder),
        from,
        limit);
  }

  /** A target: its account, chat and content, from this column on. */
  private ReminderTarget target(ResultSet row, int column) throws SQLException {
    String account = reader.account(row.getInt(column));
    String chat = row.getString(column + 1);
    byte[] stored = row.getBytes(column + 2);
    if (stored == null) {
      return TargetCodec.target(account, chat, null);
    }
    try {
      byte[] content = reader.cipher().open(Column.TARGET, TargetCodec.row(account, chat), stored);
      return TargetCodec.target(account, chat, content);
    } catch (UnreadableContent e) {
      if (!e.why().forGood()) {
        throw e;
      }
      // Without its name and variables; a message that needs one fails at this target only.
      return new ReminderTarget(account, chat, null, Map.of());
    }
  }

  // ---- firing

  List<StoredReminder> due(Set<String> accounts, Instant now, int limit) throws SQLException {
    List<StoredReminder> due = new ArrayList<>();
    for (int account : numbers(accounts)) {
      due.addAll(
          session.all(
              reader.sql(ReadQuery.REMINDERS_DUE),
              this::reminder,
              account,
              Values.micros(now),
              limit));
    }
    return due.stream()
        .sorted(Comparator.comparing(one -> one.nextFire() == null ? now : one.nextFire()))
        .limit(limit)
        .toList();
  }

  Optional<Instant> nextFire(Set<String> accounts) throws SQLException {
    Instant earliest = null;
    for (int account : numbers(accounts)) {
      Instant found =
          session.one(
              reader.sql(ReadQuery.NEXT_FIRE), row -> Values.nullableInstant(row, 1), account);
      if (found != null && (earliest == null || found.isBefore(earliest))) {
        earliest = found;
      }
    }
    return Optional.ofNullable(earliest);
  }

  private List<Integer> numbers(Collection<String> accounts) throws SQLException {
    List<Integer> numbers = new ArrayList<>(accounts.size());
    for (String account : accounts) {
      Integer number = reader.number(account);
      if (number != null) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  // ---- runs

  Optional<StoredRun> run(UUID id) throws SQLException {
    return Optional.ofNullable(session.one(reader.sql(ReadQuery.RUN), this::run, reader.key(id)));
  }

  Page<StoredRun> runs(RunFilter filter, @Nullable String cursor, int limit) throws SQLException {
    return NewestFirst.page(
        (time, id, most) -> runs(filter, time, id, most), ReminderReader::place, cursor, limit);
  }

  private static NewestFirst place(StoredRun run) {
    return NewestFirst.of(run.createdAt(), run.id());
  }

  private PagePortion<StoredRun> runs(RunFilter filter, long time, UUID id, int most)
      throws SQLException {
    UUID reminder = filter.reminder();
    if (reminder != null) {
      Object key = reader.key(reminder);
      return portion(ReadQuery.RUNS_OF_REMINDER, key, bits(filter), time, reader.key(id), most);
    }
    if (filter.statuses().isEmpty()) {
      return portion(ReadQuery.RUNS, time, reader.key(id), most);
    }
    List<PagePortion<StoredRun>> each = new ArrayList<>();
    for (RunStatus status : filter.statuses()) {
      int number = Values.status(status);
      each.add(portion(ReadQuery.RUNS_OF_STATUS, number, time, reader.key(id), most));
    }
    return PagePortion.together(each, Comparator.comparing(ReminderReader::place), most);
  }

  private PagePortion<StoredRun> portion(ReadQuery question, @Nullable Object... values)
      throws SQLException {
    return reader.portion(question, this::run, LARGE_OF_RUN, values);
  }

  /** A bit for each status. */
  private static int bits(RunFilter filter) {
    int bits = filter.statuses().stream().mapToInt(status -> 1 << Values.status(status)).sum();
    return bits == 0 ? -1 : bits;
  }

  List<StoredRun> active(Set<String> accounts) throws SQLException {
    Map<UUID, StoredRun> active = new LinkedHashMap<>();
    for (int account : numbers(accounts)) {
      session
          .all(reader.sql(ReadQuery.ACTIVE_RUNS), this::run, account)
          .forEach(run -> active.put(run.id(), run));
    }
    return active.values().stream()
        .sorted(Comparator.comparing(StoredRun::createdAt).thenComparing(StoredRun::id))
        .toList();
  }

  /**
   * A run: id, reminder, name, instant, account, status, reason, until, document, total, summary,
   * created, started, ended, resumed, version.
   */
  public StoredRun run(ResultSet row) throws SQLException {
    String account = reader.account(row.getInt(5));
    return new StoredRun(
        reader.id(row, 1),
        reader.id(row, 2),
        row.getString(3),
        Values.instant(row.getLong(4)),
        account,
        Values.runStatus(row.getInt(6)),
        row.getString(7),
        Values.nullableInstant(row, 8),
        document(row, 9, reader.id(row, 2), account),
        row.getInt(10),
        row.getString(11),
        Values.instant(row.getLong(12)),
        Values.nullableInstant(row, 13),
        Values.nullableInstant(row, 14),
        Values.nullableInstant(row, 15),
        row.getLong(16));
  }

  Optional<StoredRun> going(UUID reminder) throws SQLException {
    return Optional.ofNullable(
        session.one(reader.sql(ReadQuery.GOING_RUN), this::run, reader.key(reminder)));
  }

  Set<String> accounts(UUID run) throws SQLException {
    return Set.copyOf(
        session.all(
            reader.sql(ReadQuery.RUN_ACCOUNTS),
            row -> reader.account(row.getInt(1)),
            reader.key(run)));
  }

  // ---- targets of runs

  Map<TargetStatus, Integer> counts(UUID run) throws SQLException {
    Map<TargetStatus, Integer> counts = new EnumMap<>(TargetStatus.class);
    session.all(
        reader.sql(ReadQuery.COUNT_TARGETS),
        row -> counts.put(Values.targetStatus(row.getInt(1)), row.getInt(2)),
        reader.key(run));
    return counts;
  }

  List<ReasonCount> reasons(UUID run, int limit) throws SQLException {
    return session.all(
        reader.sql(ReadQuery.COUNT_REASONS),
        row -> new ReasonCount(row.getString(1), row.getInt(2)),
        reader.key(run),
        limit);
  }

  Map<String, Integer> left(UUID run, int from, int to) throws SQLException {
    Map<String, Integer> left = new HashMap<>();
    session.all(
        reader.sql(ReadQuery.COUNT_LEFT),
        row -> left.put(reader.account(row.getInt(1)), row.getInt(2)),
        reader.key(run),
        from,
        to);
    return left;
  }

  /** Pending targets that the account sends to, from one place to before another. */
  public List<RunTarget> pending(UUID run, String account, int from, int to, int limit)
      throws SQLException {
    Integer number = reader.number(account);
    return number == null
        ? List.of()
        : session.all(
            reader.sql(ReadQuery.PENDING_TARGETS),
            row -> target(run, row),
            reader.key(run),
            number,
            from,
            to,
            limit);
  }

  List<RunTarget> sending(String account) throws SQLException {
    Integer number = reader.number(account);
    return number == null
        ? List.of()
        : session.all(
            reader.sql(ReadQuery.SENDING_TARGETS),
            row -> target(reader.id(row, TARGET_WIDTH + 1), row),
            number);
  }

  Page<RunTarget> targets(UUID run, RunTargetFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    PagePortion<RunTarget> found = targets(run, filter, from(cursor), limit);
    List<RunTarget> items = found.items();
    return new Page<>(items, found.mayGoOn(limit) ? String.valueOf(items.getLast().n() + 1) : null);
  }

  private PagePortion<RunTarget> targets(UUID run, RunTargetFilter filter, int from, int limit)
      throws SQLException {
    JdbcSession.Mapper<RunTarget> mapper = row -> target(run, row);
    Object key = reader.key(run);
    TargetStatus status = filter.status();
    String reason = filter.reason();
    if (reason != null) {
      int bits = filter.statuses().stream().mapToInt(one -> 1 << Values.status(one)).sum();
      return reader.portion(
          ReadQuery.RUN_TARGETS_OF_REASON,
          mapper,
          LARGE_OF_TARGET,
          key,
          reason,
          reason,
          bits,
          from,
          limit);
    }
    return status == null
        ? reader.portion(ReadQuery.RUN_TARGETS, mapper, LARGE_OF_TARGET, key, from, limit)
        : reader.portion(
            ReadQuery.RUN_TARGETS_OF_STATUS,
            mapper,
            LARGE_OF_TARGET,
            key,
            Values.status(status),
            from,
            limit);
  }

  List<RunReport> reported(Set<String> accounts, @Nullable Long after, int limit)
      throws SQLException {
    List<RunReport> reports = new ArrayList<>();
    for (int account : numbers(accounts)) {
      reports.addAll(
          session.all(
              reader.sql(ReadQuery.RUN_REPORTS),
              row ->
                  new RunReport(row.getLong(1), new MessageId(reader.id(row, 2)), row.getLong(3)),
              account,
              after == null ? Long.MIN_VALUE : after,
              limit));
    }
    return reports.stream().sorted(Comparator.comparingLong(RunReport::row)).limit(limit).toList();
  }

  private static int from(@Nullable String cursor) {
    try {
      return cursor == null ? 0 : Integer.parseInt(cursor);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list", e);
    }
  }

  /**
   * A target of a run: place, account, chat, content, status, step, tries, messages, error, began,
   * ended.
   */
  private RunTarget target(UUID run, ResultSet row) throws SQLException {
    return new RunTarget(
        run,
        row.getInt(1),
        target(row, 2),
        Values.targetStatus(row.getInt(5)),
        row.getInt(6),
        row.getInt(7),
        TargetCodec.messages(row.getBytes(8)),
        row.getString(9),
        Values.nullableInstant(row, 10),
        Values.nullableInstant(row, 11));
  }

  int sentOn(String account, LocalDate day) throws SQLException {
    Integer number = reader.number(account);
    Integer sent =
        number == null
            ? null
            : session.one(
                reader.sql(ReadQuery.SENT_ON), row -> row.getInt(1), day.toEpochDay(), number);
    return sent == null ? 0 : sent;
  }
}
