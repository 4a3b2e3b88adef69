package dev.postrider.sqlite.message;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.media.BlobRows;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages their place: new ones when they are accepted, scheduled ones when their time has
 * come. To be called inside the committer's transaction; belongs to the writer's thread.
 */
public final class LaneAssigner {
  private final JdbcSession session;
  private final Accounts accounts;
  private final BudgetWrites spending;
  private final BlobRows blobs;
  private final MessageEndEffects endEffects;
  private final ChatAliases aliases;
  private final LanePauses pauses;
  private long lastRow;
  private boolean anyBulk; // whether a bulk message may be active: most houses have none

  public LaneAssigner(
      JdbcSession session,
      Accounts accounts,
      BudgetWrites spending,
      BlobRows blobs,
      MessageEndEffects endEffects,
      ChatAliases aliases,
      LanePauses pauses)
      throws SQLException {
    this.session = session;
    this.accounts = accounts;
    this.spending = spending;
    this.blobs = blobs;
    this.endEffects = endEffects;
    this.aliases = aliases;
    this.pauses = pauses;
    Long last = session.one(MessageSql.LAST_ROW, row -> row.getLong(1));
    this.lastRow = last == null ? 0 : last;
    this.anyBulk = session.one(MessageSql.ANY_BULK, row -> row.getLong(1)) != null;
  }

  /** The last that was given to a message. */
  public long lastRow() {
    return lastRow;
  }

  /** The parts of a new message that are stored encoded; encoded before the writer's turn. */
  public record Encoded(
      byte[] content,
      byte @Nullable [] plan,
      byte @Nullable [] hash,
      byte @Nullable [] progress,
      Set<String> media) {
    public static Encoded of(NewMessage entry, ContentCipher cipher) {
      UUID id = entry.id().value();
      byte[] plan = MessageCodec.plan(entry.id(), entry.message(), entry.plan());
      return new Encoded(
          cipher.seal(Column.MESSAGE, id, MessageCodec.content(entry.message())),
          cipher.sealIfAny(Column.PLAN, id, plan),
          cipher.sealIfAny(Column.CONTENT_HASH, id, entry.contentHash()),
          MessageCodec.progress(entry.progress()),
          entry.plan().hashes());
    }
  }

  /** Takes a message of its own, which may name only a turn that is its sender's. */
  public AcceptResult accept(NewMessage entry, Encoded encoded) throws SQLException {
    if (entry.message().turnId() == null || endEffects.mayName(entry)) {
      return place(entry, encoded);
    }
    AcceptResult known = duplicate(entry, accounts.idOrNew(session, entry.message().account()));
    return known == null ? new AcceptResult.TurnLost() : known;
  }

  /** Takes a message that comes from whoever has the turn it names, if it names one. */
  public AcceptResult place(NewMessage entry, Encoded encoded) throws SQLException {
    Message message = entry.message();
    int account = accounts.idOrNew(session, message.account());
    AcceptResult known = duplicate(entry, account);
    if (known != null) {
      return known;
    }
    String chat = aliases.chat(account, message.to());
    boolean ordered = message.ordering() == Ordering.FIFO;
    boolean inLane = ordered && !entry.scheduled();
    Long last = ordered ? longOf(MessageSql.LAST_OF_LANE, account, chat) : null;
    if (last != null && last >= entry.maxLaneDepth()) {
      long depth = depth(account, chat, last, entry.maxLaneDepth());
      if (depth >= entry.maxLaneDepth()) {
        return new AcceptResult.LaneFull(depth);
      }
    }
    String missing = blobs.missing(encoded.media);
    if (missing != null) {
      return new AcceptResult.MediaMissing(missing);
    }
    MessageId replayOf = entry.replayOf();
    if (replayOf != null
        && session.update(MessageSql.MARK_REPLAYED, Rows.uid(entry.id()), Rows.uid(replayOf))
            == 0) {
      return new AcceptResult.NotReplayable(
          "message " + replayOf + " is no dead letter, or was replayed already");
    }
    if (replayOf != null) {
      session.update(InboundSql.DELETE_RETRY_OF, (Object) Rows.uid(replayOf));
    }
    boolean first = !inLane || last == null;
    boolean here = chat.equals(message.to()); // or its permit is for another lane
    boolean waitsForTime = ordered && entry.scheduled();
    int head =
        !first ? LanePauses.BEHIND : waitsForTime ? LanePauses.HEAD : pauses.head(account, chat);
    Reservation wished =
        head == LanePauses.HEAD && here && !entry.scheduled() ? entry.reservation() : null;
    Reservation reservation = wished != null && accounts.holds(wished.lease()) ? wished : null;
    if (reservation != null) {
      reservation.spent().forEach(spending::save);
    }
    boolean raised =
        inLane
            && !first
            && message.priority() == Priority.LIVE
            && anyBulk
            && session.update(MessageSql.RAISE_LANE, account, chat) > 0;
    Long seq = inLane ? Long.valueOf(last == null ? 1 : last + 1) : null;
    AcceptResult stored =
        insert(entry, message.withTo(chat), encoded, account, seq, head, reservation, raised);
    blobs.use(encoded.media, lastRow);
    if (message.followed()) {
      endEffects.add(lastRow, message);
    }
    return stored;
  }

  /** Why it would not be taken, whatever its lane is like; null if it would. */
  public @Nullable AcceptResult refusal(NewMessage entry, Encoded encoded) throws SQLException {
    AcceptResult known = duplicate(entry, accounts.idOrNew(session, entry.message().account()));
    if (known != null) {
      return known.taken() ? null : known;
    }
    String missing = blobs.missing(encoded.media);
    return missing == null ? null : new AcceptResult.MediaMissing(missing);
  }

  private @Nullable AcceptResult duplicate(NewMessage entry, int account) throws SQLException {
    byte[] hash = entry.contentHash();
    return hash == null
        ? null
        : session.one(
            MessageSql.BY_KEY,
            row -> {
              StoredMessage known = Rows.message(row, accounts);
              return new AcceptResult.Duplicate(
                  known, accounts.cipher().isHash(known.id().value(), row.getBytes(24), hash));
            },
            account,
            entry.message().idempotencyKey());
  }

  /** How many the lane holds: from its first and last place if that will do, else counted. */
  private long depth(int account, String chat, long last, long limit) throws SQLException {
    Long first = longOf(MessageSql.FIRST_OF_LANE, account, chat);
    long places = first == null ? 0 : last - first + 1;
    Long held = places < limit ? null : longOf(MessageSql.COUNT_LANE, account, chat);
    return held == null ? places : held;
  }

  private AcceptResult insert(
      NewMessage entry,
      Message message,
      Encoded encoded,
      int account,
      @Nullable Long seq,
      int head,
      @Nullable Reservation reservation,
      boolean raised)
      throws SQLException {
    long row = ++lastRow;
    anyBulk |= message.priority() == Priority.BULK;
    boolean reserved = reservation != null;
    int count = reserved ? 1 : 0;
    int flags =
        (message.ordering() == Ordering.NONE ? Values.UNORDERED : 0)
            | (entry.possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0)
            | (entry.scheduled() && message.ordering() == Ordering.FIFO ? Values.SCHEDULED : 0);
    Instant tried = reservation == null ? null : reservation.at();
    MessageId replayOf = entry.replayOf();
    session.update(
        MessageSql.ADD_MESSAGE,
        row,
        Rows.uid(entry.id()),
        account,
        message.to(),
        seq,
        head,
        Values.status(reserved ? Status.SENDING : Status.QUEUED),
        Values.priority(message.priority()),
        count,
        count,
        flags,
        Values.micros(entry.createdAt()),
        Values.micros(entry.dueAt()),
        Values.micros(entry.expiresAt()),
        Values.nullableMicros(tried),
        encoded.progress,
        message.idempotencyKey(),
        encoded.hash,
        message.turnId(),
        message.sessionId(),
        message.runId(),
        replayOf == null ? null : Rows.uid(replayOf),
        encoded.content,
        encoded.plan);
    StoredMessage stored =
        new StoredMessage(
            row,
            entry.id(),
            message.kept(),
            entry.plan(),
            reserved ? Status.SENDING : Status.QUEUED,
            count,
            count,
            entry.createdAt(),
            entry.dueAt(),
            entry.expiresAt(),
            tried,
            null,
            entry.progress(),
            null,
            null,
            false,
            entry.possibleDuplicate(),
            replayOf,
            null,
            null);
    Head free =
        head != LanePauses.HEAD || reserved
            ? null
            : new Head(
                row,
                message.account(),
                message.to(),
                message.priority(),
                entry.dueAt(),
                message.ordering() == Ordering.FIFO,
                (flags & Values.SCHEDULED) != 0);
    return new AcceptResult.Stored(stored, free, reserved, raised);
  }

  /** The message gets its place in the lane now; gives it if it may be sent, or nothing. */
  public @Nullable Head enter(long row, Instant at) throws SQLException {
    record Place(int account, String chat, int priority) {}
    Place place =
        session.one(
            MessageSql.SCHEDULED,
            found -> new Place(found.getInt(1), found.getString(2), found.getInt(3)),
            row,
            Values.micros(at));
    if (place == null) {
      return null;
    }
    Long last = longOf(MessageSql.LAST_OF_LANE, place.account, place.chat);
    if (last != null && place.priority == 0 && anyBulk) {
      session.update(MessageSql.RAISE_LANE, place.account, place.chat);
    }
    int head = last == null ? pauses.head(place.account, place.chat) : LanePauses.BEHIND;
    Head entered =
        session.one(
            MessageSql.ENTER,
            found -> Values.head(found, 0, accounts.name(place.account)),
            last == null ? 1 : last + 1,
            head,
            row);
    return head == LanePauses.HEAD ? entered : null;
  }

  private @Nullable Long longOf(String sql, Object... values) throws SQLException {
    return session.one(
        sql,
        row -> {
          long value = row.getLong(1);
          return row.wasNull() ? null : value;
        },
        values);
  }
}
