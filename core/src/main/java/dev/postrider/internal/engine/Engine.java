package dev.postrider.internal.engine;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Events;
import dev.postrider.internal.account.Account;
import dev.postrider.internal.account.AccountOwnership;
import dev.postrider.internal.account.AccountRegistry;
import dev.postrider.internal.account.Housekeeping;
import dev.postrider.internal.account.MissingAccounts;
import dev.postrider.internal.account.RecoverySummary;
import dev.postrider.internal.account.WaitReasons;
import dev.postrider.internal.context.ChatNames;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.context.InboundIntake;
import dev.postrider.internal.context.MessageCounts;
import dev.postrider.internal.context.StoreWatch;
import dev.postrider.internal.inbound.ExpiredLeaseReaper;
import dev.postrider.internal.inbound.InboundDispatcher;
import dev.postrider.internal.inbound.InboundDownloads;
import dev.postrider.internal.inbound.InboundFileKeeper;
import dev.postrider.internal.inbound.InboundOperations;
import dev.postrider.internal.inbound.MessageEndEffects;
import dev.postrider.internal.lane.AwaitedReceipts;
import dev.postrider.internal.media.Custody;
import dev.postrider.internal.media.Downloads;
import dev.postrider.internal.media.MediaAddresses;
import dev.postrider.internal.message.Admission;
import dev.postrider.internal.message.Intake;
import dev.postrider.internal.message.MessageOperations;
import dev.postrider.internal.message.ReceiptRetries;
import dev.postrider.media.Fetcher;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.PaceView;
import dev.postrider.view.Preview;
import dev.postrider.view.Stats;
import dev.postrider.view.WaitingFor;
import dev.postrider.view.WaitingSummary;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engine as a whole: its accounts at work, and the operations people have on messages and
 * accounts.
 */
public final class Engine {
  private final PostriderConfig config;
  private final EngineContext context;
  private final AccountRegistry accountRegistry;
  private final Intake intake;
  private final MessageOperations operations;
  private final ReceiptRetries receiptRetries;
  private final MissingAccounts missing;
  private final AccountOwnership ownership;
  private final RecoverySummary recovery;
  private final InboundDispatcher dispatcher;
  private final InboundOperations inboundOperations;
  private final InboundDownloads downloads;
  private final InboundFileKeeper fileKeeper;
  private final ExpiredLeaseReaper leaseReaper;
  private final MessageEndEffects endEffects;
  private final QueueHistory minutes;
  private final WaitReasons waitReasons;
  private final SafetySweep sweep;
  private final Instant startedAt;
  private volatile boolean stopping;

  public Engine(
      PostriderConfig given,
      Map<String, Channel> channels,
      Store store,
      Scheduler time,
      RandomGenerator random,
      Events events,
      @Nullable Fetcher fetcher) {
    config = asChannelsDeliver(given, channels);
    startedAt = time.instant();
    MessageCounts counts = new MessageCounts();
    events.subscribe(counts);
    StoreWatch watch = new StoreWatch(store, time, events, this::storeChanged, this::lookAgain);
    Ids ids = new Ids(time, random);
    Map<String, AccountConfig> accounts =
        config.accounts().stream().collect(Collectors.toMap(AccountConfig::id, one -> one));
    Map<String, InboundSettings> inbound =
        config.accounts().stream()
            .collect(Collectors.toMap(AccountConfig::id, AccountConfig::inbound));
    Custody custody = new Custody(store.blobs(), config.media(), time);
    ChatNames chats = new ChatNames(store, accounts.keySet(), spelling(accounts, channels));
    context =
        new EngineContext(
            config.cluster().node(),
            store,
            time,
            random,
            events,
            counts,
            watch,
            custody,
            new Downloads(fetcher, config.media(), custody, time),
            new MediaAddresses(config.media().publicUrl(), store, time),
            new InboundIntake(
                store, time, events, watch, ids, counts, config.inboundQueue(), accounts, chats),
            chats);
    accountRegistry = new AccountRegistry(config, channels, context);
    Housekeeping housekeeping = new Housekeeping(context, config.queue(), this::ended);
    intake =
        new Intake(
            context,
            config.queue(),
            ids,
            context.custody(),
            accountRegistry,
            housekeeping::expiryAt);
    operations = new MessageOperations(context, intake, this::offer);
    receiptRetries = new ReceiptRetries(context, intake, accounts);
    events.subscribe(receiptRetries);
    events.subscribe(
        new AwaitedReceipts(id -> time.start("receipt", () -> operations.partReported(id))));
    missing = new MissingAccounts(context, config.queue(), housekeeping);
    recovery = new RecoverySummary(time, events);
    ownership =
        new AccountOwnership(
            context,
            config.queue(),
            config.cluster(),
            accountRegistry,
            housekeeping,
            missing,
            recovery,
            this::inboundMayHaveChanged);
    dispatcher =
        new InboundDispatcher(
            store.inboundStore(), time, events, ids, random, inbound, this::leasedUntil);
    events.subscribe(dispatcher);
    inboundOperations =
        new InboundOperations(
            context, config.inboundQueue(), accountRegistry, dispatcher, intake, ids);
    downloads = new InboundDownloads(accountRegistry, context);
    boolean keeps = config.accounts().stream().anyMatch(each -> each.inbound().keepMedia());
    fileKeeper = new InboundFileKeeper(context, downloads, keeps);
    events.subscribe(fileKeeper);
    leaseReaper = new ExpiredLeaseReaper(context, operations, dispatcher);
    endEffects = new MessageEndEffects(context);
    events.subscribe(endEffects);
    waitReasons = new WaitReasons(context, accountRegistry, ownership);
    minutes = new QueueHistory(context, this::sending, housekeeping::isRunning);
    sweep = new SafetySweep(context, accountRegistry, leaseReaper, endEffects, housekeeping);
  }

  /** Where nobody has said anything about an account's delivery, its channel has. */
  @SuppressWarnings("ReferenceEquality") // the same values may have been chosen
  private static PostriderConfig asChannelsDeliver(
      PostriderConfig config, Map<String, Channel> channels) {
    return config.accounts(
        config.accounts().stream()
            .map(
                account -> {
                  Channel channel = channels.get(account.channel());
                  return channel != null && account.delivery() == DeliverySettings.DEFAULTS
                      ? account.withDelivery(channel.delivery(DeliverySettings.DEFAULTS))
                      : account;
                })
            .toList());
  }

  private static ChatNames.Spelling spelling(
      Map<String, AccountConfig> accounts, Map<String, Channel> channels) {
    return (id, name) -> {
      AccountConfig account = accounts.get(id);
      Channel channel = account == null ? null : channels.get(account.channel());
      return account == null || channel == null ? name : channel.canonical(account, name);
    };
  }

  private void inboundMayHaveChanged() {
    dispatcher.bell().ring();
    leaseReaper.look();
  }

  private void leasedUntil(Instant when) {
    leaseReaper.watch(when);
  }

  // ---- starting

  /**
   * Begins to send: first what was under way when the last process stopped, then everything else.
   */
  public void start() {
    recovery.begin(config.queue().drainBudget());
    CompletableFuture<List<QueueDepth>> depths = context.call(() -> context.store().depths());
    leaseReaper.recover();
    ownership.start();
    endEffects.sweepAfter(Duration.ZERO);
    minutes.start();
    fileKeeper.start();
    receiptRetries.start();
    sweep.start();
    depths.whenComplete(
        (counted, failure) -> {
          if (failure == null) {
            counted(counted);
          } else {
            context.insist("count", () -> counted(context.time().await(context.store().depths())));
          }
        });
  }

  private void counted(List<QueueDepth> depths) {
    if (context.store().cluster().isEmpty()) {
      context.counts().countBefore(depths);
      depths.stream()
          .filter(depth -> depth.active() > 0 && !accountRegistry.names().contains(depth.account()))
          .forEach(depth -> missing.found(depth.account()));
      recovery.found(depths.stream().mapToLong(QueueDepth::active).sum());
    } else {
      recovery.found(
          depths.stream()
              .filter(depth -> accountRegistry.worked(depth.account()) != null)
              .mapToLong(QueueDepth::active)
              .sum());
    }
  }

  // ---- sending

  /** What a message would become. */
  public Preview preview(Message message) {
    return intake.preview(message);
  }

  /**
   * Answers a platform's webhook: stores what it tells first.
   *
   * @throws Refused if there is no such account, or it takes no webhooks
   * @throws dev.postrider.store.failure.StoreUnavailable if it could not be stored
   */
  public Hook.Answer receive(String account, Hook.Request request) {
    Hook hook = accountRegistry.known(account).hook();
    if (hook == null) {
      throw new Refused(
          Refused.Cause.NOT_FOUND,
          "account '" + account + "' takes no webhooks; its channel's settings say how it would");
    }
    return context.inboundIntake().receive(account, hook, request);
  }

  /** Whether there is such an account and it takes webhooks. */
  public boolean takesWebhooks(String account) {
    return accountRegistry.names().contains(account)
        && accountRegistry.known(account).hook() != null;
  }

  /** For whoever handles what comes in. */
  public InboundOperations inboundOperations() {
    return inboundOperations;
  }

  /** For whoever wants the files of what came in. */
  public InboundDownloads downloads() {
    return downloads;
  }

  public Set<String> accountNames() {
    return Set.copyOf(accountRegistry.names());
  }

  /** How fast an account sends in the long run: its pace, less what jitter and youth take. */
  public Pace paceOf(String account) {
    AccountRegistry.Known known = accountRegistry.known(account);
    Account worked = accountRegistry.worked(account);
    double ceiling = worked == null ? 1 : worked.lanes().paceCeiling();
    double factor = (1 + known.capabilities().jitter() / 2) / ceiling;
    return factor == 1 ? known.pace() : known.pace().slowerBy(factor);
  }

  /** The pace of an account, for people to look at; nothing if it is not configured. */
  public Optional<PaceView> pace(String id) {
    if (!accountRegistry.names().contains(id)) {
      return Optional.empty();
    }
    AccountRegistry.Known known = accountRegistry.known(id);
    Account worked = accountRegistry.worked(id);
    return Optional.of(
        new PaceView(
            known.pace(),
            known.chatPace(),
            known.concurrency(),
            worked == null ? null : worked.paceInUse()));
  }

  /** Whether a person must let the account in on their phone, now or some day. */
  public boolean takesLogin(String id) {
    return accountRegistry.names().contains(id) && accountRegistry.known(id).takesLogin();
  }

  public int recipientsOf(String account) {
    return accountRegistry.known(account).recipients();
  }

  public @Nullable String channelOf(String account) {
    return accountRegistry.names().contains(account)
        ? accountRegistry.known(account).channel().name()
        : null;
  }

  public Custody custody() {
    return context.custody();
  }

  public MediaAddresses mediaAddresses() {
    return context.addresses();
  }

  /** Hands a message in; the future completes when it is durable, or refused. */
  public CompletableFuture<Admission> submit(Message message) {
    return stopping ? CompletableFuture.completedFuture(stopped()) : intake.submit(message);
  }

  /** Hands a message in with the caller's transaction: it is there when that commits. */
  public Admission submit(Connection transaction, Message message) {
    return stopping ? stopped() : intake.submit(transaction, message);
  }

  private static Admission stopped() {
    return new Admission.Denied(
        new Refused(
            Refused.Cause.STOPPING, "the engine is stopping; send it again after the restart"));
  }

  // ---- operating on messages

  public StoredMessage cancel(MessageId id) {
    return operations.cancel(id);
  }

  public StoredMessage retry(MessageId id) {
    return operations.retry(id);
  }

  /** Hands a dead letter in again, as a new message that points to the old one. */
  public Admission replay(MessageId id) {
    return stopping ? stopped() : operations.replay(id);
  }

  /** The same with changes. */
  public Admission replay(MessageId id, UnaryOperator<Message> change) {
    return stopping ? stopped() : operations.replay(id, change);
  }

  public void discard(MessageId id) {
    operations.discard(id);
  }

  private void offer(@Nullable Head head) {
    Account account = head == null ? null : accountRegistry.worked(head.account());
    if (account != null) {
      account.lanes().offer(head);
    }
  }

  private void ended(EndedMessage ended) {
    offer(ended.next());
  }

  // ---- lanes and accounts

  /**
   * The chat's address as its channel spells it.
   *
   * @throws Refused if there is no such account
   * @throws InvalidInput if it cannot be an address
   */
  public String canonical(String account, String chat) {
    accountRegistry.known(account);
    return context.chats().canonical(account, chat);
  }

  public void pauseLane(String account, String chat, String reason) {
    context.write(accountRegistry.pausedLanes().pause(account, canonical(account, chat), reason));
  }

  public void resumeLane(String account, String chat) {
    accountRegistry.known(account);
    accountRegistry.pausedLanes().resume(account, chat);
  }

  public AccountView pauseAccount(String id, String reason) {
    accountRegistry.known(id);
    Account account = accountRegistry.worked(id);
    context.write(
        account != null
            ? account.pause(reason)
            : context.store().pauseAccount(id, reason, context.time().instant()));
    return view(id);
  }

  public AccountView resumeAccount(String id) {
    accountRegistry.known(id);
    Account account = accountRegistry.worked(id);
    context.write(account != null ? account.resume() : context.store().resumeAccount(id));
    return view(id);
  }

  public Probe checkAccount(String id) {
    return workedHere(id).probe();
  }

  public LoginState logIn(String id, LoginRequest request) {
    return workedHere(id).login(request);
  }

  private Account workedHere(String id) {
    accountRegistry.known(id);
    Account account = accountRegistry.worked(id);
    if (account == null) {
      String node = ownership.nodeOf(id, ownership.roll());
      throw new Refused(
          Refused.Cause.CONFLICT,
          "account",
          node == null
              ? "no node works account '" + id + "' yet; ask again in a moment"
              : "account '" + id + "' is worked by node " + node + "; ask there");
    }
    return account;
  }

  private AccountState stateOf(String id) {
    return context.store().accounts().stream()
        .filter(state -> state.account().equals(id))
        .findFirst()
        .orElse(AccountState.fresh(id));
  }

  private AccountView view(String id) {
    Account account = accountRegistry.worked(id);
    WaitingFor waitingFor = waitReasons.ofAccounts(List.of(id)).get(id);
    return account == null
        ? ownership.view(accountRegistry.known(id), stateOf(id), ownership.roll(), waitingFor)
        : account.view(context.counts(), waitingFor);
  }

  /** Something may have been written that nobody heard of: everybody looks at what is stored. */
  private void lookAgain() {
    context.counts().doubt();
    endEffects.sweepAfter(Duration.ZERO);
    ownership.missed();
  }

  private void storeChanged() {
    accountRegistry.worked().forEach(Account::setGates);
  }

  // ---- looking

  public String node() {
    return context.node();
  }

  /** Whether this process works the account. */
  public boolean works(String account) {
    return accountRegistry.worked(account) != null;
  }

  /** What messages wait for; those that have ended or are being sent wait for nothing. */
  public Map<MessageId, WaitingFor> waitingFor(Collection<StoredMessage> messages) {
    return waitReasons.ofMessages(messages);
  }

  /** What lanes wait for; those whose head is being sent wait for nothing. */
  public Map<Lane, WaitingFor> waitingForLanes(Collection<Lane> lanes) {
    return waitReasons.ofLanes(lanes);
  }

  /** The same, for a chat under all its names, however it is written. */
  public MessageFilter underAllNames(MessageFilter filter) {
    String chat = filter.chat();
    return chat == null ? filter : filter.alsoNamed(context.chats().others(filter.account(), chat));
  }

  public String chatName(String account, String chat) {
    return context.chats().now(account, chat);
  }

  public List<String> formerNames(String account, String chat) {
    return context.chats().former(account, chat);
  }

  public List<AccountView> accounts() {
    List<AccountView> views = new ArrayList<>();
    List<AccountRegistry.Known> elsewhere = new ArrayList<>(0);
    List<String> gone = missing.names();
    Map<String, WaitingFor> waiting =
        waitReasons.ofAccounts(
            Stream.concat(accountRegistry.names().stream(), gone.stream()).toList());
    for (AccountRegistry.Known known : accountRegistry.all()) {
      Account account = accountRegistry.worked(known.id());
      if (account != null) {
        views.add(account.view(context.counts(), waiting.get(known.id())));
      } else {
        elsewhere.add(known);
      }
    }
    if (!elsewhere.isEmpty()) {
      ClusterSnapshot snapshot = ownership.roll();
      Map<String, AccountState> states = context.glance(accountRegistry::readStates, Map.of());
      elsewhere.forEach(
          known ->
              views.add(
                  ownership.view(
                      known, states.get(known.id()), snapshot, waiting.get(known.id()))));
    }
    for (String account : gone) {
      views.add(
          new AccountView(
              account,
              "",
              Health.BROKEN,
              startedAt,
              MissingAccounts.REASON,
              false,
              null,
              ListeningView.OFF,
              context.counts().active(account),
              0,
              context.counts().deadLetters(account),
              1,
              null,
              null,
              null,
              context.oldestWaiting(account),
              List.of(),
              waiting.get(account)));
    }
    views.sort(Comparator.comparing(AccountView::id));
    return views;
  }

  /** How many messages wait, by account and kind of what they wait for. */
  public Map<String, Map<String, Long>> waitingCounts(Collection<AccountView> accounts) {
    return waitReasons.counts(accounts);
  }

  /** What waits, by kind, account and cause. */
  public WaitingSummary waiting(Collection<AccountView> accounts) {
    return waitReasons.summary(accounts);
  }

  /** Counts what was found forgotten; gives how much that is by now. */
  public long countRescued(int found) {
    context.counts().rescued.add(found);
    return context.counts().rescued.sum();
  }

  /** Why the store takes no writes, as far as is known; null if it does. Asks nobody. */
  public @Nullable String storeDownBecause() {
    return context.storeWatch().downBecause();
  }

  public Stats stats() {
    MessageCounts counts = context.counts();
    List<AccountView> views = accounts();
    return new Stats(
        context.time().instant(),
        startedAt,
        context.node(),
        context.store().durable(),
        counts.counted(),
        context.storeWatch().downBecause(),
        counts.active(),
        sending(),
        counts.deadLetters(),
        accountRegistry.pausedLanes().count(),
        views.stream()
            .map(AccountView::oldestWaitingAt)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null),
        counts.accepted.sum(),
        counts.delivered.sum(),
        counts.failed.sum(),
        counts.expired.sum(),
        counts.held.sum(),
        counts.cancelled.sum(),
        counts.retried.sum(),
        counts.throttled.sum(),
        counts.stale.sum(),
        counts.rescued.sum(),
        new Stats.Inbound(
            counts.waitingEvents(),
            counts.leasedEvents(),
            counts.deadEvents(),
            counts.received.sum(),
            counts.refused.sum(),
            counts.handled.sum(),
            counts.handlingFailed.sum()),
        views);
  }

  private int sending() {
    return accountRegistry.worked().stream()
        .mapToInt(account -> account.lanes().view().inFlight())
        .sum();
  }

  // ---- stopping

  /** Starts nothing new and waits for what is in flight, but not longer than the grace. */
  public void stop() {
    context
        .time()
        .awaitFor(
            inboundOperations.stop(),
            config.queue().shutdownGrace()); // it may still want to answer
    stopping = true;
    leaseReaper.stop();
    fileKeeper.stop();
    receiptRetries.stop();
    minutes.stop();
    sweep.stop();
    ownership.stop();
  }
}
