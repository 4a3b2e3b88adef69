package dev.postrider.lane;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Scope;
import dev.postrider.message.Priority;
import dev.postrider.pace.Budget;
import dev.postrider.pace.Opening;
import dev.postrider.pace.Pacer;
import dev.postrider.store.Head;
import dev.postrider.store.Store;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for one account, which lane may send next.
 *
 * <h2>What it knows</h2>
 *
 * The store holds the lanes and keeps one message at the head of each. This class holds only a
 * {@linkplain Window window} on the heads that are due: small {@link Head} values, live and bulk. A
 * lane with nothing due is not here at all, so idle lanes cost nothing, and a backlog of any size
 * costs the same. What is due later is one timer.
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
 * After an outage, or a throttle of the whole account, a {@linkplain Breaker breaker} lets one
 * request go first; the others follow its success. What waits for one server of several steps
 * aside, so it delays nobody else.
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
  /** A reason for which the whole account sends nothing. */
  public enum Gate {
    STARTING,
    PAUSED,
    BROKEN,
    NOT_READY,
    STORE_DOWN,
    STOPPED
  }

  private record Waiting(Permit permit, CompletableFuture<Boolean> turn) {}

  private final int slots;
  private final Pacer pacer;
  private final Scheduler time;
  private final Consumer<Permit> starter;

  private final Object lock = new Object();
  private final Window window = new Window();
  private final Breakers breakers;
  private final Feed feed;
  private final Alarm alarm;
  private final List<Waiting> continuing = new ArrayList<>();
  private final Set<String> busy = new HashSet<>(); // lanes in flight
  private final Set<String> turnedAway =
      new HashSet<>(); // busy lanes whose next head was seen too early
  private final EnumSet<Gate> closed = EnumSet.of(Gate.STARTING);
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int inFlight;

  /**
   * @param serverOf names the server of a chat; null where the account has only one
   * @param starter begins the attempt a permit was given for, on a strand of its own
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
    this.breakers = new Breakers(serverOf, slots);
    this.feed = new Feed(account, store, time, lock, window, this::pump);
    this.alarm = new Alarm(time, this::onAlarm);
  }

  // ---- what may be sent

  /** Tells of a head: one just accepted, promoted or resumed. */
  public void offer(@Nullable Head head) {
    if (head != null) {
      feed.place(head);
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

  /** Tells that something in the store becomes due at this time. */
  public void dueAt(Instant when) {
    feed.dueAt(when);
  }

  // ---- permits

  /**
   * A permit for a message that is about to be accepted, so that its first attempt can be reserved
   * in the same write; null if anything stands before it.
   */
  public @Nullable Permit tryAcquire(String chat, Priority priority, boolean ordered) {
    synchronized (lock) {
      Instant now = time.instant();
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
  private boolean mayTake(String chat, Instant now) {
    return closed.isEmpty()
        && continuing.isEmpty()
        && !window.isPaused(chat)
        && breakers.areCalm(chat)
        && !pacer.opensAt(now).isAfter(now)
        && !pacer.chatOpensAt(chat, now).isAfter(now);
  }

  private boolean slotFree() {
    return inFlight - continuing.size() < slots;
  }

  private Permit grant(String chat, boolean ordered, long row, Instant now) {
    inFlight++;
    if (ordered) {
      busy.add(chat);
    }
    Permit permit = new Permit(this, chat, ordered, row, pacer.take(chat, now), now);
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
      window.takeOff(row);
      if (ordered) {
        busy.add(chat);
      }
      Permit permit = new Permit(this, chat, ordered, row, List.of(), time.instant());
      permit.useToken();
      return permit;
    }
  }

  /** The message that {@link #tryAcquire} was for has been stored under this row. */
  public void adopt(Permit permit, long row) {
    synchronized (lock) {
      permit.useFor(row);
      window.takeOff(row);
    }
  }

  /**
   * A token for the lane's next message, so that it can be reserved in the same write that ends
   * this one; false if others have waited longer or a bucket is empty.
   */
  boolean tryExtend(Permit permit) {
    synchronized (lock) {
      Instant now = time.instant();
      if (!permit.ordered
          || inFlight > slots
          || !window.nobodyBefore(Priority.BULK)
          || !mayTake(permit.chat, now)) {
        return false;
      }
      permit.refill(pacer.take(permit.chat, now), now);
      return true;
    }
  }

  /** The permit now serves the next message of its lane. */
  void extend(Permit permit, long row) {
    synchronized (lock) {
      window.land(permit.row);
      permit.useFor(row);
      window.takeOff(row);
    }
  }

  /**
   * A token for the next part of the message under way, if one is there and nobody waits for it.
   */
  boolean tryNextToken(Permit permit) {
    synchronized (lock) {
      Instant now = time.instant();
      if (!mayTake(permit.chat, now)) {
        return false;
      }
      permit.refill(pacer.take(permit.chat, now), now);
      return true;
    }
  }

  /**
   * A token for the next part of the message under way; false if the account stops before one is
   * there.
   */
  CompletableFuture<Boolean> nextToken(Permit permit) {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    synchronized (lock) {
      continuing.add(new Waiting(permit, turn));
    }
    pump();
    return turn;
  }

  void release(Permit permit) {
    synchronized (lock) {
      inFlight--;
      if (permit.ordered) {
        busy.remove(permit.chat);
        if (turnedAway.remove(permit.chat)) {
          window.lookAgain();
        }
      }
      window.land(permit.row);
      breakers.leave(permit);
      if (permit.holdsToken()) {
        pacer.giveBack(permit.chat, permit.takenAt(), time.instant());
      }
      if (inFlight == 0 && closed.contains(Gate.STOPPED)) {
        idle.complete(null);
      }
    }
    pump();
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
      alarm.cancel();
    }
    pump();
    return idle;
  }

  public void pauseLane(String chat) {
    synchronized (lock) {
      window.pause(chat);
      breakers.takeOut(chat).forEach(window::drop);
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
  List<Budget> throttle(Scope scope, String chat, Instant until) {
    synchronized (lock) {
      return pacer.throttle(scope, chat, time.instant(), until);
    }
  }

  /** A chat is about to move: what was spent on it counts under its new name; to be stored. */
  List<Budget> move(String from, String to) {
    synchronized (lock) {
      return pacer.move(from, to, time.instant());
    }
  }

  /** What the pacer should remember from before the start. */
  public void restore(Budget budget) {
    synchronized (lock) {
      pacer.restore(budget);
      if (pacer.closedUntil().isAfter(time.instant())) {
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

  private List<Outage> over(Supplier<List<Breaker>> change) {
    List<Outage> ended = new ArrayList<>(0);
    synchronized (lock) {
      for (Breaker breaker : change.get()) {
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

  public View view() {
    synchronized (lock) {
      Instant now = time.instant();
      Instant until = pacer.closedUntil();
      return new View(
          Set.copyOf(closed),
          inFlight,
          pacer.share(now),
          until.isAfter(now) ? until : null,
          breakers.outages(now, time.elapsed()),
          pacer.slowSince(now));
    }
  }

  /** When the account as a whole may send next, as far as pace is concerned. */
  public Opening opening() {
    synchronized (lock) {
      return pacer.opening(time.instant());
    }
  }

  /** When this chat may be sent to next, as far as pace is concerned. */
  public Opening opening(String chat) {
    synchronized (lock) {
      return pacer.opening(chat, time.instant());
    }
  }

  // ---- the pump

  /** Starts whatever may start, and arms the timer for what may start later. */
  private void pump() {
    List<Permit> granted = new ArrayList<>(1);
    List<Waiting> served = new ArrayList<>(0);
    List<Waiting> sentAway = new ArrayList<>(0);
    List<Shelf> hungry = List.of();
    synchronized (lock) {
      Instant now = time.instant();
      window.advance(now);
      sendAwayStopped(sentAway);
      if (closed.isEmpty()) {
        serveContinuing(now, served);
        grantHeads(now, granted);
        hungry = window.hungryShelves();
        arm(now);
      }
    }
    sentAway.forEach(waiting -> waiting.turn.complete(false));
    served.forEach(waiting -> waiting.turn.complete(true));
    granted.forEach(starter);
    hungry.forEach(feed::read);
  }

  /**
   * Messages between two parts do not sit out a pause or an outage; only a store that is away for a
   * moment is waited for.
   */
  private void sendAwayStopped(List<Waiting> sentAway) {
    boolean stopped = closed.stream().anyMatch(gate -> gate != Gate.STORE_DOWN);
    continuing.removeIf(
        waiting -> (stopped || mustStop(waiting.permit.chat)) && sentAway.add(waiting));
  }

  private boolean mustStop(String chat) {
    return window.isPaused(chat) || breakers.isUnreachable(chat);
  }

  private void serveContinuing(Instant now, List<Waiting> served) {
    for (var waiting = continuing.iterator(); waiting.hasNext(); ) {
      Waiting next = waiting.next();
      if (!slotFree() || pacer.opensAt(now).isAfter(now)) {
        return;
      }
      if (!pacer.chatOpensAt(next.permit.chat, now).isAfter(now)
          && breakers.let(next.permit.chat, time.elapsed())) {
        waiting.remove();
        next.permit.refill(pacer.take(next.permit.chat, now), now);
        breakers.begin(next.permit);
        served.add(next);
      }
    }
  }

  private void grantHeads(Instant now, List<Permit> granted) {
    Duration elapsed = time.elapsed();
    while (slotFree() && !pacer.opensAt(now).isAfter(now) && breakers.letAccount(elapsed)) {
      Head held = breakers.nextHeld(elapsed);
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
      if (!breakers.let(head.chat(), elapsed)) {
        if (!breakers.hold(head)) {
          window.drop(head);
        }
        continue;
      }
      Instant chatOpens = pacer.chatOpensAt(head.chat(), now);
      if (chatOpens.isAfter(now)) {
        window.cool(head, chatOpens);
        continue;
      }
      granted.add(grant(head.chat(), head.ordered(), head.row(), now));
    }
  }

  /** One timer for the next thing that time alone can change. */
  private void arm(Instant now) {
    Instant next = window.nextChange();
    if (!continuing.isEmpty() || !window.isEmpty()) {
      Instant opens = pacer.opensAt(now);
      for (Waiting waiting : continuing) {
        Instant chatOpens = pacer.chatOpensAt(waiting.permit.chat, now);
        Instant both = chatOpens.isAfter(opens) ? chatOpens : opens;
        if (both.isAfter(now) && (next == null || both.isBefore(next))) {
          next = both;
        }
      }
      if (opens.isAfter(now) && (next == null || opens.isBefore(next))) {
        next = opens;
      }
    }
    Duration probe = breakers.waits(time.elapsed(), !continuing.isEmpty() || !window.isEmpty());
    if (probe != null && (next == null || now.plus(probe).isBefore(next))) {
      next = now.plus(probe);
    }
    if (next != null) {
      alarm.set(next, now);
    }
  }

  private void onAlarm() {
    synchronized (lock) {
      alarm.rung();
    }
    pump();
  }
}
