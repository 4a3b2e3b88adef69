package dev.postrider.store;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.WaitingHead;
import dev.postrider.store.message.WaitingHeads;
import dev.postrider.store.reminder.ReminderStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Durable storage of messages.
 *
 * <p><b>Writes</b> return a future that completes once the write is durable (fsynced, or as safe as
 * the store can make it), never before. Writes handed in together are committed together. Messages
 * handed in by one thread take their places in that order; any other write that builds on an
 * earlier one waits for it. Every change of state is a compare-and-set: it says what it expects to
 * find.
 *
 * <p><b>Reads</b> see everything whose future had completed before the read began. They block;
 * their cost does not grow with the backlog or with history.
 *
 * <p><b>Failure.</b> Every call ends, and in one of these ways only:
 *
 * <ul>
 *   <li>with its value;
 *   <li>{@link StoreUnavailable}: the store is away, or overburdened; nothing was written, and the
 *       same again may succeed later;
 *   <li>{@link LeaseLost}: somebody else holds the account now; nothing was written;
 *   <li>{@link StoreClosed}: it was closed; nothing more comes of it;
 *   <li>{@link StoreFailure}: this one call cannot be done, and says which and why; nothing was
 *       written, the writes handed in together with it are not touched, and to try the same again
 *       at once is of no use;
 *   <li>of a read only, {@link IllegalArgumentException}: the question makes no sense, such as a
 *       cursor that is none.
 * </ul>
 *
 * A call that gives a future fails that future and does not throw. Whatever else goes wrong inside,
 * an {@link Error} included, becomes one of these. Closing the store ends every call under way.
 *
 * <p><b>Lanes.</b> The store gives each message its place in its lane when it is committed. It
 * keeps exactly one message per lane at the head; when that one ends, the next becomes the head in
 * the same write. Only heads, and messages outside their lane's order, are ever due, and none of a
 * lane that is paused: however many such lanes there are, they cost whoever asks for what is due
 * nothing. A lane is paused and resumed in one write with what waits in it, so what is resumed is
 * due at once.
 *
 * <p>Thread-safe.
 */
public interface Store extends AutoCloseable {

  /** False for a store that forgets everything when the process ends. */
  boolean durable();

  /** What it offers besides if several nodes share it; nothing if this process has it alone. */
  default Optional<Cluster> cluster() {
    return Optional.empty();
  }

  /** Everything it holds as lines of JSON, and back; nothing if it cannot do that. */
  default Optional<StoreExport> export() {
    return Optional.empty();
  }

  /** A way to bring contents under another key; nothing if it does not encrypt. */
  default Optional<Reencryption> reencryption() {
    return Optional.empty();
  }

  /**
   * Holds what may have been sent since the backup was taken that this store came back from;
   * nothing if it cannot do that.
   *
   * @param everything also what was not due yet
   */
  default Optional<Restoration> restoration(Instant takenAt, Instant now, boolean everything) {
    return Optional.empty();
  }

  /** When this store last came back from a backup; nothing if it never has. */
  default Optional<Restored> restored() {
    return Optional.empty();
  }

  /** Whether a message that was held then is neither replayed nor gone. */
  default boolean isUndecided(Restored restored) {
    return false;
  }

  // ---- leases: who works an account

  /** Takes the account's lease, or nothing if somebody else holds it. */
  CompletableFuture<Optional<Lease>> acquire(String account, String owner);

  /** Gives the lease back, so that somebody else can take it at once. */
  CompletableFuture<Boolean> release(Lease lease);

  // ---- the way of a message

  /**
   * Writes a message and its plan down, in the lane of the name that its chat has now. If that is
   * another name than the message's, the lane is paused, or the lease of a reservation is lost, it
   * is stored without the reservation. A message that names the turn of an event is refused if its
   * {@code leaseId} is not the event's lease, or, if it names none, while the event waits to be
   * handed out again; what replays a dead letter is not asked for that.
   */
  CompletableFuture<AcceptResult> accept(NewMessage message);

  /**
   * Reserves an attempt at a head: counts it, and gives the message. Nothing if the message is not
   * queued at the head, not entered, not due or expired, or its lane is paused: somebody else has
   * changed it since.
   */
  CompletableFuture<Optional<StoredMessage>> reserve(long row, Reservation reservation);

  /** Stores the progress of an attempt that goes on with its next part; false if it is stale. */
  default CompletableFuture<Boolean> progress(
      StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history) {
    return progress(message, lease, progress, history, List.of());
  }

  /** The same, with what the outcome of the last part leaves behind. */
  CompletableFuture<Boolean> progress(
      StoredMessage message,
      Lease lease,
      Progress progress,
      @Nullable HistoryEntry history,
      List<Remembered> memory);

  /** Ends an attempt. */
  CompletableFuture<SettleResult> settle(Settlement settlement);

  /**
   * Lets a scheduled message whose time has come enter its lane; gives the head it now is, if it is
   * and the lane is not paused.
   */
  CompletableFuture<Optional<Head>> enter(String account, long row, Instant now);

  /** Ends messages whose time is over, the oldest first, at most {@code limit}. */
  CompletableFuture<List<EndedMessage>> expire(Instant now, int limit);

  /** Ends queued messages of an account as failed, at most {@code limit}. */
  CompletableFuture<List<EndedMessage>> failQueued(
      String account, String reason, Instant now, int limit);

  /**
   * A chat has a new name, from this write on and for good: whatever is accepted for {@code from}
   * after it goes into lane {@code to}. What is queued for it, scheduled or not, gets its place at
   * the end of that lane in its old order, in the same write, and a note that the lane is paused
   * goes along, as does what the account remembers of it. What may be sent then is found by {@link
   * #due}. Its sessions are joined to those of the new name: see {@link InboundStore}.
   *
   * @param sessions names them
   * @return how many messages went along; nothing if the chat stays what it is: somebody else sends
   *     from its lane, or {@code to} is itself a former name of it
   */
  CompletableFuture<Optional<Integer>> moveLane(
      Lease lease, String from, String to, SessionKey sessions, Instant now);

  // ---- operating on messages

  /** Withdraws a queued message. */
  CompletableFuture<OperationResult> cancel(MessageId id, Instant now);

  /** Makes a queued message due now. */
  CompletableFuture<OperationResult> retry(MessageId id, Instant now);

  /** Deletes a dead letter. */
  CompletableFuture<Boolean> discard(MessageId id);

  /** Deletes what has been kept long enough, at most {@code limit}. */
  CompletableFuture<PruneResult> prune(Retention retention, int limit);

  /** Writes a mark, to see whether the store takes writes. */
  CompletableFuture<Void> touch(Instant now);

  // ---- what survives a restart besides messages

  /**
   * Pauses the account; gives its state as it is then. One that is paused keeps its first reason:
   * nobody overwrites the pause of somebody else. Any node may, for any account.
   */
  CompletableFuture<AccountState> pauseAccount(String account, String reason, Instant since);

  /**
   * Lifts the account's pause and forgets that the platform refused it: whoever resumes it knows
   * better. Any node may, for any account.
   */
  CompletableFuture<AccountState> resumeAccount(String account);

  /**
   * Remembers that the platform refuses the account; gives its state as it is then. One that is
   * broken keeps its first cause, and a pause stays as it is. Only whoever holds the lease may.
   */
  CompletableFuture<AccountState> accountBroken(Lease lease, String cause, Instant since);

  /**
   * Forgets that the platform refused the account; a pause stays as it is. Only whoever holds the
   * lease may.
   */
  CompletableFuture<AccountState> accountRepaired(Lease lease);

  /** Remembers what was spent; of each scope only the latest revision counts. */
  CompletableFuture<Void> save(List<Budget> budgets);

  /**
   * Pauses a lane, by the name its chat has now: nothing of it is due until it is resumed. What is
   * scheduled still enters it when its time comes, and what is under way goes on.
   */
  CompletableFuture<Void> pauseLane(PausedLane lane);

  /** Lets the lane go on: what waits in it is due from now on. False if it was not paused. */
  CompletableFuture<Boolean> resumeLane(String account, String chat);

  // ---- what comes from platforms

  /**
   * Writes events down in this order, and with them how far the account's stream was read. An event
   * whose {@code platformId} the account knows already is not stored again. Any node may, for any
   * account. Gives one answer per event.
   *
   * @param cursor null to leave it as it is
   * @param memory what the account is to know again, in place of what it knew; not stored if there
   *     are events and all of them are known: it was stored with them
   * @param aliases names of chats whose lanes are to be joined: see {@link #toldAliases}. Their
   *     sessions are joined in this write
   * @param sessions names these
   */
  CompletableFuture<List<ReceiveResult>> receive(
      String account,
      List<NewInbound> events,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> aliases,
      SessionKey sessions);

  default CompletableFuture<List<ReceiveResult>> receive(
      String account, List<NewInbound> events, @Nullable String cursor, List<Remembered> memory) {
    return receive(account, events, cursor, memory, List.of(), SessionKey.DEFAULT);
  }

  default CompletableFuture<List<ReceiveResult>> receive(
      String account, List<NewInbound> events, @Nullable String cursor) {
    return receive(account, events, cursor, List.of());
  }

  /** How far the account's stream was read. */
  Optional<String> cursor(String account);

  Optional<StoredInbound> inbound(InboundId id);

  /** Lists events, the newest first. */
  Page<StoredInbound> inbound(InboundFilter filter, @Nullable String cursor, int limit);

  /**
   * Keeps the furthest word on each receipt, also on one that no message has claimed: a message
   * claims the receipts of its accepted parts when their outcome is stored, and word may be faster.
   * The first claim stays. Gives one answer per report.
   *
   * <p>Word that a part of a delivered message has failed ends the message as failed in the same
   * write, unless {@code onFailed} says only to record it; its end is now. A message whose parts
   * are still on their way ends so when it would have ended delivered. A dead letter that was not
   * replayed remembers which parts failed, so that a replay sends them. Nothing makes it delivered
   * again.
   */
  CompletableFuture<List<ReportResult>> report(
      String account, List<DeliveryReport> reports, OnReceiptFailed onFailed, Instant now);

  /**
   * Messages that failed by their platform's later word and are to be sent again, as {@link
   * OnReceiptFailed#RETRY} says, in the order of their rows from after that one on; noted in the
   * write that failed them, until they were replayed.
   *
   * @param after null for the first ones
   */
  List<StoredMessage> toRetry(@Nullable Long after, int limit);

  /** It is not to be sent again. */
  CompletableFuture<Void> notToRetry(StoredMessage message);

  /** The message's accepted parts and the furthest word on each, by part. */
  List<ReceiptState> receipts(MessageId id);

  /**
   * Counts messages by how far they got, by {@link ReceiptState#of}: those of the account, or all.
   *
   * @param most of each account and state
   */
  ReceiptCounts countReceipts(@Nullable String account, int most);

  /** Hands out what came in, and keeps what follows. */
  InboundStore inboundStore();

  /**
   * Forgets events that were received before the instant and have ended, what was said in sessions
   * before it, sessions in which nothing was, and word that nobody has claimed, at most {@code
   * limit} together; gives how many. Claimed word goes with its message.
   */
  CompletableFuture<Integer> pruneInbound(Instant before, int limit);

  // ---- what channels want to know again

  /**
   * What the account knows of the chat, by any of its names, if it has not expired.
   *
   * @param chat null for what belongs to the account as a whole
   */
  Optional<Remembered> remembered(String account, @Nullable String chat, String key, Instant now);

  /**
   * Stores it if the value is still the expected one; tells whether it was. Any node may.
   *
   * @param expected null: there is none, or it has expired
   */
  CompletableFuture<Boolean> remember(
      String account, @Nullable String expected, Remembered by, Instant now);

  /** Forgets what has expired, at most {@code limit}; gives how many. */
  CompletableFuture<Integer> pruneMemory(Instant now, int limit);

  // ---- reminders

  /** Reminders, their runs and targets. */
  ReminderStore reminders();

  // ---- media

  /** The bytes in custody. */
  Blobs blobs();

  /** What the account's platform calls these bytes, if it was told and has not forgotten. */
  Optional<Upload> upload(String account, String hash, String variant);

  /** Remembers a handle, in place of an older one for the same bytes. */
  CompletableFuture<Void> save(Upload upload);

  /** Forgets a handle the platform does not know any more; not one that was saved since. */
  CompletableFuture<Boolean> forget(Upload upload);

  /**
   * Lets go of handles that have expired, and of bytes that no message needs: none that is on its
   * way, and no dead letter. Looks at no more than {@code limit} of each, and at bytes that are
   * needed again only after {@code lookAgain}. Gives how many it looked at: the limit if there may
   * be more to look at now.
   */
  CompletableFuture<Integer> sweep(Instant now, Duration lookAgain, int limit);

  // ---- reads

  Optional<StoredMessage> find(MessageId id);

  /** The message of the account with this idempotency key. */
  Optional<StoredMessage> find(String account, String idempotencyKey);

  List<HistoryEntry> history(MessageId id);

  /**
   * Lists messages, the newest first: by when they were accepted; dead letters of any chat, by when
   * they ended; queued ones alone, by when they expire. Messages that come or end meanwhile neither
   * repeat nor hide others.
   */
  Page<StoredMessage> list(MessageFilter filter, @Nullable String cursor, int limit);

  /**
   * Adds dead letters up by account, status and reason.
   *
   * @param account null for any
   * @param since accepted then or later; null for any time
   * @param until accepted before that; null for any time
   * @param most looked at, those that ended last
   */
  DeadLetterGroups deadLetterGroups(
      @Nullable String account,
      Set<Status> statuses,
      @Nullable Instant since,
      @Nullable Instant until,
      int most);

  /** Lists lanes that hold messages or are paused. */
  Page<LaneView> lanes(LaneFilter filter, @Nullable String cursor, int limit);

  /** What each of these lanes waits with, in the order asked; in one question, however many. */
  List<LaneBacklog> tops(List<Lane> lanes);

  /**
   * Heads of one priority that are due and whose lane is not paused, the longest due first, after
   * the given one. Asynchronous, because the engine asks while it has other things to do.
   */
  CompletableFuture<List<Head>> due(
      String account, Priority priority, Instant now, @Nullable Head after, int limit);

  /** When the account's next head after {@code now} becomes due, of lanes that are not paused. */
  CompletableFuture<Optional<Instant>> nextDue(String account, Instant now);

  /** When the next queued message expires. */
  CompletableFuture<Optional<Instant>> nextExpiry();

  /** Messages of the account whose attempt was under way when its worker stopped. */
  List<StoredMessage> interrupted(String account);

  List<AccountState> accounts();

  /** Budgets that are not full and open again at {@code now}. */
  List<Budget> budgets(Instant now);

  List<PausedLane> pausedLanes();

  /**
   * Names of chats that platforms have told of, and whose lanes are not joined yet: {@link
   * #moveLane} of the former name does it, and forgets them here.
   */
  List<ChatAlias> toldAliases();

  /** The former names of chats that have moved. */
  List<ChatAlias> aliases();

  /** Counts what there is, as of the moment of the call; may take a while on a large store. */
  CompletableFuture<List<QueueDepth>> depths();

  /**
   * The moment since which the longest-waiting due head of the account has been due, also in a
   * paused lane.
   */
  Optional<Instant> oldestDue(String account, Instant now);

  /**
   * When the account's message was born that has waited longest: accepted, or wanted to be sent, if
   * that was later. What waits for its time is not counted.
   */
  Optional<Instant> oldestWaiting(String account);

  /**
   * Counts the heads of the account that wait.
   *
   * @param most of each kind and priority
   */
  WaitingHeads waitingHeads(String account, Instant now, int most);

  /**
   * Heads of the account that wait, as {@link #waitingHeads} counts them: of each priority the
   * first that are due, the first that are due later, and the first of paused lanes.
   *
   * @param most of each of these
   */
  List<WaitingHead> waiting(String account, Instant now, int most);

  /** Waits for writes under way and closes the store. */
  void close(Duration grace);

  @Override
  default void close() {
    close(Duration.ofSeconds(10));
  }

  /** Tells of commits from now on; a store that does not write in batches tells nothing. */
  default void onCommit(CommitListener listener) {}
}
