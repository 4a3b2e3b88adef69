package dev.postrider.sqlite;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.media.BlobRows;
import dev.postrider.sqlite.message.LanePauses;
import dev.postrider.sqlite.message.MessageEndEffects;
import dev.postrider.sqlite.message.MessageWriter;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.Carried;
import dev.postrider.store.Transfer;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes everything out of a file, or puts it in. */
final class Moving implements Transfer {
  private static final Instant EVER = Instant.EPOCH;

  private final SqliteStore store;
  private final JdbcSession writer;
  private final Accounts accounts;
  private final BlobRows blobs;
  private final MessageEndEffects endEffects;
  private final MovingDesk desk;
  private final MovingRuns runs;
  private final StoreAccess access;

  Moving(
      SqliteStore store,
      JdbcSession writer,
      Accounts accounts,
      BlobRows blobs,
      MessageEndEffects endEffects,
      MovingDesk desk,
      MovingRuns runs,
      StoreAccess access) {
    this.store = store;
    this.writer = writer;
    this.accounts = accounts;
    this.blobs = blobs;
    this.endEffects = endEffects;
    this.desk = desk;
    this.runs = runs;
    this.access = access;
  }

  @Override
  public String inUseBecause() {
    return ""; // whoever opened the file has it alone
  }

  @Override
  public long count() {
    return access.read(
        session -> {
          Long all = session.one(MessageSql.COUNT_ALL, row -> row.getLong(1));
          return all == null ? 0L : all;
        });
  }

  // ---- out

  @Override
  public List<Carried> messages(long afterRow, int limit) {
    return access.read(
        session ->
            withHistory(session, session.all(MessageSql.CARRY, this::read, afterRow, limit)));
  }

  @Override
  public List<Carried> find(List<Carried> messages) {
    return access.read(
        session -> {
          List<Carried> found = new ArrayList<>();
          for (Carried message : messages) {
            Carried one =
                session.one(
                    MessageSql.CARRY_ONE, this::read, (Object) Rows.uid(message.message().id()));
            if (one != null) {
              found.add(one);
            }
          }
          return withHistory(session, found);
        });
  }

  @SuppressWarnings("NullAway") // a hash may be null, which is not seen of arrays in other modules
  private Carried read(ResultSet row) throws SQLException {
    StoredMessage message = Rows.message(row, accounts);
    boolean ended = message.status().ended();
    long seq = row.getLong(5);
    Long place = row.wasNull() || ended ? null : Long.valueOf(seq);
    return new Carried(
        message,
        place,
        !ended && row.getInt(6) != LanePauses.BEHIND,
        !ended && (row.getInt(11) & Values.SCHEDULED) != 0,
        row.getInt(8) == 0 ? Priority.LIVE : Priority.BULK,
        accounts.cipher().openIfAny(Column.CONTENT_HASH, message.id().value(), row.getBytes(24)),
        row.getBoolean(25),
        List.of());
  }

  private static List<Carried> withHistory(JdbcSession session, List<Carried> messages)
      throws SQLException {
    List<Carried> whole = new ArrayList<>(messages.size());
    for (Carried one : messages) {
      List<HistoryEntry> history =
          session.all(MessageSql.HISTORY, SqlReader::historyEntry, one.message().row());
      whole.add(one.with(history));
    }
    return whole;
  }

  @Override
  public Notes notes() {
    return new Notes(
        store.accounts(),
        store.budgets(EVER),
        store.pausedLanes(),
        store.aliases(),
        access.read(this::cursors));
  }

  private Map<String, String> cursors(JdbcSession session) throws SQLException {
    Map<String, String> cursors = new HashMap<>();
    session.all(
        InboundSql.CARRY_CURSORS,
        row -> cursors.put(accounts.name(row.getInt(1)), row.getString(2)));
    return cursors;
  }

  @Override
  public List<Event> events(long afterRow, int limit) {
    return desk.events(afterRow, limit);
  }

  @Override
  public List<Event> findEvents(List<Event> events) {
    return desk.findEvents(events);
  }

  @Override
  public List<SessionView> sessions(String afterId, int limit) {
    return desk.sessions(afterId, limit);
  }

  @Override
  public List<SessionReply> mirrored(@Nullable SessionReply after, int limit) {
    return desk.mirrored(after, limit);
  }

  @Override
  public List<Reminder> reminders(@Nullable UUID after, int limit) {
    return runs.reminders(after, limit);
  }

  @Override
  public List<StoredRun> runs(@Nullable UUID after, int limit) {
    return runs.runs(after, limit);
  }

  @Override
  public List<RunTarget> runTargets(UUID run, int from, int limit) {
    return runs.targets(run, from, limit);
  }

  @Override
  public List<Day> days() {
    return runs.days();
  }

  @Override
  public List<Word> words(@Nullable Word after, int limit) {
    Integer account = after == null ? null : accounts.id(after.account());
    return access.read(
        session ->
            session.all(
                InboundSql.CARRY_WORDS,
                this::word,
                account == null ? -1 : account,
                after == null ? new byte[0] : name(after),
                limit));
  }

  @Override
  public List<Word> findWords(List<Word> words) {
    return access.read(
        session -> {
          List<Word> found = new ArrayList<>();
          for (Word word : words) {
            Integer account = accounts.id(word.account());
            Word one = session.one(InboundSql.WORD_ON, this::word, account, name(word));
            if (one != null) {
              found.add(one);
            }
          }
          return found;
        });
  }

  private static byte[] name(Word word) {
    return Rows.bytes(Fingerprint.of(word.receipt()));
  }

  private Word word(ResultSet row) throws SQLException {
    String receipt = row.getString(2);
    byte[] uid = row.getBytes(3);
    return new Word(
        accounts.name(row.getInt(1)),
        receipt,
        uid == null ? null : Rows.id(uid),
        uid == null ? -1 : row.getInt(4),
        Values.report(row, 4, receipt),
        Values.nullableInstant(row, 8));
  }

  @Override
  public List<Held> files(String afterHash, int limit) {
    return access.read(
        session -> session.all(MessageSql.CARRY_BLOBS, Moving::held, afterHash, limit));
  }

  private static Held held(ResultSet row) throws SQLException {
    return new Held(SqlReader.blob(row), Values.instant(row.getLong(4)));
  }

  @Override
  public List<Upload> uploads(@Nullable Upload after, int limit) {
    return access.read(
        session ->
            session.all(
                MessageSql.CARRY_UPLOADS,
                SqlReader::upload,
                after == null ? "" : after.account(),
                after == null ? "" : after.hash(),
                after == null ? "" : after.variant(),
                limit));
  }

  // ---- in

  @Override
  public int add(List<Carried> messages) {
    return access.await(
        access.write(
            () -> {
              int added = 0;
              for (Carried message : messages) {
                added += add(message);
              }
              return added;
            }));
  }

  private int add(Carried carried) throws SQLException {
    StoredMessage of = carried.message();
    MessageId replayOf = of.replayOf();
    MessageId replayedAs = of.replayedAs();
    int flags =
        (of.late() ? Values.LATE : 0)
            | (of.possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0)
            | (carried.ordered() ? 0 : Values.UNORDERED)
            | (carried.scheduled() ? Values.SCHEDULED : 0);
    boolean active = !of.status().ended();
    ContentCipher cipher = accounts.cipher();
    UUID id = of.id().value();
    Long row =
        writer.one(
            MessageSql.ADD_CARRIED,
            added -> added.getLong(1),
            Rows.uid(of.id()),
            accounts.idOrNew(writer, of.message().account()),
            of.message().to(),
            carried.place(),
            carried.head() || carried.scheduled() ? LanePauses.HEAD : LanePauses.BEHIND,
            Values.status(of.status()),
            active ? 1 : 0,
            Values.priority(carried.priority()),
            of.attempts(),
            of.reservation(),
            flags,
            Values.micros(of.createdAt()),
            Values.micros(of.dueAt()),
            Values.micros(of.expiresAt()),
            Values.nullableMicros(of.triedAt()),
            Values.nullableMicros(of.endedAt()),
            MessageCodec.progress(of.progress()),
            of.error(),
            of.reason(),
            of.message().idempotencyKey(),
            cipher.sealIfAny(Column.CONTENT_HASH, id, carried.contentHash()),
            of.message().turnId(),
            of.message().sessionId(),
            of.message().runId(),
            replayOf == null ? null : Rows.uid(replayOf),
            replayedAs == null ? null : Rows.uid(replayedAs),
            cipher.seal(Column.MESSAGE, id, MessageCodec.content(of.message())),
            cipher.sealIfAny(Column.PLAN, id, MessageCodec.plan(of.id(), of.message(), of.plan())));
    if (row == null) {
      return 0;
    }
    for (HistoryEntry entry : carried.history()) {
      MessageWriter.addHistory(writer, row, entry);
    }
    blobs.use(carried.files(), row);
    if (carried.unfollowed()) {
      endEffects.add(row, of.message());
    }
    return 1;
  }

  @Override
  public void add(Notes notes) {
    for (AccountState state : notes.accounts()) {
      access.await(store.save(state));
    }
    access.await(store.save(notes.budgets()));
    for (PausedLane lane : notes.pausedLanes()) {
      access.await(store.pauseLane(lane));
    }
    access.await(
        access.write(
            () -> {
              for (ChatAlias alias : notes.aliases()) {
                int account = accounts.idOrNew(writer, alias.account());
                writer.update(MessageSql.ADD_ALIAS, account, alias.former(), alias.chat());
              }
              return null;
            }));
    notes.cursors().keySet().stream()
        .filter(account -> store.cursor(account).isEmpty())
        .forEach(
            account ->
                access.await(store.receive(account, List.of(), notes.cursors().get(account))));
  }

  @Override
  public void addEvents(List<Event> events) {
    desk.addEvents(events);
  }

  @Override
  public void addSessions(List<SessionView> sessions) {
    desk.addSessions(sessions);
  }

  @Override
  public void addMirrored(List<SessionReply> messages) {
    desk.addMirrored(messages);
  }

  @Override
  public void addReminder(Reminder reminder) {
    runs.add(reminder);
  }

  @Override
  public void addRun(StoredRun run) {
    runs.add(run);
  }

  @Override
  public void addRunTargets(List<RunTarget> targets) {
    runs.addTargets(targets);
  }

  @Override
  public void addDays(List<Day> days) {
    runs.addDays(days);
  }

  @Override
  public void addWords(List<Word> words) {
    access.await(
        access.write(
            () -> {
              for (Word word : words) {
                add(word);
              }
              return null;
            }));
  }

  private void add(Word word) throws SQLException {
    MessageId message = word.message();
    DeliveryReport furthest = word.furthest();
    writer.update(
        InboundSql.ADD_CARRIED_WORD,
        accounts.idOrNew(writer, word.account()),
        name(word),
        word.receipt(),
        message == null ? null : Rows.uid(message),
        message == null ? null : word.part(),
        furthest == null ? null : Values.state(furthest.state()),
        furthest == null ? null : Values.micros(furthest.at()),
        furthest == null ? null : furthest.detail(),
        Values.nullableMicros(word.unclaimedSince()));
  }
}
