package dev.postrider;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Probe;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Events;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.internal.engine.Engine;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.internal.message.Admission;
import dev.postrider.media.Fetcher;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.CommitListener;
import dev.postrider.store.Restored;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.media.Blob;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SharedClock;
import dev.postrider.time.SystemScheduler;
import dev.postrider.view.AccountView;
import dev.postrider.view.PaceView;
import dev.postrider.view.Preview;
import dev.postrider.view.Stats;
import dev.postrider.view.WaitingFor;
import dev.postrider.view.WaitingSummary;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers chat messages, and does not lose, reorder or needlessly repeat them.
 *
 * <pre>{@code
 * try (Postrider postrider = Postrider.open(config)) {
 *   Delivery delivery = postrider.send(Message.to("tg-main", "12345").text("hi").build());
 *   delivery.await(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <p>Channels and stores are found on the class path. Thread-safe.
 */
public final class Postrider implements AutoCloseable {
  private static final int MOST_COUNTED = 10_000;
  private static final int MOST_DEAD_LETTERS = 20_000;

  private static final Logger log = LoggerFactory.getLogger(Postrider.class);

  /** How often a message that is worked by another node is looked at while somebody waits. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** How long whoever hands a message in waits for a shared database. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Engine engine;
  private final Store store;
  private final Scheduler time;
  private final Events events;
  private final Map<String, Channel> channels;
  private final Waiters waiters = new Waiters();
  private final Inbox inbox;

  private Postrider(
      Engine engine, Store store, Scheduler time, Events events, Map<String, Channel> channels) {
    this.engine = engine;
    this.store = store;
    this.time = time;
    this.events = events;
    this.channels = channels;
    this.inbox = new Inbox(engine.inboundOperations(), engine.downloads(), store, this::submission);
    events.subscribe(waiters);
  }

  /**
   * Opens the store, takes up what was left there, and begins to send.
   *
   * @throws StoreUnavailable if the store cannot be opened and the configuration does not allow
   *     memory
   * @throws StoreRefused if another process has the store, a newer version wrote it, or it came
   *     back from a backup and is not ready yet
   * @throws IllegalArgumentException if the configuration names something that is not there
   */
  public static Postrider open(PostriderConfig config) {
    return open(config, List.of());
  }

  /**
   * Opens with listeners that are told everything from the start, also what happens while it opens.
   */
  public static Postrider open(PostriderConfig config, List<Events.Listener> listeners) {
    SystemScheduler time = new SystemScheduler();
    try {
      return open(
          config,
          time,
          openStore(config, time),
          fastRandom(),
          channelsOnClassPath(),
          ServiceLoader.load(Fetcher.class).findFirst().orElse(null),
          listeners);
    } catch (RuntimeException e) {
      time.close();
      throw e;
    }
  }

  /** Opens with everything injected but a fetcher: channels get files by address, or as links. */
  public static Postrider open(
      PostriderConfig config,
      Scheduler time,
      Store store,
      RandomGenerator random,
      List<Channel> channels) {
    return open(config, time, store, random, channels, null);
  }

  /**
   * Opens with everything injected: for tests in virtual time, and for stores and channels of one's
   * own.
   *
   * @param fetcher fetches what channels cannot fetch themselves; null if nothing shall be fetched
   */
  public static Postrider open(
      PostriderConfig config,
      Scheduler time,
      Store store,
      RandomGenerator random,
      List<Channel> channels,
      @Nullable Fetcher fetcher) {
    return open(config, time, store, random, channels, fetcher, List.of());
  }

  private static Postrider open(
      PostriderConfig config,
      Scheduler time,
      Store store,
      RandomGenerator random,
      List<Channel> channels,
      @Nullable Fetcher fetcher,
      List<Events.Listener> listeners) {
    Map<String, Channel> byName = new LinkedHashMap<>();
    channels.forEach(channel -> byName.put(channel.name(), channel));
    Events events = new Events();
    listeners.forEach(events::subscribe);
    try {
      store.restored().ifPresent(Postrider::requireFinished);
      Scheduler agreed =
          store
              .cluster()
              .<Scheduler>map(cluster -> new SharedClock(time, cluster::clockZero))
              .orElse(time);
      Engine engine = new Engine(config, byName, store, agreed, random, events, fetcher);
      engine.start();
      return new Postrider(engine, store, time, events, byName);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Half restored, it would send what may have been sent. */
  private static void requireFinished(Restored restored) {
    if (!restored.finished()) {
      throw new StoreRefused(
          ("the store came back from a backup of %s, and not everything is held yet that may have"
                  + " been sent since; run 'postrider hold --taken %s' until it says that"
                  + " it is done")
              .formatted(restored.takenAt(), restored.takenAt()));
    }
  }

  private static Store openStore(PostriderConfig config, Scheduler time) {
    StoreProvider provider =
        ServiceLoader.load(StoreProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(candidate -> candidate.accepts(config.store()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no store on the class path understands the store URL's scheme; SQLite is"
                            + " written sqlite:path/to/file.db, PostgreSQL"
                            + " jdbc:postgresql://host/database"));
    try {
      return provider.open(config.store(), config.cluster(), config.encryptionKeys(), time);
    } catch (StoreUnavailable e) {
      if (config.onUnavailable() == PostriderConfig.OnUnavailable.REFUSE) {
        throw e;
      }
      log.warn("{}; going on in memory: nothing will survive a restart", e.getMessage());
      return provider.openInMemory(time);
    }
  }

  /** Every channel found on the class path. */
  public static List<Channel> channelsOnClassPath() {
    return ServiceLoader.load(Channel.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  /** Jitter and the random bits of ids need to be unguessable from outside, not cryptographic. */
  private static RandomGenerator fastRandom() {
    SplittableRandom seeded = new SplittableRandom(new SecureRandom().nextLong());
    ThreadLocal<RandomGenerator> perThread = ThreadLocal.withInitial(() -> seeded.split());
    return () -> perThread.get().nextLong();
  }

  // ---- sending

  /**
   * Hands a message in. When this returns, the message and its plan are durable.
   *
   * @throws Refused if it was not taken; nothing was stored
   */
  public Delivery send(Message message) {
    return delivery(answer(engine.submit(message)));
  }

  /** Hands several messages in; they are made durable together, and keep their order. */
  public List<SendResult> sendAll(List<Message> messages) {
    List<CompletableFuture<Admission>> submitted = new ArrayList<>();
    messages.forEach(message -> submitted.add(engine.submit(message)));
    List<SendResult> results = new ArrayList<>(submitted.size());
    for (CompletableFuture<Admission> submission : submitted) {
      results.add(submission(answer(submission)));
    }
    return results;
  }

  private SendResult submission(Admission admission) {
    return switch (admission) {
      case Admission.Admitted admitted ->
          new SendResult.Sent(new Delivery(this, admitted.message(), admitted.duplicate()));
      case Admission.Denied denied -> new SendResult.NotSent(denied.refusal());
    };
  }

  /**
   * Hands a message in with the caller's own transaction: it is stored together with whatever else
   * the transaction holds, or not at all, and goes out once that is committed. Only on a store that
   * is a shared database, with a connection to that database; nothing here commits or closes it.
   *
   * @throws Refused if it was not taken; the transaction can go on
   * @throws UnsupportedOperationException if the store cannot do this
   */
  public Delivery send(Connection transaction, Message message) {
    return delivery(engine.submit(transaction, message));
  }

  /**
   * Takes a file into custody, for messages that name it as {@code Media.held(blob.hash())}. It is
   * durable when this returns, and kept while a message needs it.
   *
   * @throws dev.postrider.store.media.Blobs.TooLarge if it is larger than allowed
   * @throws IOException if it cannot be read
   */
  public Blob hold(InputStream bytes) throws IOException {
    return engine.custody().take(bytes);
  }

  /** A file in custody, if it is there. */
  public Optional<Blob> held(String hash) {
    return store.blobs().find(hash);
  }

  /**
   * Opens a file in custody for reading.
   *
   * @throws java.io.FileNotFoundException if it is not there
   */
  public InputStream open(String hash) throws IOException {
    return engine.custody().open(hash);
  }

  /**
   * An address under which anybody can fetch a file in custody; the file stays as long as the
   * address is good.
   *
   * @throws Refused if the configuration does not say where the world finds this server
   */
  public String mediaAddress(String hash, Instant until) {
    if (!engine.mediaAddresses().available()) {
      throw new Refused(Refused.Cause.CONFLICT, "there is no http.publicUrl to make addresses of");
    }
    return engine.mediaAddresses().of(hash, until);
  }

  /**
   * Whether an address of a file in custody was made here, for a platform that fetches it; whether
   * it is still good is another question.
   *
   * @param expires until when it is good, in seconds since 1970
   */
  public boolean isMediaAddress(String hash, long expires, String signature) {
    return engine.mediaAddresses().isOurs(hash, expires, signature);
  }

  /** Most bytes of one file. */
  public long mediaLimit() {
    return engine.custody().largest();
  }

  /** The parts a message would become on its channel; nothing is sent. */
  public Preview preview(Message message) {
    return engine.preview(message);
  }

  /**
   * Waits until the message is durable, or refused. A shared database may break off in the middle
   * of a commit and be away for long: then nobody waits for it to tell what happened.
   */
  private Admission answer(CompletableFuture<Admission> submission) {
    if (store.cluster().isEmpty() || submission.isDone()) {
      return time.await(submission);
    }
    return time.awaitFor(submission, PATIENCE)
        ? time.await(submission)
        : new Admission.Denied(
            new Refused(
                Refused.Cause.UNAVAILABLE,
                "the database does not answer, and it is not known whether the message was stored;"
                    + " send it again with the same idempotencyKey"));
  }

  private Delivery delivery(Admission submission) {
    return switch (submission) {
      case Admission.Admitted admitted ->
          new Delivery(this, admitted.message(), admitted.duplicate());
      case Admission.Denied denied -> throw denied.refusal();
    };
  }

  /**
   * Waits until a message has ended, but not longer than this; nothing if there is no such message.
   */
  public Optional<StoredMessage> await(MessageId id, Duration patience) {
    CompletableFuture<Boolean> ended = waiters.join(id); // before looking, so that no end is missed
    try {
      Duration until = time.elapsed().plus(patience);
      while (true) {
        Optional<StoredMessage> now = find(id);
        Duration left = until.minus(time.elapsed());
        if (now.isEmpty() || now.get().status().ended() || !left.isPositive()) {
          return now;
        }
        boolean here = engine.works(now.get().message().account());
        time.awaitFor(ended, here || left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN);
      }
    } finally {
      waiters.leave(id);
    }
  }

  // ---- what platforms tell

  /**
   * Answers a platform's webhook: what it tells is stored before this returns.
   *
   * @throws Refused if there is no such account, or it takes no webhooks
   * @throws StoreUnavailable if it could not be stored; the platform shall deliver it again
   */
  public Hook.Answer receive(String account, Hook.Request request) {
    return engine.receive(account, request);
  }

  /** Whether there is such an account and it takes webhooks, to be asked before one is read. */
  public boolean takesWebhooks(String account) {
    return engine.takesWebhooks(account);
  }

  /** The parts of a message that the platform queued, and what it has told of them since. */
  public List<ReceiptState> receipts(MessageId id) {
    return store.receipts(id);
  }

  /**
   * How far a message got by its platform's word; nothing if the platform does not report on it.
   */
  public Optional<DeliveryReport.State> receiptStatus(MessageId id) {
    return Optional.ofNullable(ReceiptState.of(store.receipts(id)));
  }

  /**
   * How many messages got how far by their platforms' word, of one account or of all; of each
   * account and state no more than 10,000 are counted.
   */
  public ReceiptCounts countReceipts(@Nullable String account) {
    return store.countReceipts(account, MOST_COUNTED);
  }

  // ---- handling what came in

  /** Lets a handler handle what comes in, of all accounts, until it is closed. */
  public AutoCloseable onInbound(InboundHandler handler) {
    return onInbound(Set.of(), handler);
  }

  /** Lets a handler handle what comes in of these accounts, until it is closed. */
  public AutoCloseable onInbound(Set<String> accounts, InboundHandler handler) {
    Runnable end =
        engine
            .inboundOperations()
            .handle(
                accounts,
                (inbound, held) -> {
                  Turn turn = new Turn(this, inbound, held);
                  handler.onInbound(inbound, turn);
                  return turn.answers();
                });
    return end::run;
  }

  /** What came in: for whoever handles it outside this process, and for people to look at. */
  public Inbox inbox() {
    return inbox;
  }

  // ---- looking

  /** How the queues went, minute by minute, the oldest first. */
  public List<QueueMinute> minutes(Instant since, int limit) {
    return store.inboundStore().minutes(since, limit);
  }

  /** Keeps what an operator did, for 90 days; it is stored when this returns. */
  public void record(AuditEntry entry) {
    time.await(store.inboundStore().record(entry));
  }

  /** When the store last came back from a backup; nothing if it never has. */
  public Optional<Restored> restored() {
    return store.restored();
  }

  /** Whether a message that was held then is neither replayed nor gone. */
  public boolean isUndecided(Restored restored) {
    return store.isUndecided(restored);
  }

  /** What operators did, the newest first. */
  public Page<AuditEntry> audit(@Nullable String cursor, int limit) {
    return store.inboundStore().audit(cursor, limit);
  }

  public Optional<StoredMessage> find(MessageId id) {
    return store.find(id);
  }

  /** The message of an account that was handed in under an idempotency key. */
  public Optional<StoredMessage> find(String account, String idempotencyKey) {
    return store.find(account, idempotencyKey);
  }

  /** What went other than planned with a message, the oldest first. */
  public List<HistoryEntry> history(MessageId id) {
    return store.history(id);
  }

  /** Lists messages, the newest first; those of a chat that has moved under all its names. */
  public Page<StoredMessage> list(MessageFilter filter, @Nullable String cursor, int limit) {
    return store.list(engine.underAllNames(filter), cursor, limit);
  }

  /**
   * A chat's address as the account's channel spells it: the one form that names its lane.
   *
   * @throws dev.postrider.problem.InvalidInput if it cannot be an address
   */
  public String canonical(String account, String chat) {
    return engine.canonical(account, chat);
  }

  /** The name that a chat has now, however it is written and whatever it was called before. */
  public String chatName(String account, String chat) {
    return engine.chatName(account, chat);
  }

  /** The names that a chat had before it moved, in alphabetical order. */
  public List<String> formerNames(String account, String chat) {
    return engine.formerNames(account, chat);
  }

  /**
   * Adds dead letters up by account, status and reason, the largest group first: of those that
   * ended last, 20,000 at most.
   */
  public DeadLetterGroups deadLetterGroups(
      @Nullable String account,
      Set<Status> statuses,
      @Nullable Instant since,
      @Nullable Instant until) {
    return store.deadLetterGroups(account, statuses, since, until, MOST_DEAD_LETTERS);
  }

  /** Lists lanes that hold messages or are paused. */
  public Page<LaneView> lanes(LaneFilter filter, @Nullable String cursor, int limit) {
    String account = filter.account();
    String chat = filter.chat();
    LaneFilter named =
        account == null || chat == null ? filter : filter.ofChat(engine.chatName(account, chat));
    return store.lanes(named, cursor, limit);
  }

  /**
   * What messages wait for, and until when. One that has ended or is being sent waits for nothing
   * and is left out.
   */
  public Map<MessageId, WaitingFor> waitingFor(Collection<StoredMessage> messages) {
    return engine.waitingFor(messages);
  }

  /** What a message waits for; null if it has ended or is being sent. */
  public @Nullable WaitingFor waitingFor(StoredMessage message) {
    return engine.waitingFor(List.of(message)).get(message.id());
  }

  /** What lanes wait for; one whose head is being sent waits for nothing and is left out. */
  public Map<Lane, WaitingFor> waitingForLanes(Collection<Lane> lanes) {
    return engine.waitingForLanes(lanes);
  }

  /**
   * How many messages wait, by account and kind of what they wait for ({@link WaitingFor#kind}). At
   * a cost that does not grow with the backlog: of those that stand first in their lanes 10,000 of
   * a kind are counted; the others are {@code behind} them, or {@code other} if there are more.
   */
  public Map<String, Map<String, Long>> waitingCounts(Collection<AccountView> accounts) {
    return engine.waitingCounts(accounts);
  }

  /**
   * What messages of these accounts wait for, by kind, account and cause, at a cost that does not
   * grow with the backlog: the numbers are those of {@link #waitingCounts}, the causes those of the
   * first few hundred of a kind.
   */
  public WaitingSummary waiting(Collection<AccountView> accounts) {
    return engine.waiting(accounts);
  }

  public List<AccountView> accounts() {
    return engine.accounts();
  }

  /** Counts things that should have been under way and that a safety sweep had to start. */
  public long countRescued(int found) {
    return engine.countRescued(found);
  }

  /** The channel of a configured account; null if there is none of that name. */
  public @Nullable String channelOf(String account) {
    return engine.channelOf(account);
  }

  /** The name of this process among those that share the store. */
  public String node() {
    return engine.node();
  }

  /** Whether this process works the account. */
  public boolean works(String account) {
    return engine.works(account);
  }

  /** The cluster this process is part of; nothing if it has its store for itself. */
  public Optional<Cluster> cluster() {
    return store.cluster();
  }

  public Stats stats() {
    return engine.stats();
  }

  /** Why the store takes no writes, as far as is known; null if it does. Asks nobody. */
  public @Nullable String storeDownBecause() {
    return engine.storeDownBecause();
  }

  public Events events() {
    return events;
  }

  /** False if the store forgets everything when the process ends. */
  public boolean durable() {
    return store.durable();
  }

  /** Lets somebody know of every commit of the store, such as a meter. */
  public void onCommit(CommitListener listener) {
    store.onCommit(listener);
  }

  /** The store, for Postrider's own modules: see {@link StoreAccess}. */
  @SuppressWarnings({"exports", "unused"}) // whoever can name the key may come in
  public Store store(StoreAccess access) {
    return store;
  }

  /** The clock, timers and tasks, for what is built beside this. */
  public Scheduler time() {
    return time;
  }

  /** The configured accounts. */
  public Set<String> accountNames() {
    return engine.accountNames();
  }

  /** How fast a configured account sends in the long run: its pace, less what its channel takes. */
  public Pace paceOf(String account) {
    return engine.paceOf(account);
  }

  /** The pace of an account, for people to look at; nothing if it is not configured. */
  public Optional<PaceView> pace(String account) {
    return engine.pace(account);
  }

  /** Whether a person lets the account in, on their phone: see {@link #logIn}. */
  public boolean takesLogin(String account) {
    return engine.takesLogin(account);
  }

  /**
   * To how many chats one request of a configured account can bring the same; 1 if each has its
   * own.
   */
  public int recipientsOf(String account) {
    return engine.recipientsOf(account);
  }

  /** All channels, whether an account uses them or not. */
  public Collection<Channel> channels() {
    return Collections.unmodifiableCollection(channels.values());
  }

  /** A channel by name, for what it offers beyond delivery. */
  public Optional<Channel> channel(String name) {
    return Optional.ofNullable(channels.get(name));
  }

  // ---- operating; each throws Refused if it cannot be done

  /** Withdraws a queued message. */
  public StoredMessage cancel(MessageId id) {
    return engine.cancel(id);
  }

  /** Tries a queued message now instead of at its due time. */
  public StoredMessage retry(MessageId id) {
    return engine.retry(id);
  }

  /** Hands a dead letter in again, as a new message that points to the old one. */
  public Delivery replay(MessageId id) {
    return delivery(engine.replay(id));
  }

  /**
   * Hands a dead letter in again with changes, as a new message that points to the old one. All of
   * it is sent, whatever of the old one had arrived.
   *
   * @param change makes the new message of the old one
   */
  public Delivery replay(MessageId id, UnaryOperator<Message> change) {
    return delivery(engine.replay(id, change));
  }

  /** Deletes a dead letter. */
  public void discard(MessageId id) {
    engine.discard(id);
  }

  public AccountView pauseAccount(String id, String reason) {
    return engine.pauseAccount(id, reason);
  }

  public AccountView resumeAccount(String id) {
    return engine.resumeAccount(id);
  }

  /** Asks the platform whether it takes the account. */
  public Probe checkAccount(String id) {
    return engine.checkAccount(id);
  }

  /**
   * Logs an account in that a person must let in on their phone, or tells how far that is; to be
   * called again every few seconds until it is done.
   */
  public LoginState logIn(String account, LoginRequest request) {
    return engine.logIn(account, request);
  }

  public void pauseLane(String account, String chat, String reason) {
    engine.pauseLane(account, chat, reason);
  }

  public void resumeLane(String account, String chat) {
    engine.resumeLane(account, chat);
  }

  /** Stops cleanly: nothing new is begun, what is in flight is awaited, everything is stored. */
  @Override
  public void close() {
    engine.stop();
    store.close();
    if (time instanceof SystemScheduler system) {
      system.close();
    }
  }
}
