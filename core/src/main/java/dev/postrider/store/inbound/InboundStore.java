package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.message.Page;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what came from platforms, and keeps what follows: turns, and the histories of sessions.
 *
 * <p><b>Sessions are lanes.</b> Of a session's inbound messages that have not ended, the earliest
 * is its head, and only that one is handed out; when it ends, the next becomes the head in the same
 * write. A head that waits for its due time, or that somebody has, holds its own session only. The
 * head of a paused session is not handed out.
 *
 * <p><b>Sessions that are joined.</b> When a chat gets another name, its sessions are joined to
 * those that its {@linkplain dev.postrider.config.SessionKey key} names from then on: their inbound
 * messages in the order of arrival, what was said, and a pause if the other is not paused. The
 * former name stands for the other session from then on, wherever one is named. What is handed out
 * stays so; of a session in which several are, nothing more is handed out until all are given back.
 *
 * <p><b>Leases.</b> Whoever is given an inbound message has it under a lease: a name, and a time
 * when it runs out. What is said under another name than the inbound message's current lease
 * changes nothing. A lease that has run out holds until somebody {@linkplain #complete gives the
 * inbound message back} in its name, which the engine does when it finds it {@linkplain
 * #expiredLeases}.
 *
 * <p><b>Turns.</b> A turn has the id of its event. It opens when that is first handed out, and ends
 * in the write after which its inbound message has ended and every message that names it has been
 * {@linkplain #follow followed}.
 *
 * <p>Any node may do any of this, for any account. Writes and reads are as {@link Store}'s.
 * Thread-safe.
 */
public interface InboundStore {

  // ---- files that are kept

  /**
   * Claims files that are due to be fetched, the longest due first: each is counted as an attempt,
   * and is due again then, if its result is not stored before.
   *
   * @param latest the latest instant the clock has shown, which is {@code now} unless it was set
   *     back: what was never fetched is due if it came by then
   */
  CompletableFuture<List<InboundFile>> claimFiles(
      Instant now, Instant latest, Instant until, int limit);

  /**
   * Stores the result of a claimed file: kept, if it has a hash; else to be tried again then; else
   * failed. False if somebody has claimed it since.
   *
   * @param nextAt null if it is not to be tried again
   */
  CompletableFuture<Boolean> fileDone(InboundFile claimed, @Nullable Instant nextAt);

  /**
   * The files of these inbound messages that are to be kept, by index; nothing of those without
   * any.
   */
  Map<InboundId, List<InboundFile>> files(Collection<InboundId> ids);

  // ---- handing out

  /**
   * Hands out heads that are due, the longest due first of each account, as many as there are
   * leases. Each is counted as an attempt in this write, and its turn is open.
   */
  CompletableFuture<List<StoredInbound>> lease(LeaseRequest request);

  /**
   * Hands out the head of an inbound message's session to somebody who takes it by hand, be the
   * session paused or the head not due yet. Nothing if the head is not waiting, or has come after
   * that inbound message. Counted as an attempt in this write, and its turn is open.
   */
  CompletableFuture<Optional<StoredInbound>> take(
      StoredInbound upTo, UUID lease, Instant now, Instant until);

  /** Lets the lease run out then; false if it is not its inbound message's lease any more. */
  CompletableFuture<Boolean> extend(UUID lease, Instant until);

  /** Tells the result of an inbound message, and accepts its answers. */
  CompletableFuture<CompletionResult> complete(Completion completion);

  /** The inbound message that is handed out under this lease. */
  Optional<StoredInbound> leased(UUID lease);

  /**
   * Lets the leases run out now that a node held itself.
   *
   * @param holder the node; null for any
   */
  CompletableFuture<Integer> disown(@Nullable String holder, Instant now);

  /** Inbound messages whose lease has run out, the longest first. */
  List<StoredInbound> expiredLeases(Instant now, int limit);

  /** When the next lease runs out, or did. */
  CompletableFuture<Optional<Instant>> nextLeaseExpiry();

  /** When the next head of these accounts after {@code now} may be handed out. */
  CompletableFuture<Optional<Instant>> nextDue(Set<String> accounts, Instant now);

  /** What went wrong with an inbound message, the oldest first. */
  List<InboundNote> notes(InboundId id);

  // ---- operating on dead letters

  /**
   * Takes a dead letter in again, as a new inbound message at the end of its session. Nothing if it
   * is no dead letter, or was replayed before.
   */
  CompletableFuture<Optional<StoredInbound>> replay(InboundId dead, InboundId as, Instant now);

  /** Lets go of a dead letter; false if it is none. The platform's inbound message stays known. */
  CompletableFuture<Boolean> discard(InboundId id, Instant now);

  // ---- what follows from a message's end

  /**
   * Does what follows from a message's end, once: a delivered one with a {@code sessionId} is added
   * to that session's history, and its turn may end. Nothing if the message is still on its way, or
   * was followed.
   */
  CompletableFuture<EndEffects> follow(MessageId id, Instant now);

  /**
   * Messages that have ended and were not followed, by row, after this one; at most {@code limit}
   * are looked at, of those on their way too. Gives how far it looked, null at the end.
   */
  Unfollowed unfollowed(@Nullable Long afterRow, int limit);

  /** Messages to follow, and from where to look further. */
  record Unfollowed(List<MessageId> messages, @Nullable Long next) {}

  // ---- sessions

  /**
   * Holds its inbound messages back; false if there is no such session. A pause that is there
   * stays.
   */
  CompletableFuture<Boolean> pauseSession(String id, String reason, Instant now);

  /** False if it was not paused. */
  CompletableFuture<Boolean> resumeSession(String id);

  Optional<SessionView> session(String id);

  /** Lists sessions, the one with the newest message first. */
  Page<SessionView> sessions(@Nullable String account, @Nullable String cursor, int limit);

  /** What was heard and said in a session, the newest first. */
  Page<SessionEntry> history(String session, @Nullable String cursor, int limit);

  // ---- how the queues went

  /**
   * Adds what happened in a minute at a node to what others have told of it.
   *
   * @param depths whether its depths count too
   */
  CompletableFuture<Void> save(String node, QueueMinute minute, boolean depths);

  /** The minutes from then on, the oldest first, over all nodes. */
  List<QueueMinute> minutes(Instant since, int limit);

  /** Forgets minutes before the instant, at most {@code limit}; gives how many. */
  CompletableFuture<Integer> pruneMinutes(Instant before, int limit);

  // ---- what operators did

  /** Keeps what an operator did; once, if it is told again. */
  CompletableFuture<Void> record(AuditEntry entry);

  /**
   * What operators did, the newest first.
   *
   * @throws IllegalArgumentException if the cursor is not one of this list
   */
  Page<AuditEntry> audit(@Nullable String cursor, int limit);

  /** Forgets what operators did before the instant, at most {@code limit}; gives how many. */
  CompletableFuture<Integer> pruneAudit(Instant before, int limit);
}
