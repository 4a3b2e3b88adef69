package dev.postrider.postgres.write;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.AcceptedPart;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.jdbc.session.Write;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Progress;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.read.Rows;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A write: one of those that go by the batch, or one that has a transaction for itself. */
public abstract sealed class WriteOp<T> extends Write<T>
    permits WriteOp.Accept,
        WriteOp.OfRow,
        WriteOp.Enter,
        WriteOp.TakeIn,
        WriteOp.MoveLane,
        WriteOp.Receive,
        WriteOp.Tell,
        WriteOp.Spend,
        WriteOp.Alone,
        InboundWriteOp,
        RunWriteOp {

  /** What two writes of one statement must not share. */
  public Object key() {
    return this;
  }

  /** The account whose lane it changes as its owner, or null. */
  public @Nullable String account() {
    return null;
  }

  /** The accounts it has new messages for: an owner puts them into their lanes at once. */
  public Set<String> accepts() {
    return Set.of();
  }

  /** The account whose messages it may end without changing a lane, or null. */
  public @Nullable String counts() {
    return null;
  }

  /** The lease it is made under, or null if it needs none. */
  public @Nullable Lease lease() {
    return null;
  }

  public final void leaseLost(@Nullable String account) {
    fail(new LeaseLost(String.valueOf(account)));
  }

  /** A new message. */
  public static final class Accept extends WriteOp<AcceptResult> {
    private record Key(String account, String key) {}

    public final NewMessage entry;
    public final byte[] content;
    public final byte @Nullable [] plan;
    public final byte @Nullable [] hash;
    public final byte @Nullable [] progress;
    public final Set<String> media;
    public final boolean bounded;
    private @Nullable AcceptResult acceptance;

    public Accept(NewMessage entry, ContentCipher cipher) {
      this(entry, true, cipher);
    }

    private Accept(NewMessage entry, boolean bounded, ContentCipher cipher) {
      this.entry = entry;
      this.bounded = bounded;
      media = entry.plan().hashes();
      UUID id = entry.id().value();
      content = cipher.seal(Column.MESSAGE, id, MessageCodec.content(entry.message()));
      plan =
          cipher.sealIfAny(
              Column.PLAN, id, MessageCodec.plan(entry.id(), entry.message(), entry.plan()));
      hash = cipher.sealIfAny(Column.CONTENT_HASH, id, entry.contentHash());
      progress = MessageCodec.progress(entry.progress());
    }

    /** A message that its lane takes however full it is. */
    static Accept answer(NewMessage entry, ContentCipher cipher) {
      return new Accept(entry, false, cipher);
    }

    @Override
    public Set<String> accepts() {
      return Set.of(entry.message().account());
    }

    @Override
    public Object key() {
      String key = entry.message().idempotencyKey();
      return key == null ? this : new Key(entry.message().account(), key);
    }

    /** Whether it names a turn that must be its sender's; what comes with an ack needs no proof. */
    public boolean claimsTurn() {
      return bounded
          && entry.message().turnId() != null
          && (entry.message().leaseId() != null || TurnEnds.claimedBy(entry) != null);
    }

    public void is(AcceptResult answer) {
      acceptance = answer;
      result(answer);
    }

    /** Its result in this transaction. */
    @Nullable AcceptResult acceptance() {
      return acceptance;
    }
  }

  /** A write about one row that its account's owner makes. */
  public abstract static sealed class OfRow<T> extends WriteOp<T> {
    public final long row;
    private final Lease lease;

    OfRow(long row, Lease lease) {
      this.row = row;
      this.lease = lease;
    }

    @Override
    public Object key() {
      return row;
    }

    @Override
    public String account() {
      return lease.account();
    }

    @Override
    public Lease lease() {
      return lease;
    }
  }

  public static final class Reserve extends OfRow<Optional<RawMessage>> {
    public final Reservation reservation;

    public Reserve(long row, Reservation reservation) {
      super(row, reservation.lease());
      this.reservation = reservation;
    }

    public void is(@Nullable RawMessage reserved) {
      result(Optional.ofNullable(reserved));
    }
  }

  public static final class Advance extends OfRow<Boolean> {
    public final StoredMessage message;
    public final byte @Nullable [] progress;
    public final List<AcceptedPart> accepted;
    final @Nullable public HistoryEntry history;
    public final List<MemoryRow> memory;

    public Advance(
        StoredMessage message,
        Lease lease,
        Progress progress,
        @Nullable HistoryEntry history,
        List<MemoryRow> memory) {
      super(message.row(), lease);
      this.message = message;
      this.progress = MessageCodec.progress(progress);
      this.accepted = AcceptedPart.of(progress);
      this.history = history;
      this.memory = memory;
    }

    public void is(boolean applied) {
      result(applied);
    }
  }

  /** A settlement as the database leaves it; see {@link SettleResult}. */
  public record Written(
      boolean applied,
      @Nullable Head next,
      @Nullable RawMessage reserved,
      @Nullable StoredMessage failed) {
    public static final Written STALE = new Written(false, null, null, null);

    /** It promoted nobody. */
    public static final Written ALONE = new Written(true, null, null, null);

    public Written with(StoredMessage endedFailed) {
      return new Written(applied, next, reserved, endedFailed);
    }

    public SettleResult decode() {
      return applied
          ? new SettleResult(true, next, reserved == null ? null : reserved.decode(), failed)
          : SettleResult.STALE;
    }
  }

  public static final class Settle extends OfRow<Written> {
    public final Settlement settlement;
    public final byte @Nullable [] progress;
    public final List<AcceptedPart> accepted;
    public final List<MemoryRow> memory;

    public Settle(Settlement settlement, ContentCipher cipher) {
      super(settlement.message().row(), settlement.lease());
      this.settlement = settlement;
      progress = MessageCodec.progress(settlement.progress());
      accepted = AcceptedPart.of(settlement.progress());
      memory = MemoryRow.of(settlement.lease().account(), settlement.memory(), cipher);
    }

    public void is(Written written) {
      result(written);
    }
  }

  /** A scheduled message whose time has come. */
  public static final class Enter extends WriteOp<Optional<Head>> {
    public final String account;
    public final long row;
    public final Instant at;

    public Enter(String account, long row, Instant at) {
      this.account = account;
      this.row = row;
      this.at = at;
    }

    @Override
    public Object key() {
      return row;
    }

    @Override
    public String account() {
      return account;
    }

    public void is(@Nullable Head head) {
      result(Optional.ofNullable(head));
    }
  }

  /** Arrivals that get their place. */
  public static final class TakeIn extends WriteOp<Integer> {
    public final Lease lease;
    public final Instant at;
    public final int limit;

    public TakeIn(Lease lease, Instant at, int limit) {
      this.lease = lease;
      this.at = at;
      this.limit = limit;
    }

    @Override
    public Object key() {
      return lease.account();
    }

    @Override
    public String account() {
      return lease.account();
    }

    @Override
    public Lease lease() {
      return lease;
    }

    public void is(int taken) {
      result(taken);
    }
  }

  /** A chat that has a new name. */
  public static final class MoveLane extends WriteOp<Optional<Integer>> {
    private final Lease lease;
    public final String from;
    public final String to;
    public final SessionKey sessionKey;
    public final Instant at;

    public MoveLane(Lease lease, String from, String to, SessionKey sessionKey, Instant at) {
      this.lease = lease;
      this.from = from;
      this.to = to;
      this.sessionKey = sessionKey;
      this.at = at;
    }

    @Override
    public String account() {
      return lease.account();
    }

    @Override
    public Lease lease() {
      return lease;
    }

    @Override
    protected boolean alone() {
      return true;
    }

    /**
     * @param moved null if the chat stays what it is
     */
    public void is(@Nullable Integer moved) {
      result(Optional.ofNullable(moved));
    }
  }

  /** An event with what is stored of it. */
  public record Event(
      InboundId id,
      UUID name,
      String session,
      String chat,
      @Nullable String thread,
      Instant receivedAt,
      int files,
      byte[] content) {
    static Event of(NewInbound event, ContentCipher cipher) {
      InboundMessage arrival = event.arrival();
      return new Event(
          event.id(),
          Fingerprint.of(arrival.platformId()),
          Rows.asStored(event.sessionId()),
          Rows.cleaned(arrival.chat()),
          Rows.clean(arrival.threadId()),
          event.receivedAt(),
          event.files(),
          cipher.seal(Column.EVENT, event.id().value(), InboundCodec.arrival(arrival)));
    }
  }

  /** Events from a platform. */
  public static final class Receive extends WriteOp<List<ReceiveResult>> {
    public final String account;
    public final List<Event> events;
    final @Nullable public String cursor;
    public final List<MemoryRow> memory;
    public final List<Alias> aliases;
    public final SessionKey sessionKey;
    private boolean news = true;

    public Receive(
        String account,
        List<NewInbound> events,
        @Nullable String cursor,
        List<Remembered> memory,
        List<Alias> aliases,
        SessionKey sessionKey,
        ContentCipher cipher) {
      this.account = account;
      this.events = events.stream().map(event -> Event.of(event, cipher)).toList();
      this.cursor = cursor;
      this.memory = MemoryRow.of(account, memory, cipher);
      this.aliases =
          aliases.stream()
              .map(one -> new Alias(Rows.asStored(one.former()), Rows.asStored(one.chat())))
              .toList();
      this.sessionKey = sessionKey;
    }

    /** Whoever tells of other names makes the owner look: the account is locked before sessions. */
    @Override
    public @Nullable String account() {
      return aliases.isEmpty() ? null : account;
    }

    /** Sessions that are joined are locked before those of others. */
    @Override
    protected boolean alone() {
      return !aliases.isEmpty();
    }

    /** Whether, in this transaction, it told anything that was not known. */
    public boolean isNews() {
      return news;
    }

    public void is(List<ReceiveResult> answers) {
      news = answers.isEmpty() || answers.stream().anyMatch(ReceiveResult::isNew);
      result(answers);
    }
  }

  /** Word on a receipt. */
  public record Heard(UUID name, DeliveryReport report) {}

  /** A delivery report from a platform. */
  public static final class Tell extends WriteOp<List<ReportResult>> {
    public final String account;
    public final List<Heard> reports;
    public final OnReceiptFailed onFailed;
    public final Instant at;

    public Tell(
        String account, List<DeliveryReport> reports, OnReceiptFailed onFailed, Instant at) {
      this.account = account;
      this.reports =
          reports.stream()
              .map(report -> new Heard(Fingerprint.of(report.receipt()), report))
              .toList();
      this.onFailed = onFailed;
      this.at = at;
    }

    @Override
    public @Nullable String counts() {
      boolean failed =
          reports.stream().anyMatch(heard -> heard.report.state() == DeliveryReport.State.FAILED);
      return failed && onFailed != OnReceiptFailed.RECORD ? account : null;
    }

    public void is(List<ReportResult> answers) {
      result(answers);
    }
  }

  public static final class Spend extends WriteOp<Void> {
    public final List<Budget> budgets;

    public Spend(List<Budget> budgets) {
      this.budgets = List.copyOf(budgets);
    }

    public void done() {
      result(null);
    }
  }

  /** Something rare, with a transaction for itself. */
  public static final class Alone<T> extends WriteOp<T> {
    /** What to do; gives the result. */
    @FunctionalInterface
    public interface Work<T> {
      @Nullable T apply(JdbcSession session, BatchColumns columns, BatchSideEffects sideEffects)
          throws SQLException;
    }

    private final @Nullable Lease lease;
    private final Work<T> work;

    public Alone(Work<T> work) {
      this(null, work);
    }

    /**
     * @param lease without which it is not done, or null if it needs none
     */
    public Alone(@Nullable Lease lease, Work<T> work) {
      this.lease = lease;
      this.work = work;
    }

    @Override
    @Nullable
    public String account() {
      return lease == null ? null : lease.account();
    }

    @Override
    @Nullable
    public Lease lease() {
      return lease;
    }

    public void apply(JdbcSession session, BatchColumns columns, BatchSideEffects sideEffects)
        throws SQLException {
      result(work.apply(session, columns, sideEffects));
    }

    @Override
    protected String operation(Throwable failure) {
      return StoreFailures.operation(failure);
    }

    @Override
    protected boolean alone() {
      return true;
    }
  }
}
