package dev.postrider.postgres;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.Report;
import dev.postrider.jdbc.Accepted;
import dev.postrider.jdbc.Codec;
import dev.postrider.jdbc.ContentCipher;
import dev.postrider.jdbc.ContentCipher.Column;
import dev.postrider.jdbc.Failures;
import dev.postrider.jdbc.Fingerprint;
import dev.postrider.jdbc.InboundCodec;
import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Turns;
import dev.postrider.jdbc.Write;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Progress;
import dev.postrider.pace.Budget;
import dev.postrider.store.Acceptance;
import dev.postrider.store.Head;
import dev.postrider.store.Lease;
import dev.postrider.store.LeaseLost;
import dev.postrider.store.NewInbound;
import dev.postrider.store.NewMessage;
import dev.postrider.store.Received;
import dev.postrider.store.Reported;
import dev.postrider.store.Reservation;
import dev.postrider.store.Settled;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A write: one of those that go by the batch, or one that has a transaction for itself. */
abstract sealed class Op<T> extends Write<T>
    permits Op.Accept,
        Op.OfRow,
        Op.Enter,
        Op.TakeIn,
        Op.MoveLane,
        Op.Receive,
        Op.Tell,
        Op.Spend,
        Op.Alone,
        DeskOp,
        RunOp {

  /** What two writes of one statement must not share. */
  Object key() {
    return this;
  }

  /** The account whose lane it changes as its owner, or null. */
  @Nullable String account() {
    return null;
  }

  /** The accounts it has new messages for: an owner puts them into their lanes at once. */
  Set<String> accepts() {
    return Set.of();
  }

  /** The lease it is made under, or null if it needs none. */
  @Nullable Lease lease() {
    return null;
  }

  final void leaseLost(@Nullable String account) {
    fail(new LeaseLost(String.valueOf(account)));
  }

  /** A new message. */
  static final class Accept extends Op<Acceptance> {
    private record Key(String account, String key) {}

    final NewMessage entry;
    final byte[] content;
    final byte @Nullable [] plan;
    final byte @Nullable [] hash;
    final byte @Nullable [] progress;
    final Set<String> media;
    final boolean bounded;
    private @Nullable Acceptance acceptance;

    Accept(NewMessage entry, ContentCipher cipher) {
      this(entry, true, cipher);
    }

    private Accept(NewMessage entry, boolean bounded, ContentCipher cipher) {
      this.entry = entry;
      this.bounded = bounded;
      media = entry.plan().hashes();
      UUID id = entry.id().value();
      content = cipher.seal(Column.MESSAGE, id, Codec.content(entry.message()));
      plan =
          cipher.sealIfAny(Column.PLAN, id, Codec.plan(entry.id(), entry.message(), entry.plan()));
      hash = cipher.sealIfAny(Column.CONTENT_HASH, id, entry.contentHash());
      progress = Codec.progress(entry.progress());
    }

    /** A message that its lane takes however full it is. */
    static Accept answer(NewMessage entry, ContentCipher cipher) {
      return new Accept(entry, false, cipher);
    }

    @Override
    Set<String> accepts() {
      return Set.of(entry.message().account());
    }

    @Override
    Object key() {
      String key = entry.message().idempotencyKey();
      return key == null ? this : new Key(entry.message().account(), key);
    }

    /** Whether it names a turn that must be its sender's; what comes with an ack needs no proof. */
    boolean claimsTurn() {
      return bounded
          && entry.message().turnId() != null
          && (entry.message().leaseId() != null || Turns.claimedBy(entry) != null);
    }

    void is(Acceptance answer) {
      acceptance = answer;
      result(answer);
    }

    /** What came of it in this transaction. */
    @Nullable Acceptance acceptance() {
      return acceptance;
    }
  }

  /** A write about one row that its account's owner makes. */
  abstract static sealed class OfRow<T> extends Op<T> {
    final long row;
    private final Lease lease;

    OfRow(long row, Lease lease) {
      this.row = row;
      this.lease = lease;
    }

    @Override
    Object key() {
      return row;
    }

    @Override
    String account() {
      return lease.account();
    }

    @Override
    Lease lease() {
      return lease;
    }
  }

  static final class Reserve extends OfRow<Optional<Raw>> {
    final Reservation reservation;

    Reserve(long row, Reservation reservation) {
      super(row, reservation.lease());
      this.reservation = reservation;
    }

    void is(@Nullable Raw reserved) {
      result(Optional.ofNullable(reserved));
    }
  }

  static final class Advance extends OfRow<Boolean> {
    final StoredMessage message;
    final byte @Nullable [] progress;
    final List<Accepted> accepted;
    final @Nullable HistoryEntry history;

    Advance(StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history) {
      super(message.row(), lease);
      this.message = message;
      this.progress = Codec.progress(progress);
      this.accepted = Accepted.of(progress);
      this.history = history;
    }

    void is(boolean applied) {
      result(applied);
    }
  }

  /** A settlement as the database leaves it; see {@link Settled}. */
  record Written(boolean applied, @Nullable Head next, @Nullable Raw reserved) {
    static final Written STALE = new Written(false, null, null);

    /** It promoted nobody. */
    static final Written ALONE = new Written(true, null, null);

    Settled decode() {
      return applied
          ? new Settled(true, next, reserved == null ? null : reserved.decode())
          : Settled.STALE;
    }
  }

  static final class Settle extends OfRow<Written> {
    final Settlement settlement;
    final byte @Nullable [] progress;
    final List<Accepted> accepted;

    Settle(Settlement settlement) {
      super(settlement.message().row(), settlement.lease());
      this.settlement = settlement;
      progress = Codec.progress(settlement.progress());
      accepted = Accepted.of(settlement.progress());
    }

    void is(Written written) {
      result(written);
    }
  }

  /** A scheduled message whose time has come. */
  static final class Enter extends Op<Optional<Head>> {
    final String account;
    final long row;
    final Instant at;

    Enter(String account, long row, Instant at) {
      this.account = account;
      this.row = row;
      this.at = at;
    }

    @Override
    Object key() {
      return row;
    }

    @Override
    String account() {
      return account;
    }

    void is(@Nullable Head head) {
      result(Optional.ofNullable(head));
    }
  }

  /** Arrivals that get their place. */
  static final class TakeIn extends Op<Integer> {
    final Lease lease;
    final Instant at;
    final int limit;

    TakeIn(Lease lease, Instant at, int limit) {
      this.lease = lease;
      this.at = at;
      this.limit = limit;
    }

    @Override
    Object key() {
      return lease.account();
    }

    @Override
    String account() {
      return lease.account();
    }

    @Override
    Lease lease() {
      return lease;
    }

    void is(int taken) {
      result(taken);
    }
  }

  /** A chat that has a new name. */
  static final class MoveLane extends Op<Optional<Integer>> {
    private final Lease lease;
    final String from;
    final String to;
    final Instant at;

    MoveLane(Lease lease, String from, String to, Instant at) {
      this.lease = lease;
      this.from = from;
      this.to = to;
      this.at = at;
    }

    @Override
    String account() {
      return lease.account();
    }

    @Override
    Lease lease() {
      return lease;
    }

    @Override
    protected boolean alone() {
      return true;
    }

    /**
     * @param moved null if the chat stays what it is
     */
    void is(@Nullable Integer moved) {
      result(Optional.ofNullable(moved));
    }
  }

  /** An event with what is stored of it. */
  record Event(
      InboundId id,
      UUID name,
      String session,
      String chat,
      @Nullable String thread,
      Instant receivedAt,
      byte[] content) {
    static Event of(NewInbound event, ContentCipher cipher) {
      Arrival arrival = event.arrival();
      return new Event(
          event.id(),
          Fingerprint.of(arrival.platformId()),
          Rows.asStored(event.sessionId()),
          Rows.cleaned(arrival.chat()),
          Rows.clean(arrival.threadId()),
          event.receivedAt(),
          cipher.seal(Column.EVENT, event.id().value(), InboundCodec.arrival(arrival)));
    }
  }

  /** Events from a platform. */
  static final class Receive extends Op<List<Received>> {
    final String account;
    final List<Event> events;
    final @Nullable String cursor;

    Receive(
        String account, List<NewInbound> events, @Nullable String cursor, ContentCipher cipher) {
      this.account = account;
      this.events = events.stream().map(event -> Event.of(event, cipher)).toList();
      this.cursor = cursor;
    }

    void is(List<Received> answers) {
      result(answers);
    }
  }

  /** Word on a receipt. */
  record Heard(UUID name, Report report) {}

  /** Late word from a platform. */
  static final class Tell extends Op<List<Reported>> {
    final String account;
    final List<Heard> reports;
    final Instant at;

    Tell(String account, List<Report> reports, Instant at) {
      this.account = account;
      this.reports =
          reports.stream()
              .map(report -> new Heard(Fingerprint.of(report.receipt()), report))
              .toList();
      this.at = at;
    }

    void is(List<Reported> answers) {
      result(answers);
    }
  }

  static final class Spend extends Op<Void> {
    final List<Budget> budgets;

    Spend(List<Budget> budgets) {
      this.budgets = List.copyOf(budgets);
    }

    void done() {
      result(null);
    }
  }

  /** Something rare, with a transaction for itself. */
  static final class Alone<T> extends Op<T> {
    /** What to do; gives the result. */
    @FunctionalInterface
    interface Work<T> {
      @Nullable T apply(Session session, Batches batches, Effects effects) throws SQLException;
    }

    private final @Nullable Lease lease;
    private final Work<T> work;

    Alone(Work<T> work) {
      this(null, work);
    }

    /**
     * @param lease without which it is not done, or null if it needs none
     */
    Alone(@Nullable Lease lease, Work<T> work) {
      this.lease = lease;
      this.work = work;
    }

    @Override
    @Nullable String account() {
      return lease == null ? null : lease.account();
    }

    @Override
    @Nullable Lease lease() {
      return lease;
    }

    void apply(Session session, Batches batches, Effects effects) throws SQLException {
      result(work.apply(session, batches, effects));
    }

    @Override
    protected String operation(Throwable failure) {
      return Failures.operation(failure);
    }

    @Override
    protected boolean alone() {
      return true;
    }
  }
}
