package dev.postrider.internal.lane;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.internal.pace.Moment;
import dev.postrider.internal.pace.PaceOpening;
import dev.postrider.internal.pace.Pacer;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.store.Store;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.time.Scheduler;
import dev.postrider.view.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, for one account, which lane may send next.
 *
 * <h2>What it knows</h2>
 *
 * The store holds the lanes and keeps one message at the head of each. This class holds only a
 * {@linkplain LaneWindow window} on the heads that are due: small {@link Head} values, live and
 * bulk. A lane with nothing due is not here at all, so idle lanes cost nothing, and a backlog of
 * any size costs the same. The store does not show heads of paused lanes; those who are on their
 * way when their lane is paused are stopped here. What is due later is one timer.
 *
 * <h2>When a head may go</h2>
 *
 * A head goes when every {@linkplain Gate gate} is open, a slot is free (the account's
 * concurrency), the account's and the channel's buckets have a token, and the chat's bucket has one
 * too. A head whose chat must wait steps aside until its bucket opens, so it delays nobody else.
 * Live heads go before bulk ones, without starving them. A message under way that needs a token for
 * its next part goes before new heads: what is begun gets finished. While it waits for that token
 * it keeps its lane but not its slot, so a long message to a slow chat delays nobody else either.
 *
 * <h2>When the platform does not answer</h2>
 *
 * After an outage, or a throttle of the whole account, a {@linkplain CircuitBreaker breaker} lets
 * one request go first; the others follow its success. What waits for one server of several steps
 * aside, so it delays nobody else. While nothing waits, the platform is asked instead, so that an
 * outage ends by itself.
 *
 * <h2>At the wire</h2>
 *
 * Between a permit and its request lie a commit and perhaps a large file. Right before the request
 * a second token is taken, from meters that count requests: however long some of them were held up,
 * they leave no faster than the platform allows. If the account or the lane has stopped by then,
 * the message goes back uncharged.
 *
 * <h2>Nothing is forgotten</h2>
 *
 * Whoever drops a head says who looks again. A head that is seen while it is in flight is passed
 * over; its permit says at the end when it is due again, and only once it has landed does anybody
 * look. A reservation that comes back empty is looked at again in a second. Waiting counts on the
 * stopwatch, due times on the clock; what was due once stays due when the clock is set back. And a
 * {@linkplain LaneSweep sweep} every few seconds compares what the store says is due with what is
 * known here: it should never find anything, and counts what it does.
 *
 * <h2>Ownership</h2>
 *
 * Whoever sends holds a {@link Permit}; closing it is the only way a slot and a lane are freed, and
 * it is closed by a {@code try} around the whole attempt. There is no release to remember.
 *
 * <h2>Concurrency</h2>
 *
 * All state is guarded by one lock and every critical section is short. Nothing is called while
 * holding it that could block or call back: {@link #pump} collects what to start and starts it
 * after unlocking.
 */
public final class LaneScheduler {
  private static final Logger log = LoggerFactory.getLogger(LaneScheduler.class);

  /** How often {@link #sweep} is to be called. */
  public static final Duration SWEEP_EVERY = LaneSweep.INTERVAL;

  private static final Duration LOOK_SOON = Duration.ofSeconds(1);
  private static final Duration LONGEST_AT_WIRE = Duration.ofSeconds(5);

  /** A reason for which the whole account sends nothing. */
  public enum Gate {
    STARTING,
    PAUSED,
    BROKEN,
    NOT_READY,
    STORE_DOWN,
    STOPPED
  }

  /** A message under way that waits for a token, and since when. */
  private record Waiting(
      Permit permit, MessageId message, Instant since, CompletableFuture<Boolean> turn) {}

  private final int slots;
  private final Pacer pacer;
  private final Scheduler time;
  private final Consumer<Permit> starter;

  private final Object lock = new Object();
  private final LaneWindow window = new LaneWindow();
  private final CircuitBreakers breakers;
  private final HeadLoader headLoader;
  private final LaneSweep sweep;
  private final EarliestTimer<Instant> clockAlarm;
  private final EarliestTimer<Duration> alarm;
  private final List<Waiting> continuing = new ArrayList<>();
  private final List<Waiting> atWire = new ArrayList<>();
  private final Set<String> busy = new HashSet<>(); // lanes in flight
  private final Set<String> turnedAway =
      new HashSet<>(); // busy lanes whose next head was seen too early
  private final EnumSet<Gate> closed = EnumSet.of(Gate.STARTING);
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int inFlight;
  private long pumped;

  /**
   * @param serverOf names the server of a chat; null where the account has only one
   * @param starter begins the attempt a permit was given for, as a task of its own
   */
  public LaneScheduler(
      String account,
      int slots,
      Pacer pacer,
      Store store,
      Scheduler time,
      Function<String, @Nullable String> serverOf,
      Consumer<Permit> starter) {
    this.slots = slots;
    this.pacer = pacer;
    this.time = time;
    this.starter = starter;
    this.breakers = new CircuitBreakers(serverOf, slots);
    this.headLoader = new HeadLoader(account, store, time, lock, window, this::pump);
    this.sweep = new LaneSweep(account, store, time, lock, this);
    this.clockAlarm = new EarliestTimer<>(time::at, this::onClockAlarm);
    this.alarm =
        new EarliestTimer<>(
            (when, ring) -> time.after(when.minus(time.elapsed()), ring), this::onAlarm);
  }

  // ---- what may be sent

  /** Tells of a head: one just accepted, promoted or resumed. */
  public void offer(@Nullable Head head) {
    if (head != null) {
      headLoader.place(head);
      pump();
    }
  }

  /** A live message has joined a lane behind bulk ones: they are urgent now. */
  public void urgent(String chat) {
    synchronized (lock) {
      window.urgent(chat);
      breakers.takeOut(chat).forEach(window::drop);
    }
    pump();
  }

  /** Tells that the store may hold heads that nobody has told of. */
  public void lookAgain() {
    synchronized (lock) {
      window.lookAgain();
    }
    pump();
  }

  /** Up to when things count as due, whatever was done to the clock. */
  Instant dueNow() {
    return headLoader.dueNow(time.instant());
  }

  // ---- permits

  /**
   * A permit for a message that is about to be accepted, so that its first attempt can be reserved
   * in the same write; null if anything stands before it.
   */
  public @Nullable Permit tryAcquire(String chat, Priority priority, boolean ordered) {
    synchronized (lock) {
      Moment now = Moment.of(time);
      if (!mayTake(chat, now)
          || !window.nobodyBefore(priority)
          || !slotFree()
          || (ordered && busy.contains(chat))) {
        return null;
      }
      return grant(chat, ordered, -1, now);
    }
  }

  /** Whether a token for this chat is there and nobody under way waits for one. */
  private boolean mayTake(String chat, Moment now) {
    return closed.isEmpty()
        && continuing.isEmpty()
        && !window.isPaused(chat)
        && breakers.areCalm(chat)
        && isOpen(pacer.opensAt(now), now)
        && isOpen(pacer.chatOpensAt(chat, now), now);
  }

  private static boolean isOpen(Duration opens, Moment now) {
    return opens.compareTo(now.elapsed()) <= 0;
  }

  private boolean slotFree() {
    return inFlight - continuing.size() < slots;
  }

  private Permit grant(String chat, boolean ordered, long row, Moment now) {
    inFlight++;
    if (ordered) {
      busy.add(chat);
    }
    Permit permit = new Permit(this, chat, ordered, row, pacer.take(chat, now), now.elapsed());
    breakers.begin(permit);
    return permit;
  }

  /**
   * A permit to finish what a stopped worker had begun; needs no token, since nothing may be sent
   * yet.
   */
  public Permit recover(String chat, boolean ordered, long row) {
    synchronized (lock) {
      inFlight++;
      window.takeOff(row, null);
      if (ordered) {
        busy.add(chat);
      }
      Permit permit = new Permit(this, chat, ordered, row, List.of(), time.elapsed());
      permit.useToken();
      pacer.emptyAtWire(chat, Moment.of(time));
      return permit;
    }
  }

  /** Holds a lane, so that nothing is sent from it; null if something is. */
  public @Nullable Permit tryHold(String chat) {
    synchronized (lock) {
      if (!busy.add(chat)) {
        return null;
      }
      inFlight++;
      Permit permit = new Permit(this, chat, true, -1, List.of(), time.elapsed());
      permit.useToken();
      return permit;
    }
  }

  /** The message that {@link #tryAcquire} was for has been stored under this row. */
  public void adopt(Permit permit, long row) {
    synchronized (lock) {
      permit.useFor(row);
      window.takeOff(row, null);
    }
  }

  /**
   * A token for the lane's next message, so that it can be reserved in the same write that ends
   * this one; false if others have waited longer or a bucket is empty.
   */
  boolean tryExtend(Permit permit) {
    synchronized (lock) {
      Moment now = Moment.of(time);
      if (!permit.ordered
          || inFlight > slots
          || !window.nobodyBefore(Priority.BULK)
          || !mayTake(permit.chat, now)) {
        return false;
      }
      permit.refill(pacer.take(permit.chat, now), now.elapsed());
      return true;
    }
  }

  /** The permit now serves the next message of its lane. */
  void extend(Permit permit, long row) {
    synchronized (lock) {
      window.land(permit.row);
      permit.useFor(row);
      window.takeOff(row, null);
    }
    pump();
  }

  /**
   * A token for the next part of the message under way, if one is there and nobody waits for it.
   */
  boolean tryNextToken(Permit permit) {
    synchronized (lock) {
      Moment now = Moment.of(time);
      if (!mayTake(permit.chat, now)) {
        return false;
      }
      permit.refill(pacer.take(permit.chat, now), now.elapsed());
      return true;
    }
  }

  /**
   * A token for the next part of the message under way; false if the account stops before one is
   * there.
   */
  CompletableFuture<Boolean> nextToken(Permit permit, MessageId message) {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    synchronized (lock) {
      continuing.add(new Waiting(permit, message, time.instant(), turn));
    }
    pump();
    return turn;
  }

  /**
   * Leave for the request itself. Since the token was taken time has passed, and more requests may
   * be ready now than the platform takes at once. False if the account or the lane has stopped
   * meanwhile, or would have to wait for long: then the message goes back to its lane.
   */
  CompletableFuture<Boolean> toWire(Permit permit, MessageId message) {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    synchronized (lock) {
      Moment now = Moment.of(time);
      Duration limit = now.elapsed().plus(LONGEST_AT_WIRE);
      if (isStopped(permit.chat)) {
        turn.complete(false);
      } else if (pacer.wireOpensAt(permit.chat, now).compareTo(limit) > 0) {
        permit.turnAway();
        turn.complete(false);
      } else if (atWire.isEmpty() && pacer.takeAtWire(permit.chat, now)) {
        turn.complete(true);
      } else {
        atWire.add(new Waiting(permit, message, now.clock(), turn));
      }
    }
    if (!turn.isDone()) {
      pump();
    }
    return turn;
  }

  /** What must be stored of a request that left later than its token was taken. */
  List<Budget> leftLate(Permit permit) {
    synchronized (lock) {
      return pacer.leftLate(permit.chat, Moment.of(time));
    }
  }

  private boolean isStopped(String chat) {
    return window.isPaused(chat) || closed.stream().anyMatch(gate -> gate != Gate.STORE_DOWN);
  }

  void release(Permit permit) {
    synchronized (lock) {
      Moment now = Moment.of(time);
      inFlight--;
      if (permit.ordered) {
        busy.remove(permit.chat);
        if (turnedAway.remove(permit.chat)) {
          window.lookAgain();
        }
      }
      window.land(permit.row);
      breakers.leave(permit);
      if (permit.comesBack() != null) {
        comeBack(permit.comesBack(), now);
      }
      if (permit.wantsLookSoon()) {
        window.lookAt(now.elapsed().plus(LOOK_SOON));
      }
      if (permit.holdsToken()) {
        pacer.giveBack(permit.chat, permit.takenAt(), now);
      }
      if (permit.wasTurnedAway()) {
        pacer.turnedAwayAtWire(permit.chat);
      }
      if (inFlight == 0 && closed.contains(Gate.STOPPED)) {
        idle.complete(null);
      }
    }
    pump();
  }

  /**
   * The lane is free again, and not before: a head that was seen while it was in flight is passed
   * over. After the clock was set back the store would show this one at once.
   */
  private void comeBack(Head head, Moment now) {
    if (now.clock().isBefore(headLoader.dueNow(now.clock()))) {
      window.cool(head, now.onStopwatch(head.dueAt()));
    } else {
      window.dueAt(head.dueAt());
    }
  }

  // ---- gates, pauses and throttles

  public void close(Gate gate) {
    synchronized (lock) {
      closed.add(gate);
    }
    pump();
  }

  public void open(Gate gate) {
    synchronized (lock) {
      closed.remove(gate);
    }
    pump();
  }

  public boolean isClosed(Gate gate) {
    synchronized (lock) {
      return closed.contains(gate);
    }
  }

  /** Stops the account for good; the future completes when nothing is in flight any more. */
  public CompletableFuture<Void> stop() {
    synchronized (lock) {
      closed.add(Gate.STOPPED);
      if (inFlight == 0) {
        idle.complete(null);
      }
      clockAlarm.cancel();
      alarm.cancel();
    }
    pump();
    return idle;
  }

  public void pauseLanes(Collection<String> chats) {
    synchronized (lock) {
      for (String chat : chats) {
        if (window.pause(chat)) {
          breakers.takeOut(chat).forEach(window::drop);
        }
      }
    }
    pump();
  }

  public void resumeLane(String chat) {
    synchronized (lock) {
      window.resume(chat);
    }
    pump();
  }

  /** Closes a scope for the time the platform asks; gives what must be stored of it. */
  List<Budget> throttle(ThrottleScope scope, String chat, Duration delay) {
    synchronized (lock) {
      return pacer.throttle(scope, chat, Moment.of(time), delay);
    }
  }

  /** At most this part of the account's pace is used from now on, and why, for people. */
  public void lowerPace(double share, @Nullable String because) {
    synchronized (lock) {
      pacer.lower(share, because);
    }
    pump();
  }

  /** What part of the account's pace may be used. */
  public double paceCeiling() {
    synchronized (lock) {
      return pacer.ceiling();
    }
  }

  /** A chat is about to move: what was spent on it counts under its new name; to be stored. */
  List<Budget> move(String from, String to) {
    synchronized (lock) {
      return pacer.move(from, to, Moment.of(time));
    }
  }

  /** What the pacer should remember from before the start. */
  public void restore(Budget budget) {
    synchronized (lock) {
      Moment now = Moment.of(time);
      pacer.restore(budget, now);
      if (!isOpen(pacer.closedUntil(), now)) {
        breakers.throttled();
      }
    }
  }

  // ---- what requests tell of the platform

  /** A request could not be made; gives the outage if it is news. */
  @Nullable Outage unreachable(Permit permit, Outcome.Unreachable gone) {
    synchronized (lock) {
      return breakers.unreachable(permit, gone, time.instant(), time.elapsed());
    }
  }

  /** A request got no answer. */
  void silent(Permit permit) {
    synchronized (lock) {
      breakers.silent(permit, time.elapsed());
    }
  }

  /** The platform answered that the whole account must wait; gives the outages that are over. */
  List<Outage> throttled(Permit permit) {
    return over(() -> breakers.throttled(permit));
  }

  /** The platform answered; gives the outages that are over. */
  List<Outage> answered(Permit permit) {
    return over(() -> breakers.answered(permit));
  }

  /** Somebody knows that the platform can be reached; gives the outages that are over. */
  public List<Outage> reached() {
    return over(breakers::reached);
  }

  /** Whether the account as a whole cannot be reached, as far as anybody knows. */
  public boolean hasOutage() {
    synchronized (lock) {
      return breakers.hasOutage();
    }
  }

  /**
   * Whether the platform is to be asked if it can be reached: it is time to, and no message is
   * there to find out. Whoever is told so calls {@link #endProbe}, whatever comes of it.
   */
  public boolean beginProbe() {
    synchronized (lock) {
      return closed.isEmpty()
          && continuing.isEmpty()
          && window.isEmpty()
          && breakers.beginProbe(time.elapsed());
    }
  }

  /**
   * The platform has been asked.
   *
   * @param gone why it could not be; null if it could, or nobody knows
   * @return the outage if it is news
   */
  public @Nullable Outage endProbe(Outcome.@Nullable Unreachable gone) {
    Outage news;
    synchronized (lock) {
      news = breakers.endProbe(gone, time.instant(), time.elapsed());
    }
    pump();
    return news;
  }

  private List<Outage> over(Supplier<List<CircuitBreaker>> change) {
    List<Outage> ended = new ArrayList<>(0);
    synchronized (lock) {
      for (CircuitBreaker breaker : change.get()) {
        breaker.held().forEach(window::putBack);
        if (breaker.leftSome()) {
          window.lookAgain();
        }
        Outage outage = breaker.outage(time.instant(), time.elapsed());
        if (outage != null && breaker.isKnown()) {
          ended.add(outage);
        }
      }
    }
    pump();
    return ended;
  }

  /** What makes this chat wait for a server; empty if nothing does. */
  public List<Outage> outages(String chat) {
    synchronized (lock) {
      return breakers.outages(chat, time.instant(), time.elapsed());
    }
  }

  /** How many heads wait for a server that cannot be reached. */
  public int heldByOutages() {
    synchronized (lock) {
      return breakers.held();
    }
  }

  /**
   * The account for people to look at.
   *
   * @param share the part of the configured rate in use
   * @param slowSince when the platform began to complain; null if it has no cause left
   */
  public record View(
      Set<Gate> closed,
      int inFlight,
      double share,
      @Nullable Instant throttledUntil,
      List<Outage> outages,
      @Nullable Instant slowSince) {}

  /** When the account as a whole may send next, as far as pace is concerned. */
  public PaceOpening opening() {
    synchronized (lock) {
      return pacer.opening(Moment.of(time));
    }
  }

  /** Since when a message under way has waited for the token of its next request; null if not. */
  public @Nullable Instant waitsForTokenSince(MessageId message) {
    synchronized (lock) {
      return Stream.concat(continuing.stream(), atWire.stream())
          .filter(waiting -> waiting.message.equals(message))
          .map(Waiting::since)
          .findFirst()
          .orElse(null);
    }
  }

  /** When this chat may be sent to next, as far as pace is concerned. */
  public PaceOpening opening(String chat) {
    synchronized (lock) {
      return pacer.opening(chat, Moment.of(time));
    }
  }

  public View view() {
    synchronized (lock) {
      Moment now = Moment.of(time);
      Duration until = pacer.closedUntil();
      return new View(
          Set.copyOf(closed),
          inFlight,
          pacer.share(now),
          isOpen(until, now) ? null : now.onClock(until),
          breakers.outages(now.clock(), now.elapsed()),
          pacer.slowSince(now));
    }
  }

  // ---- the pump

  /** Starts whatever may start, and arms the timers for what may start later. */
  private void pump() {
    List<Permit> granted = new ArrayList<>(1);
    List<Waiting> served = new ArrayList<>(0);
    List<Waiting> sentAway = new ArrayList<>(0);
    List<DueHeads> hungry = List.of();
    try {
      synchronized (lock) {
        Moment now = Moment.of(time);
        pumped++;
        window.advance(now);
        sendAwayStopped(sentAway);
        if (closed.isEmpty()) {
          serveAtWire(now, served);
          serveContinuing(now, served);
          grantHeads(now, granted);
          hungry = window.hungryShelves();
          arm(now);
        }
      }
    } finally {
      sentAway.forEach(waiting -> waiting.turn.complete(false));
      served.forEach(waiting -> waiting.turn.complete(true));
      granted.forEach(this::begin);
      hungry.forEach(headLoader::read);
    }
  }

  /** A permit whose attempt cannot begin, for want of memory, is closed a moment later. */
  private void begin(Permit permit) {
    try {
      starter.accept(permit);
    } catch (Throwable e) {
      log.error("An attempt could not begin; its lane is looked at again in a moment", e);
      permit.lookAgainSoon();
      time.after(LOOK_SOON, permit::close);
    }
  }

  /**
   * Messages between two parts do not sit out a pause or an outage; only a store that is away for a
   * moment is waited for.
   */
  private void sendAwayStopped(List<Waiting> sentAway) {
    continuing.removeIf(
        waiting ->
            (isStopped(waiting.permit.chat) || breakers.isUnreachable(waiting.permit.chat))
                && sentAway.add(waiting));
    atWire.removeIf(waiting -> isStopped(waiting.permit.chat) && sentAway.add(waiting));
  }

  private void serveAtWire(Moment now, List<Waiting> served) {
    atWire.removeIf(waiting -> pacer.takeAtWire(waiting.permit.chat, now) && served.add(waiting));
  }

  private void serveContinuing(Moment now, List<Waiting> served) {
    for (var waiting = continuing.iterator(); waiting.hasNext(); ) {
      Waiting next = waiting.next();
      if (!slotFree() || !isOpen(pacer.opensAt(now), now)) {
        return;
      }
      if (isOpen(pacer.chatOpensAt(next.permit.chat, now), now)
          && breakers.let(next.permit.chat, now.elapsed())) {
        waiting.remove();
        next.permit.refill(pacer.take(next.permit.chat, now), now.elapsed());
        breakers.begin(next.permit);
        served.add(next);
      }
    }
  }

  private void grantHeads(Moment now, List<Permit> granted) {
    while (slotFree() && isOpen(pacer.opensAt(now), now) && breakers.letAccount(now.elapsed())) {
      Head held = breakers.nextHeld(now.elapsed());
      Head head = held == null ? window.next() : held;
      if (head == null) {
        return;
      }
      if (head.ordered() && busy.contains(head.chat())) {
        // Its predecessor has ended in the store and its owner is about to let go of the lane.
        window.drop(head);
        turnedAway.add(head.chat());
        continue;
      }
      if (!breakers.let(head.chat(), now.elapsed())) {
        if (!breakers.hold(head)) {
          window.drop(head);
        }
        continue;
      }
      Duration chatOpens = pacer.chatOpensAt(head.chat(), now);
      if (!isOpen(chatOpens, now)) {
        window.cool(head, chatOpens);
        continue;
      }
      window.takeOff(head.row(), head.dueAt());
      Permit permit = grant(head.chat(), head.ordered(), head.row(), now);
      permit.dueAt(head.dueAt());
      granted.add(permit);
    }
  }

  /** One timer on the clock and one on the stopwatch for the next thing that time can change. */
  private void arm(Moment now) {
    Instant due = window.wakeAt();
    if (due != null) {
      clockAlarm.set(due, now.clock());
    }
    Duration next = nextChange(now);
    if (next != null) {
      alarm.set(next, now.elapsed());
    }
  }

  private @Nullable Duration nextChange(Moment now) {
    List<Duration> changes = new ArrayList<>(4);
    Duration inWindow = window.nextChange();
    if (inWindow != null) {
      changes.add(inWindow);
    }
    Duration opens = pacer.opensAt(now);
    for (Waiting waiting : continuing) {
      Duration chatOpens = pacer.chatOpensAt(waiting.permit.chat, now);
      changes.add(chatOpens.compareTo(opens) > 0 ? chatOpens : opens);
    }
    for (Waiting waiting : atWire) {
      changes.add(pacer.wireOpensAt(waiting.permit.chat, now));
    }
    if (!window.isEmpty()) {
      changes.add(opens);
    }
    Duration probe = breakers.waits(now.elapsed(), !continuing.isEmpty() || !window.isEmpty());
    if (probe != null) {
      changes.add(now.elapsed().plus(probe));
    }
    return changes.stream()
        .filter(change -> !isOpen(change, now))
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private void onClockAlarm() {
    synchronized (lock) {
      clockAlarm.rung();
    }
    pump();
  }

  private void onAlarm() {
    synchronized (lock) {
      alarm.rung();
    }
    pump();
  }

  // ---- the safety sweep

  /**
   * Looks for what is due and nobody here looks at; to be called every few seconds.
   *
   * @param onRescued is told how many were found and started
   */
  public void sweep(IntConsumer onRescued) {
    sweep.look(onRescued);
  }

  /** Something here could go on and nothing moves it: as if a timer had been lost. Guarded. */
  boolean isStuck() {
    Moment now = Moment.of(time);
    Instant due = window.wakeAt();
    Duration change = window.nextChange();
    boolean overdue =
        (due != null && !due.isAfter(now.clock())) || (change != null && isOpen(change, now));
    boolean grantable =
        !window.isEmpty()
            && slotFree()
            && isOpen(pacer.opensAt(now), now)
            && breakers.letAccount(now.elapsed());
    boolean sendable =
        atWire.stream().anyMatch(one -> isOpen(pacer.wireOpensAt(one.permit.chat, now), now));
    return closed.isEmpty()
        && (overdue || grantable || sendable || !window.hungryShelves().isEmpty());
  }

  /** How often anything has moved here. */
  public long moves() {
    synchronized (lock) {
      return pumped;
    }
  }

  /** Whether the window shows all that is due of this priority, and may send it. Guarded. */
  boolean showsEverything(Priority priority) {
    return closed.isEmpty() && window.shelf(priority).showsEverything();
  }

  /** Whether somebody will look at this head, or it may not be sent now. Guarded. */
  boolean isLookedAfter(Head head) {
    return window.knows(head)
        || window.looksSoon()
        || window.isPaused(head.chat())
        || !breakers.areCalm(head.chat())
        || (head.ordered() && busy.contains(head.chat()))
        || headLoader.isEntering(head)
        || (HeadLoader.waitsForClock(head) && head.dueAt().isAfter(time.instant()));
  }
}
