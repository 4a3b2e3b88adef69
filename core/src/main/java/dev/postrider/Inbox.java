package dev.postrider;

import dev.postrider.channel.InboundFiles;
import dev.postrider.inbound.InboundId;
import dev.postrider.internal.inbound.InboundDownloads;
import dev.postrider.internal.inbound.InboundOperations;
import dev.postrider.internal.message.Admission;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came in, for whoever handles it outside this process, and for people to look at: leases,
 * turns, dead letters and sessions. Had by {@link Postrider#inbox}. Thread-safe.
 */
public final class Inbox {
  private static final int MOST_OF_A_TURN = 1_000;

  private final InboundOperations inboundOperations;
  private final InboundDownloads downloads;
  private final Store store;
  private final Function<Admission, SendResult> submission;

  Inbox(
      InboundOperations inboundOperations,
      InboundDownloads downloads,
      Store store,
      Function<Admission, SendResult> submission) {
    this.inboundOperations = inboundOperations;
    this.downloads = downloads;
    this.store = store;
    this.submission = submission;
  }

  // ---- looking

  public Optional<StoredInbound> find(InboundId id) {
    return store.inbound(id);
  }

  /** Lists inbound messages, the newest first. */
  public Page<StoredInbound> list(InboundFilter filter, @Nullable String cursor, int limit) {
    return store.inbound(filter, cursor, limit);
  }

  /**
   * Opens a file that came along with an inbound message; nobody needs the account's secrets for
   * it. Blocks until the platform answers. Reading it fails with {@link
   * dev.postrider.store.media.Blobs.TooLarge} beyond {@code media.maxSize}.
   *
   * @param index of the file in the message's {@code media}
   * @throws Refused if the message has no such file
   * @throws InboundFiles.Unavailable if it cannot be had, and why
   * @throws IOException if it could not be had this time
   */
  public InboundFiles.Opened open(StoredInbound message, int index) throws IOException {
    return downloads.open(message, index);
  }

  /** The files of an inbound message that are kept here, or are to be; none if none are. */
  public List<InboundFile> files(InboundId id) {
    return files(List.of(id)).getOrDefault(id, List.of());
  }

  /** The same of several, asked for at once; nothing of those that have none. */
  public Map<InboundId, List<InboundFile>> files(Collection<InboundId> ids) {
    return ids.isEmpty() ? Map.of() : store.inboundStore().files(ids);
  }

  // ---- handling

  /**
   * Hands out inbound messages to somebody outside: each is theirs until its lease runs out. If
   * there is none, waits for one, but not longer than the patience.
   *
   * @param accounts whose; empty for all
   * @param leaseFor how long they are theirs
   */
  public List<StoredInbound> lease(
      Set<String> accounts, int max, Duration leaseFor, Duration patience) {
    return inboundOperations.lease(accounts, max, leaseFor, patience);
  }

  /**
   * An inbound message is handled. The answers are stored in the same write, all of them or none;
   * each is made with {@link #replyTo}.
   *
   * @throws Refused if it is not handed out under this lease any more; nothing was changed
   */
  public List<SendResult> ack(UUID lease, List<Message> answers) {
    return inboundOperations.done(lease, answers).stream().map(submission).toList();
  }

  /**
   * A person has handled an inbound message that waits, and with it those of its session that wait
   * before it. The answers are to the last, and are stored with that; each is made with {@link
   * #replyTo}.
   *
   * @throws Refused if somebody has a message of the session at this moment, or it is handled
   */
  public List<SendResult> ack(InboundId id, List<Message> answers) {
    return inboundOperations.doneByHand(id, answers).stream().map(submission).toList();
  }

  /**
   * An inbound message could not be handled, and is wanted again.
   *
   * @param delay null for the usual one
   * @throws Refused if it is not handed out under this lease any more; nothing was changed
   */
  public void nack(UUID lease, String error, @Nullable Duration delay) {
    inboundOperations.failed(lease, error, delay);
  }

  /**
   * Lets a lease last so long from now on; gives until when.
   *
   * @throws Refused if nothing is handed out under this lease any more
   */
  public Instant extend(UUID lease, Duration leaseFor) {
    return inboundOperations.extend(lease, leaseFor);
  }

  /** The inbound message that is handed out under this lease, if one is. */
  public Optional<StoredInbound> leased(UUID lease) {
    return store.inboundStore().leased(lease);
  }

  /** A message to where an inbound message came from, as part of its turn; if there is one. */
  public Optional<Message.Builder> replyTo(InboundId turn) {
    return store.inbound(turn).map(Turn::replyTo);
  }

  /** A message to where this one came from, as part of its turn. */
  public Message.Builder replyTo(StoredInbound message) {
    return Turn.replyTo(message);
  }

  /** An inbound message, what it caused, and how its turn stands. */
  public Optional<TurnView> turn(InboundId id) {
    return store.inbound(id).map(inbound -> new TurnView(inbound, notes(id), causedBy(id)));
  }

  private List<StoredMessage> causedBy(InboundId turn) {
    MessageFilter caused = MessageFilter.turn(turn.toString());
    return store.list(caused, null, MOST_OF_A_TURN).items().reversed();
  }

  /** What went wrong with handling an inbound message, the oldest first. */
  public List<InboundNote> notes(InboundId id) {
    return store.inboundStore().notes(id);
  }

  /** Takes an inbound dead letter in again, as a new message that points to the old one. */
  public StoredInbound replay(InboundId id) {
    return inboundOperations.replay(id);
  }

  /** Lets go of an inbound dead letter. */
  public void discard(InboundId id) {
    inboundOperations.discard(id);
  }

  // ---- sessions

  public Optional<SessionView> session(String id) {
    return store.inboundStore().session(id);
  }

  /** Lists sessions, the one with the newest message first. */
  public Page<SessionView> sessions(@Nullable String account, @Nullable String cursor, int limit) {
    return store.inboundStore().sessions(account, cursor, limit);
  }

  /** What was heard and said in a session, the newest first. */
  public Page<SessionEntry> history(String id, @Nullable String cursor, int limit) {
    return store.inboundStore().history(id, cursor, limit);
  }

  /** Holds the messages of a session back. */
  public SessionView pause(String id, String reason) {
    return inboundOperations.pause(id, reason);
  }

  public SessionView resume(String id) {
    return inboundOperations.resume(id);
  }
}
