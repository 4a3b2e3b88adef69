package dev.postrider.internal.account;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.context.MessageCounts;
import dev.postrider.internal.lane.AccountWork;
import dev.postrider.internal.lane.LaneRun;
import dev.postrider.internal.lane.LaneScheduler;
import dev.postrider.internal.lane.LaneScheduler.Gate;
import dev.postrider.internal.lane.Permit;
import dev.postrider.internal.lease.HeldLease;
import dev.postrider.internal.media.MediaUploads;
import dev.postrider.internal.pace.PaceOpening;
import dev.postrider.internal.pace.Pacer;
import dev.postrider.internal.retry.RetryPolicy;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.Outage;
import dev.postrider.view.PaceView;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One account at work: its link to the platform, its lanes, and its health. Pauses and breakage are
 * stored, so that they survive a restart. Thread-safe.
 */
public final class Account implements AccountContext, AccountWork.Incidents {
  private static final Logger log = LoggerFactory.getLogger(Account.class);
  private static final int ARRIVALS = 500;
  private static final int LANES = 500;
  private static final String SPELLED = "postrider.lanes-spelled"; // that it was done once
  private static final Duration SAVE_AGAIN = Duration.ofSeconds(1);
  private static final Duration LINK_TIMEOUT = Duration.ofSeconds(30);
  private static final String NO_ANSWER = "no answer in time";

  private final AccountConfig config;
  private final EngineContext context;
  private final Capabilities capabilities;
  private final LaneScheduler lanes;
  private final Link link;
  private final AccountWork work;
  private final PausedLanes pausedLanes;
  private final SuspectMessages suspects = new SuspectMessages();
  private final PlatformListener listening;
  private final AccountMemory memory;
  private final ProbeSchedule probes;
  private final AtomicInteger arrivals = new AtomicInteger(); // told of and not looked for yet

  private final Object gates = new Object(); // held while gates are set by the state

  private AccountState state; // guarded by this
  private @Nullable AccountState unsaved; // guarded by this; on its way to the store
  private @Nullable String notReadyBecause; // guarded by this
  private boolean needsLogin; // guarded by this
  private boolean wasReady; // guarded by this
  private Instant changedAt; // when pauses, breakage or readiness last changed; guarded by this

  /**
   * @param heldLease the lease under which the account is worked
   */
  Account(
      AccountRegistry.Known known,
      AccountState state,
      HeldLease heldLease,
      EngineContext context,
      PausedLanes pausedLanes) {
    config = known.config();
    capabilities = known.capabilities();
    this.context = context;
    this.state = state;
    this.pausedLanes = pausedLanes;
    this.changedAt = context.time().instant();
    AccountPace pace = config.pace();
    Pace perChat = pace.chat();
    lanes =
        new LaneScheduler(
            config.id(),
            known.concurrency(),
            new Pacer(
                config.id(),
                known.channelMeter(),
                known.pace(),
                perChat == null ? capabilities.chatPace() : _ -> perChat,
                capabilities.jitter(),
                context.random()),
            context.store(),
            context.time(),
            this::serverOf,
            this::sendHead);
    memory = new AccountMemory(config.id(), context);
    probes = new ProbeSchedule(context.time(), this::isBroken, this::probe);
    link = known.channel().open(this);
    listening = new PlatformListener(config.id(), link, heldLease, context);
    work =
        new AccountWork(
            config,
            capabilities,
            link,
            context.store(),
            context.time(),
            context.events(),
            new RetryPolicy(config.delivery(), this::remembers, context.random()),
            new MediaUploads(
                config.id(),
                capabilities.media(),
                context.store(),
                context.time(),
                context.custody(),
                context.downloads(),
                context.addresses()),
            heldLease,
            this);
    setGates();
  }

  public String id() {
    return config.id();
  }

  public LaneScheduler lanes() {
    return lanes;
  }

  public HeldLease hold() {
    return work.heldLease();
  }

  // ---- sending

  /** An adapter that cannot say has no memory to rely on. */
  private Duration remembers(Dispatch part) {
    try {
      return link.remembers(part, capabilities.remembers());
    } catch (RuntimeException | Error e) {
      log.warn("Account {}: an adapter failed to say whether it knows a repeat", id(), e);
      return Duration.ZERO;
    }
  }

  private @Nullable String serverOf(String chat) {
    return link.server(chat);
  }

  private void sendHead(Permit permit) {
    context.time().start("lane", new LaneRun(work, lanes, permit)::fromHead);
  }

  public void sendReserved(Permit permit, StoredMessage message) {
    context.time().start("lane", () -> new LaneRun(work, lanes, permit).fromReserved(message));
  }

  /**
   * Joins lanes that were filled under other spellings of their chats, before there was one that
   * counts. Walks all lanes, but once: that is remembered. To be called before anything is sent.
   */
  void joinSpellings() {
    Instant now = context.time().instant();
    if (context.store().remembered(id(), null, SPELLED, now).isPresent()) {
      return;
    }
    Map<String, String> other = new LinkedHashMap<>();
    String cursor = null;
    do {
      Page<LaneView> page = context.store().lanes(LaneFilter.of(id()), cursor, LANES);
      for (LaneView lane : page.items()) {
        String name = newName(lane.chat());
        if (name != null) {
          other.put(lane.chat(), name);
        }
      }
      cursor = page.next();
    } while (cursor != null);
    other.forEach(this::rename);
    List<Remembered> done = List.of(Remembered.of(null, SPELLED, "1"));
    context.time().await(context.store().receive(id(), List.of(), null, done));
  }

  public boolean hasLanesToJoin() {
    return !context.chats().told(id()).isEmpty();
  }

  /** Joins the lanes of chats that the platform uses another name for. */
  public void joinTold() {
    if (hasLanesToJoin()) {
      context.time().start("join", () -> context.chats().told(id()).forEach(this::rename));
    }
  }

  /** If something is being sent from the lane, whoever does it gives it its name. */
  private void rename(String from, String to) {
    Permit permit = lanes.tryHold(from);
    if (permit != null) {
      new LaneRun(work, lanes, permit).rename(to);
    }
  }

  /** Ends the attempts that were under way when the account's last worker stopped. */
  void recover(List<StoredMessage> interrupted) {
    for (StoredMessage message : interrupted) {
      boolean ordered = message.message().ordering() == Ordering.FIFO;
      Permit permit = lanes.recover(message.message().to(), ordered, message.row());
      context.time().start("lane", () -> new LaneRun(work, lanes, permit).fromInterrupted(message));
    }
  }

  /**
   * Begins to send; what was broken before the start is probed at once, since a token may be new.
   */
  void open() {
    listening.start();
    synchronized (this) {
      wasReady |= notReadyBecause == null;
    }
    lanes.open(Gate.STARTING);
    if (isBroken()) {
      probes.beginNow();
    }
  }

  /** Sends nothing more; done when nothing is in flight. What is in flight may need the link. */
  CompletableFuture<Void> stop() {
    probes.end();
    return lanes.stop();
  }

  /** Listens no more; done when its connection has ended. */
  CompletableFuture<Void> hangUp() {
    return listening.stop();
  }

  /**
   * How long what is in flight may take by itself: a request with the largest file there can be,
   * then a look whether it has arrived.
   */
  Duration longestAttempt() {
    return config
        .delivery()
        .attemptTimeout()
        .multipliedBy(2)
        .plus(PartFile.allowance(capabilities.media().largest()));
  }

  void closeLink() {
    link.close();
  }

  // ---- arrivals

  /** Takes in what other nodes have accepted for this account, until nothing is left. */
  void takeIn(Cluster cluster) {
    if (arrivals.getAndIncrement() == 0) {
      context.insist("arrivals", () -> takeInAll(cluster));
    }
  }

  private void takeInAll(Cluster cluster) {
    int told;
    do {
      told = arrivals.get();
      int taken;
      do {
        taken = -1; // if nothing is heard, some may have been taken in
        try {
          taken =
              context
                  .time()
                  .await(cluster.takeIn(hold().lease(), context.time().instant(), ARRIVALS));
        } catch (LeaseLost e) {
          taken = 0; // they are left to its next worker
        } finally {
          if (taken != 0) {
            lanes.lookAgain();
          }
        }
      } while (taken == ARRIVALS);
    } while (!arrivals.compareAndSet(told, 0));
  }

  // ---- readiness

  @Override
  public AccountConfig config() {
    return config;
  }

  @Override
  public Scheduler scheduler() {
    return context.time();
  }

  @Override
  public Memory memory() {
    return memory;
  }

  @Override
  public void ready() {
    synchronized (this) {
      if (notReadyBecause == null) {
        return;
      }
      notReadyBecause = null;
      needsLogin = false;
      wasReady = true;
      changedAt = context.time().instant();
    }
    context.events().publish(new Event.AccountReady(context.time().instant(), id()));
    lanes.open(Gate.NOT_READY);
  }

  @Override
  public void notReady(String reason) {
    notReady(reason, false);
  }

  @Override
  public void needsLogin(String reason) {
    notReady(AccountContext.howToLogIn(id()) + ": " + reason, true);
  }

  @Override
  public void lowerPace(double share, @Nullable String because) {
    lanes.lowerPace(share, because);
  }

  private void notReady(String reason, boolean untilLogin) {
    lanes.close(Gate.NOT_READY);
    synchronized (this) {
      if (notReadyBecause == null) {
        changedAt = context.time().instant();
      }
      notReadyBecause = reason;
      needsLogin = untilLogin;
    }
    context.events().publish(new Event.AccountNotReady(context.time().instant(), id(), reason));
  }

  // ---- pausing

  /**
   * Stops the account; the future completes when that will survive a restart. One that is paused
   * keeps its first reason.
   */
  public CompletableFuture<AccountState> pause(String reason) {
    return context
        .store()
        .pauseAccount(id(), reason, context.time().instant())
        .thenApply(this::paused);
  }

  private AccountState paused(AccountState stored) {
    String reason = String.valueOf(stored.pausedBecause());
    Instant noted = stored.pausedSince();
    Instant since = noted == null ? context.time().instant() : noted;
    synchronized (this) {
      state = state.paused(reason, since);
    }
    setGates();
    context.events().publish(new Event.AccountPaused(context.time().instant(), id(), reason));
    return stored;
  }

  /** Goes on, also with an account the platform had refused: an operator knows better. */
  public CompletableFuture<AccountState> resume() {
    return context.store().resumeAccount(id()).thenApply(this::resumed);
  }

  private AccountState resumed(AccountState stored) {
    synchronized (this) {
      state = AccountState.fresh(id());
      changedAt = context.time().instant();
    }
    probes.end();
    context.events().publish(new Event.AccountResumed(context.time().instant(), id()));
    lanes.reached().forEach(this::reachable); // the next request finds out whether it is true
    setGates();
    return stored;
  }

  synchronized AccountState state() {
    return state;
  }

  /** Follows what was stored elsewhere or unheard, unless something was done here since. */
  @SuppressWarnings("ReferenceEquality") // an equal state may have come and gone meanwhile
  void follow(AccountState mine, AccountState stored) {
    boolean known;
    synchronized (this) {
      if (mine != state) {
        return;
      }
      known = unsaved == null;
    }
    String pause = stored.pausedBecause();
    boolean mended = mine.brokenBecause() != null && stored.brokenBecause() == null && known;
    if (pause == null && (mine.pausedBecause() != null || mended)) {
      resumed(stored); // who resumes an account clears both
    } else if (pause != null && !pause.equals(mine.pausedBecause())) {
      paused(stored);
    }
  }

  /**
   * Opens and closes gates by what is true now. Nobody is told of changes, everybody looks: so
   * whoever comes last leaves the gates right, however changes overtake one another.
   */
  public void setGates() {
    synchronized (gates) {
      AccountState now;
      synchronized (this) {
        now = state;
      }
      set(Gate.PAUSED, now.pausedBecause() != null);
      set(Gate.BROKEN, now.brokenBecause() != null);
      set(Gate.STORE_DOWN, context.storeWatch().downBecause() != null);
    }
  }

  private void set(Gate gate, boolean closed) {
    if (closed && !lanes.isClosed(gate)) {
      lanes.close(gate);
    } else if (!closed && lanes.isClosed(gate)) {
      lanes.open(gate);
    }
  }

  // ---- breakage

  @Override
  public void accountBroken(String cause, MessageId by) {
    suspects.broke(by, cause);
    accountBroken(cause);
  }

  @Override
  public boolean brokeItBefore(MessageId message, String cause) {
    return suspects.isGuilty(message, cause);
  }

  private void accountBroken(String cause) {
    Instant now = context.time().instant();
    AccountState changed;
    synchronized (this) {
      if (state.brokenBecause() != null) {
        return;
      }
      state = state.broken(cause, now);
      changed = state;
    }
    setGates();
    remember(changed, () -> context.store().accountBroken(hold().lease(), cause, now));
    context.events().publish(new Event.AccountBroken(now, id(), cause, probes.begin()));
  }

  synchronized boolean isBroken() {
    return state.brokenBecause() != null;
  }

  /** Probes now if it is broken and nobody was about to; tells whether it did. */
  public boolean rescueProbe() {
    return probes.rescue();
  }

  /** Asks the platform whether it takes this account, and believes it. */
  public Probe probe() {
    Probe probe =
        hold().isCertain()
            ? ask(
                "probe",
                link::probe,
                e -> new Probe.Unreachable(e.getClass().getSimpleName()),
                new Probe.Unreachable(NO_ANSWER))
            : new Probe.Unreachable(HeldLease.IN_DOUBT);
    switch (probe) {
      case Probe.Healthy(String identity) -> {
        if (!identity.isEmpty()) { // the platform was really asked
          suspects.accountIsInOrder();
          lanes.reached().forEach(this::reachable);
          listening.askAgain();
        }
        repaired();
      }
      case Probe.Broken broken -> {
        lanes.reached().forEach(this::reachable);
        accountBroken(broken.cause());
      }
      case Probe.Unreachable _ -> {}
    }
    return probe;
  }

  /** Logs the account in, or tells how far that is. */
  public LoginState login(LoginRequest request) {
    if (!hold().isCertain()) {
      return new LoginState.Waiting(HeldLease.IN_DOUBT);
    }
    LoginState state =
        ask(
            "login",
            () -> link.login(request),
            e -> new LoginState.Failed("the channel failed: " + e.getClass().getSimpleName()),
            new LoginState.Waiting(NO_ANSWER));
    if (state instanceof LoginState.LoggedIn) {
      listening.askAgain();
      if (isBroken()) {
        probe(); // nobody waits an hour for the next one
      }
    }
    return state;
  }

  /** Asks the link something, which may throw or hang. */
  private <T> T ask(String name, Callable<T> question, Function<Throwable, T> thrown, T late) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Scheduler.Task task =
        context
            .time()
            .start(
                name,
                () -> {
                  try {
                    answer.complete(question.call());
                  } catch (Exception | Error e) {
                    answer.complete(thrown.apply(e));
                  }
                });
    Scheduler.Timer limit =
        context
            .time()
            .after(
                LINK_TIMEOUT,
                () -> {
                  if (answer.complete(late)) {
                    task.interrupt();
                  }
                });
    try {
      return context.time().await(answer);
    } finally {
      limit.cancel();
    }
  }

  private void repaired() {
    AccountState changed;
    synchronized (this) {
      if (state.brokenBecause() == null) {
        return;
      }
      state = state.repaired();
      changedAt = context.time().instant();
      changed = state;
    }
    probes.end();
    remember(changed, () -> context.store().accountRepaired(hold().lease()));
    context.events().publish(new Event.AccountRepaired(context.time().instant(), id()));
    setGates();
  }

  /** Stores what happened to the account; tries until it is stored, or is not so any more. */
  private void remember(AccountState changed, Supplier<CompletableFuture<AccountState>> write) {
    synchronized (this) {
      if (!Objects.equals(state.brokenBecause(), changed.brokenBecause())) {
        return;
      }
      unsaved = changed;
    }
    context
        .call(write)
        .whenComplete(
            (_, failure) -> {
              if (failure == null || EngineContext.cause(failure) instanceof LeaseLost) {
                synchronized (this) {
                  unsaved = changed.equals(unsaved) ? null : unsaved;
                }
              } else if (!(EngineContext.cause(failure) instanceof StoreClosed)) {
                context.time().after(SAVE_AGAIN, () -> remember(changed, write));
              }
            });
  }

  // ---- outages

  @Override
  public void unreachable(Outage outage) {
    context
        .events()
        .publish(
            new Event.AccountUnreachable(
                context.time().instant(),
                id(),
                outage.server(),
                outage.cause(),
                outage.nextProbeAt()));
  }

  /**
   * During an outage messages are the probes. Where none waits, the platform is asked: so that the
   * account is ready again by itself, and not only when somebody wants something of it.
   */
  public void probeOutage() {
    if (lanes.beginProbe()) {
      context.time().start("probe", this::askPlatform);
    }
  }

  private void askPlatform() {
    Outcome.Unreachable gone = null;
    try {
      if (probe() instanceof Probe.Unreachable(String cause)) {
        gone = new Outcome.Unreachable(cause);
      }
    } finally {
      Outage news = lanes.endProbe(gone);
      if (news != null) {
        unreachable(news);
      }
    }
  }

  /** Whether somebody has to look after it although nothing may wait. */
  public boolean isUnwell() {
    return isBroken() || lanes.hasOutage();
  }

  @Override
  public void reachable(Outage outage) {
    synchronized (this) {
      changedAt = context.time().instant();
    }
    context
        .events()
        .publish(
            new Event.AccountReachable(
                context.time().instant(), id(), outage.server(), outage.since()));
  }

  // ---- other incidents

  @Override
  public CompletableFuture<Void> haltLane(String chat, String reason) {
    return pausedLanes.pause(id(), chat, reason);
  }

  @Override
  public @Nullable String newName(String chat) {
    return context.chats().newName(id(), chat);
  }

  @Override
  public void laneMoves(String from, String to) {
    pausedLanes.moves(id(), from, to);
  }

  @Override
  public void laneMoved() {
    pausedLanes.moved(id());
  }

  @Override
  public void storeDown(String reason) {
    context.storeWatch().down(reason);
  }

  @Override
  public void storeUp() {
    context.storeWatch().up();
  }

  // ---- for people to look at

  /** What is made of its pace now. */
  public PaceView.InUse paceInUse() {
    LaneScheduler.View now = lanes.view();
    PaceOpening opening = lanes.opening();
    return new PaceView.InUse(
        Math.min(now.share(), lanes.paceCeiling()),
        now.inFlight(),
        opening.until(),
        opening.cause());
  }

  public AccountView view(MessageCounts counts, @Nullable WaitingFor waitingFor) {
    LaneScheduler.View now = lanes.view();
    ListeningView hears = listening.view();
    Condition condition = condition(now, hears);
    Instant probe = probes.nextAt();
    Outage outage = outage(now);
    if (probe == null && outage != null) {
      probe = outage.nextProbeAt();
    }
    return new AccountView(
        id(),
        config.channel(),
        condition.health,
        condition.since,
        condition.reason,
        needsLogin(condition),
        context.node(),
        hears,
        counts.active(id()),
        now.inFlight(),
        counts.deadLetters(id()),
        now.share(),
        now.throttledUntil(),
        probe,
        context.oldestDue(id()),
        context.oldestWaiting(id()),
        now.outages(),
        waitingFor);
  }

  /** What other nodes are told of it; empty if there is nothing to say. */
  Optional<AccountReport> report() {
    ListeningView hears = listening.view();
    Condition condition = condition(lanes.view(), hears);
    return condition.health == Health.READY && hears.status() == ListeningView.Status.OFF
        ? Optional.empty()
        : Optional.of(
            new AccountReport(
                id(),
                condition.health.label(),
                condition.since,
                condition.reason,
                needsLogin(condition),
                hears.status().label(),
                hears.since(),
                hears.cause()));
  }

  /** Why nothing of it is sent; null if something may be. */
  @Nullable WaitingFor closed(Instant now) {
    LaneScheduler.View view = lanes.view();
    Instant nextProbe = ahead(probes.nextAt(), now);
    synchronized (this) {
      WaitingFor closed = WaitReasons.closed(state, nextProbe);
      if (closed != null) {
        return closed;
      }
      if (view.closed().contains(Gate.STOPPED)) {
        return new WaitingFor.OtherNode(null, "this node is stopping");
      }
      Instant doubt = inDoubtSince();
      if (doubt != null) {
        return new WaitingFor.OtherNode(doubt, HeldLease.IN_DOUBT);
      }
      if (view.closed().contains(Gate.STARTING) || notReadyBecause != null) {
        Condition condition = condition(view, ListeningView.OFF);
        return new WaitingFor.Unreachable(null, condition.since, String.valueOf(condition.reason));
      }
    }
    Outage outage = outage(view);
    return outage == null ? null : unreachable(outage, now);
  }

  /** Why nothing is sent to this chat although the account sends; null if something may be. */
  @Nullable WaitingFor closed(String chat, Instant now) {
    List<Outage> outages = lanes.outages(chat);
    return outages.isEmpty() ? null : unreachable(outages.getFirst(), now);
  }

  private static WaitingFor unreachable(Outage outage, Instant now) {
    return new WaitingFor.Unreachable(
        ahead(outage.nextProbeAt(), now), outage.since(), outage.cause());
  }

  private static @Nullable Instant ahead(@Nullable Instant when, Instant now) {
    return when != null && when.isAfter(now) ? when : null;
  }

  /** Whether what is the matter with it is that a person must log it in. */
  private synchronized boolean needsLogin(Condition condition) {
    return needsLogin && Objects.equals(condition.reason, notReadyBecause); // not if it is paused
  }

  /** How the account is, since when, and why. */
  private record Condition(Health health, @Nullable Instant since, @Nullable String reason) {}

  /** Since when it is not certain that this node works it; null if it is. */
  private @Nullable Instant inDoubtSince() {
    Duration certain = hold().certainFor();
    return certain == null || certain.isPositive() ? null : context.time().instant().plus(certain);
  }

  /** The first that holds, the weightiest first. */
  private synchronized Condition condition(LaneScheduler.View now, ListeningView hears) {
    if (state.pausedBecause() != null) {
      Instant since = state.pausedSince();
      return new Condition(Health.PAUSED, since == null ? changedAt : since, state.pausedBecause());
    }
    if (state.brokenBecause() != null) {
      return new Condition(Health.BROKEN, state.brokenSince(), state.brokenBecause());
    }
    if (now.closed().contains(Gate.STARTING) || notReadyBecause != null) {
      return new Condition(
          wasReady ? Health.UNREACHABLE : Health.STARTING,
          changedAt,
          notReadyBecause == null ? "it is being started" : notReadyBecause);
    }
    Instant doubt = inDoubtSince();
    if (doubt != null) {
      return new Condition(Health.DEGRADED, doubt, HeldLease.IN_DOUBT);
    }
    Outage outage = outage(now);
    if (outage != null) {
      return new Condition(Health.UNREACHABLE, outage.since(), outage.cause());
    }
    if (!now.outages().isEmpty()) {
      Outage first = now.outages().getFirst();
      int others = now.outages().size() - 1;
      String reason =
          first.server()
              + switch (others) {
                case 0 -> "";
                case 1 -> " and 1 other server";
                default -> " and %d other servers".formatted(others);
              }
              + " cannot be reached: "
              + first.cause();
      return new Condition(Health.DEGRADED, first.since(), reason);
    }
    if (hears.isDeaf()) {
      return new Condition(Health.DEGRADED, hears.since(), "it hears nothing: " + hears.cause());
    }
    if (now.throttledUntil() != null) {
      return new Condition(Health.DEGRADED, now.slowSince(), "the platform asked for patience");
    }
    if (now.share() < 1) {
      long percent = Math.round(100 * now.share());
      String reason =
          "it sends at %d %% of its pace, since the platform complained".formatted(percent);
      return new Condition(Health.DEGRADED, now.slowSince(), reason);
    }
    return new Condition(Health.READY, changedAt, null);
  }

  /** The outage of the account as a whole; null if there is none. */
  private static @Nullable Outage outage(LaneScheduler.View now) {
    return now.outages().stream().filter(each -> each.server() == null).findFirst().orElse(null);
  }
}
