package dev.postrider.jdbc;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.inbound.SessionPages;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.NewestFirst;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reads of an inbound store, with a reader's statements. */
public final class InboundReader {
  private static final PagePortion.Columns LARGE_OF_SAID = PagePortion.Columns.of(6, 7);

  private final SqlReader reader;
  private final JdbcSession session;

  public InboundReader(SqlReader reader) {
    this.reader = reader;
    this.session = reader.session;
  }

  // ---- handing out

  Optional<StoredInbound> leased(UUID lease) throws SQLException {
    return Optional.ofNullable(
        session.one(reader.sql(ReadQuery.LEASED), reader::event, reader.key(lease)));
  }

  List<StoredInbound> lapsed(Instant now, int limit) throws SQLException {
    return session.all(reader.sql(ReadQuery.LAPSED), reader::event, Values.micros(now), limit);
  }

  Optional<Instant> nextLapse() throws SQLException {
    return Optional.ofNullable(
        session.one(reader.sql(ReadQuery.NEXT_LAPSE), row -> Values.nullableInstant(row, 1)));
  }

  Optional<Instant> nextDue(Set<String> accounts, Instant now) throws SQLException {
    Instant earliest = null;
    for (String account : accounts) {
      Integer number = reader.number(account);
      Instant found =
          number == null
              ? null
              : session.one(
                  reader.sql(ReadQuery.NEXT_EVENT_DUE),
                  row -> Values.nullableInstant(row, 1),
                  number,
                  Values.micros(now));
      if (found != null && (earliest == null || found.isBefore(earliest))) {
        earliest = found;
      }
    }
    return Optional.ofNullable(earliest);
  }

  Map<InboundId, List<InboundFile>> files(Collection<InboundId> ids) throws SQLException {
    String names = ids.stream().map(InboundId::toString).collect(Collectors.joining(","));
    return session
        .all(
            reader.sql(ReadQuery.INBOUND_FILES),
            row -> file(row, new InboundId(reader.id(row, 6))),
            names)
        .stream()
        .sorted(Comparator.comparing(InboundFile::index))
        .collect(Collectors.groupingBy(InboundFile::inbound));
  }

  /** A file: index, state, attempts, hash, error. */
  public static InboundFile file(ResultSet row, InboundId id) throws SQLException {
    return new InboundFile(
        id,
        row.getInt(1),
        InboundFile.State.values()[row.getInt(2)],
        row.getInt(3),
        row.getString(4),
        row.getString(5));
  }

  /** What a claimed file is stored as, once its result is known. */
  public static int state(InboundFile done, @Nullable Instant nextAt) {
    return (done.hash() != null
            ? InboundFile.State.KEPT
            : nextAt != null ? InboundFile.State.PENDING : InboundFile.State.FAILED)
        .ordinal();
  }

  List<InboundNote> notes(InboundId id) throws SQLException {
    return session.all(
        reader.sql(ReadQuery.INBOUND_NOTES), InboundReader::note, reader.key(id.value()));
  }

  /** What went wrong: time, attempt, error, next time. */
  public static InboundNote note(ResultSet row) throws SQLException {
    return new InboundNote(
        Values.instant(row.getLong(1)),
        row.getInt(2),
        row.getString(3),
        Values.nullableInstant(row, 4));
  }

  // ---- what follows

  InboundStore.Unfollowed unfollowed(@Nullable Long afterRow, int limit) throws SQLException {
    List<MessageId> ended = new ArrayList<>();
    List<Long> looked =
        session.all(
            reader.sql(ReadQuery.UNFOLLOWED),
            row -> {
              if (Values.status(row.getInt(3)).ended()) {
                ended.add(new MessageId(reader.id(row, 2)));
              }
              return row.getLong(1);
            },
            afterRow == null ? 0L : afterRow,
            limit);
    return new InboundStore.Unfollowed(
        List.copyOf(ended), looked.size() < limit ? null : looked.getLast());
  }

  // ---- sessions

  Optional<SessionView> session(String id) throws SQLException {
    return Optional.ofNullable(session.one(reader.sql(ReadQuery.SESSION), this::view, id));
  }

  Page<SessionView> sessions(@Nullable String account, @Nullable String cursor, int limit)
      throws SQLException {
    if (account == null) {
      return SessionPages.sessions(
          (time, name, most) ->
              session.all(reader.sql(ReadQuery.SESSIONS), this::view, time, name, most),
          cursor,
          limit);
    }
    Integer number = reader.number(account);
    return number == null
        ? new Page<>(List.of(), null)
        : SessionPages.sessions(
            (time, name, most) ->
                session.all(
                    reader.sql(ReadQuery.SESSIONS_OF_ACCOUNT),
                    this::view,
                    number,
                    time,
                    name,
                    most),
            cursor,
            limit);
  }

  /** A session: id, account, chat, thread, waiting, last word, paused because, since. */
  public SessionView view(ResultSet row) throws SQLException {
    return new SessionView(
        row.getString(1),
        reader.account(row.getInt(2)),
        row.getString(3),
        row.getString(4),
        row.getInt(5),
        Values.instant(row.getLong(6)),
        row.getString(7),
        Values.nullableInstant(row, 8));
  }

  Page<SessionEntry> history(String name, @Nullable String cursor, int limit) throws SQLException {
    return SessionPages.history(new History(reader.sessionNow(name)), cursor, limit);
  }

  private final class History implements SessionPages.History {
    private final String name;

    History(String name) {
      this.name = name;
    }

    @Override
    public PagePortion<StoredInbound> heard(long beforeTime, long beforeRow, int limit)
        throws SQLException {
      return reader.events(ReadQuery.HEARD, name, beforeTime, beforeRow, limit);
    }

    @Override
    public PagePortion<SessionReply> said(long beforeTime, UUID beforeId, int limit)
        throws SQLException {
      return reader.portion(
          ReadQuery.SAID,
          InboundReader.this::mirrored,
          LARGE_OF_SAID,
          name,
          beforeTime,
          reader.key(beforeId),
          limit);
    }
  }

  /** What was said: session, time, id, account, chat, content, receipts. */
  public SessionReply mirrored(ResultSet row) throws SQLException {
    UUID id = reader.id(row, 3);
    return new SessionReply(
        row.getString(1),
        Values.instant(row.getLong(2)),
        new MessageId(id),
        said(id, reader.account(row.getInt(4)), row.getString(5), row.getBytes(6)),
        SessionMirror.receipts(row.getBytes(7)));
  }

  /** One line that cannot be read leaves the others of a history readable. */
  private Message said(UUID id, String account, String chat, byte[] stored) {
    try {
      return MessageCodec.message(account, chat, reader.cipher().open(Column.MESSAGE, id, stored));
    } catch (UnreadableContent e) {
      return Message.to(account, chat).text(RawMessage.UNREADABLE).build();
    }
  }

  // ---- how the queues went

  List<QueueMinute> minutes(Instant since, int limit) throws SQLException {
    return session.all(
        reader.sql(ReadQuery.MINUTES),
        row -> new QueueMinute(Values.instant(row.getLong(1)), flow(row, 1), flow(row, 8)),
        Values.micros(since),
        limit);
  }

  /** One direction, whose seven columns begin after this many others. */
  private static QueueMinute.Flow flow(ResultSet row, int after) throws SQLException {
    return new QueueMinute.Flow(
        row.getLong(after + 1),
        row.getLong(after + 2),
        row.getLong(after + 3),
        row.getLong(after + 4),
        row.getLong(after + 5),
        row.getLong(after + 6),
        row.getLong(after + 7));
  }

  // ---- what operators did

  Page<AuditEntry> audit(@Nullable String cursor, int limit) throws SQLException {
    return NewestFirst.page(
        (time, id, most) ->
            PagePortion.small(
                session.all(
                    reader.sql(ReadQuery.AUDIT),
                    row ->
                        new AuditEntry(
                            Values.instant(row.getLong(1)),
                            reader.id(row, 2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            row.getString(6)),
                    time,
                    reader.key(id),
                    most)),
        entry -> NewestFirst.of(entry.at(), entry.id()),
        cursor,
        limit);
  }
}
