package dev.postrider.jdbc;

import dev.postrider.channel.Remembered;
import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.message.MessageWalk;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.WaitingHead;
import dev.postrider.store.message.WaitingHeads;
import dev.postrider.time.Scheduler;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reading half of a store on a database. */
public abstract class SqlStore<R extends SqlReader> implements Store {
  protected final Scheduler time;

  protected SqlStore(Scheduler time) {
    this.time = time;
  }

  /** A question to a reader. */
  @FunctionalInterface
  public interface Query<R, T> {
    T run(R reader) throws SQLException;
  }

  /** Asks a reader, beside the writer. */
  protected abstract <T> CompletableFuture<T> read(Query<R, T> query);

  protected final <T> T ask(Query<R, T> query) {
    return time.await(read(query));
  }

  @Override
  public final Optional<StoredMessage> find(MessageId id) {
    return ask(reader -> reader.find(id));
  }

  @Override
  public final Optional<StoredMessage> find(String account, String idempotencyKey) {
    return ask(reader -> reader.find(account, idempotencyKey));
  }

  @Override
  public final List<HistoryEntry> history(MessageId id) {
    return ask(reader -> reader.history(id));
  }

  @Override
  public final Page<StoredMessage> list(MessageFilter filter, @Nullable String cursor, int limit) {
    MessageWalk walk = new MessageWalk(filter, cursor, limit);
    while (!walk.isDone()) {
      ask(
          reader -> {
            walk.step(reader);
            return true;
          });
    }
    return walk.page();
  }

  @Override
  public final DeadLetterGroups deadLetterGroups(
      @Nullable String account,
      Set<Status> statuses,
      @Nullable Instant since,
      @Nullable Instant until,
      int most) {
    return ask(reader -> reader.deadLetterGroups(account, statuses, since, until, most));
  }

  @Override
  public final Page<LaneView> lanes(LaneFilter filter, @Nullable String cursor, int limit) {
    return ask(reader -> reader.lanes(filter, cursor, limit));
  }

  @Override
  public final List<LaneBacklog> tops(List<Lane> lanes) {
    return ask(reader -> reader.tops(lanes));
  }

  @Override
  public final CompletableFuture<List<Head>> due(
      String account, Priority priority, Instant now, @Nullable Head after, int limit) {
    return read(reader -> reader.due(account, priority, now, after, limit));
  }

  @Override
  public final CompletableFuture<Optional<Instant>> nextDue(String account, Instant now) {
    return read(reader -> reader.nextDue(account, now));
  }

  @Override
  public final CompletableFuture<Optional<Instant>> nextExpiry() {
    return read(SqlReader::nextExpiry);
  }

  @Override
  public final List<StoredMessage> interrupted(String account) {
    return ask(reader -> reader.interrupted(account));
  }

  @Override
  public final List<AccountState> accounts() {
    return ask(SqlReader::states);
  }

  @Override
  public final List<Budget> budgets(Instant now) {
    return ask(reader -> reader.budgets(now));
  }

  @Override
  public final List<PausedLane> pausedLanes() {
    return ask(SqlReader::paused);
  }

  @Override
  public final List<ChatAlias> aliases() {
    return ask(SqlReader::aliases);
  }

  @Override
  public final List<ChatAlias> toldAliases() {
    return ask(SqlReader::toldAliases);
  }

  @Override
  public final Optional<Instant> oldestDue(String account, Instant now) {
    return ask(reader -> reader.oldestDue(account, now));
  }

  @Override
  public final WaitingHeads waitingHeads(String account, Instant now, int most) {
    return ask(reader -> reader.waitingHeads(account, now, most));
  }

  @Override
  public final List<WaitingHead> waiting(String account, Instant now, int most) {
    return ask(reader -> reader.waiting(account, now, most));
  }

  @Override
  public final Optional<Instant> oldestWaiting(String account) {
    return ask(reader -> reader.oldestWaiting(account));
  }

  @Override
  public final Optional<Upload> upload(String account, String hash, String variant) {
    return ask(reader -> reader.upload(account, hash, variant));
  }

  @Override
  public final Optional<String> cursor(String account) {
    return ask(reader -> reader.cursor(account));
  }

  @Override
  public final Optional<StoredInbound> inbound(InboundId id) {
    return ask(reader -> reader.inbound(id));
  }

  @Override
  public final Page<StoredInbound> inbound(
      InboundFilter filter, @Nullable String cursor, int limit) {
    return ask(reader -> reader.inbound(filter, cursor, limit));
  }

  @Override
  public final Optional<Remembered> remembered(
      String account, @Nullable String chat, String key, Instant now) {
    return ask(reader -> reader.remembered(account, chat, key, now));
  }

  @Override
  public final ReceiptCounts countReceipts(@Nullable String account, int most) {
    return ask(reader -> reader.countReceipts(account, most));
  }

  @Override
  public final List<StoredMessage> toRetry(@Nullable Long after, int limit) {
    return ask(reader -> reader.toRetry(after, limit));
  }

  @Override
  public final List<ReceiptState> receipts(MessageId id) {
    return ask(reader -> reader.receipts(id));
  }
}
