package dev.postrider.internal.lane;

import dev.postrider.internal.pace.Moment;
import dev.postrider.message.Priority;
import dev.postrider.store.message.Head;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an account knows of its lanes: the heads that are due, live and bulk, those whose chat must
 * cool down first, the lanes that are paused, and the moment when something in the store becomes
 * due. A head is in here once at most, and not while it is in flight, however often it is told of.
 *
 * <p>Not thread-safe; the lane scheduler guards it.
 */
final class LaneWindow {
  private static final int BULK_EVERY = 10;

  private record Cooling(Head head, Duration until) {}

  /** A row that is under way: which version of it, and whether it was told of meanwhile. */
  private static final class Flight {
    final @Nullable Instant dueAt;
    boolean toldOf;

    Flight(@Nullable Instant dueAt) {
      this.dueAt = dueAt;
    }
  }

  private final DueHeads live = new DueHeads(Priority.LIVE);
  private final DueHeads bulk = new DueHeads(Priority.BULK);
  private final PriorityQueue<Cooling> cooling =
      new PriorityQueue<>(Comparator.comparing(Cooling::until));
  private final Set<Long> waiting = new HashSet<>(); // rows on a shelf or cooling
  private final Map<Long, Flight> flying = new HashMap<>(); // rows in flight
  private final Set<String> paused = new HashSet<>();
  private int liveInARow;
  private @Nullable Instant wakeAt;
  private @Nullable Duration lookAt;

  LaneWindow() {
    lookAgain();
  }

  // ---- coming in

  /** Takes a head that is due. */
  void add(Head head) {
    Flight flight = flying.get(head.row());
    if (flight != null) {
      flight.toldOf = true;
    } else if (!paused.contains(head.chat())
        && waiting.add(head.row())
        && !shelf(head.priority()).add(head)) {
      waiting.remove(head.row());
    }
  }

  /** Something in the store becomes due then. */
  void dueAt(Instant when) {
    if (wakeAt == null || when.isBefore(wakeAt)) {
      wakeAt = when;
    }
  }

  /** Looks again then, whatever the clock shows. */
  void lookAt(Duration when) {
    if (lookAt == null || when.compareTo(lookAt) < 0) {
      lookAt = when;
    }
  }

  /** The store may hold due heads that are not here. */
  void lookAgain() {
    live.lookAgain();
    bulk.lookAgain();
  }

  /** The bulk heads of this chat have become live in the store. */
  void urgent(String chat) {
    bulk.remove(chat).forEach(this::forget);
    cooling.removeIf(next -> next.head.chat().equals(chat) && forget(next.head));
    lookAgain(); // also among bulk: what is outside the lane's order has stayed there
  }

  /** False if it was paused before: then nothing of it is here. */
  boolean pause(String chat) {
    if (!paused.add(chat)) {
      return false;
    }
    for (DueHeads dueHeads : List.of(live, bulk)) {
      dueHeads.remove(chat).forEach(this::forget);
    }
    return true;
  }

  void resume(String chat) {
    paused.remove(chat);
    lookAgain();
  }

  boolean isPaused(String chat) {
    return paused.contains(chat);
  }

  /**
   * A row is under way.
   *
   * @param dueAt since when it was due; null if the store shows it to nobody until it has landed
   */
  void takeOff(long row, @Nullable Instant dueAt) {
    waiting.remove(row);
    flying.put(row, new Flight(dueAt));
  }

  /**
   * A row is not under way any more. If it was told of meanwhile, that was passed over: so somebody
   * looks now.
   */
  void land(long row) {
    Flight flight = flying.remove(row);
    if (flight != null && flight.toldOf) {
      lookAgain();
    }
  }

  /** Whether this head is on a shelf, cooling or in flight. */
  boolean knows(Head head) {
    return waiting.contains(head.row()) || flying.containsKey(head.row());
  }

  private boolean forget(Head head) {
    return waiting.remove(head.row());
  }

  // ---- going out

  /** Does what time has brought: looks for what has become due, and ends cooling. */
  void advance(Moment now) {
    if (wakeAt != null && !wakeAt.isAfter(now.clock())) {
      wakeAt = null;
      lookAgain();
    }
    if (lookAt != null && lookAt.compareTo(now.elapsed()) <= 0) {
      lookAt = null;
      lookAgain();
    }
    for (Cooling next = cooling.peek();
        next != null && next.until.compareTo(now.elapsed()) <= 0;
        next = cooling.peek()) {
      cooling.poll();
      if (paused.contains(next.head.chat())) {
        forget(next.head);
      } else {
        shelf(next.head.priority()).heads.addFirst(next.head);
      }
    }
  }

  /** Whether a newcomer of this priority has nobody before it. */
  boolean nobodyBefore(Priority priority) {
    return switch (priority) {
      case LIVE -> live.heads.isEmpty() && live.showsEverything();
      case BULK -> nobodyBefore(Priority.LIVE) && bulk.heads.isEmpty() && bulk.showsEverything();
    };
  }

  boolean isEmpty() {
    return live.heads.isEmpty() && bulk.heads.isEmpty();
  }

  /**
   * The head whose turn it is: live before bulk, but one in {@value #BULK_EVERY} is bulk when both
   * wait.
   */
  @Nullable Head next() {
    boolean bulkTurn = liveInARow >= BULK_EVERY - 1 && !bulk.heads.isEmpty();
    Head head = bulkTurn ? null : live.heads.poll();
    if (head != null) {
      liveInARow = bulk.heads.isEmpty() ? 0 : liveInARow + 1;
      return head;
    }
    liveInARow = 0;
    return bulk.heads.poll();
  }

  /** Puts a head aside until its chat may be sent to. */
  void cool(Head head, Duration until) {
    waiting.add(head.row());
    cooling.add(new Cooling(head, until));
  }

  /** Takes back a head that was put aside elsewhere. */
  void putBack(Head head) {
    if (paused.contains(head.chat())) {
      forget(head);
    } else {
      shelf(head.priority()).heads.add(head);
    }
  }

  /** Leaves a head to the store. */
  void drop(Head head) {
    forget(head);
  }

  /** Whether somebody looks at everything again in a moment. */
  boolean looksSoon() {
    return lookAt != null;
  }

  /** When something in the store becomes due, by the clock. */
  @Nullable Instant wakeAt() {
    return wakeAt;
  }

  /** When time alone will change something here, by the stopwatch. */
  @Nullable Duration nextChange() {
    Cooling coolest = cooling.peek();
    boolean coolsFirst = coolest != null && (lookAt == null || coolest.until.compareTo(lookAt) < 0);
    return coolsFirst ? coolest.until : lookAt;
  }

  // ---- pages from the store

  List<DueHeads> hungryShelves() {
    List<DueHeads> hungry = new ArrayList<>(0);
    for (DueHeads dueHeads : List.of(live, bulk)) {
      if (dueHeads.wantsPage()) {
        hungry.add(dueHeads);
      }
    }
    return hungry;
  }

  /** Takes a page in; gives the scheduled messages on it, which must enter their lanes first. */
  List<Head> endPage(DueHeads dueHeads, List<Head> page, Instant clock) {
    List<Head> scheduled = new ArrayList<>(0);
    List<Head> unknown = new ArrayList<>(page.size());
    for (Head head : page) {
      if (head.scheduled()) {
        scheduled.add(head);
      } else if (HeadLoader.waitsForClock(head) && head.dueAt().isAfter(clock)) {
        dueAt(head.dueAt());
      } else if (flying.containsKey(head.row())) {
        passOver(head);
      } else if (!paused.contains(head.chat()) && waiting.add(head.row())) {
        unknown.add(head);
      }
    }
    dueHeads.endPage(page, unknown).forEach(this::forget);
    return scheduled;
  }

  /**
   * A page may be older than the flight, and show the row as it was when it took off; anything else
   * must be looked at when it has landed.
   */
  private void passOver(Head head) {
    Flight flight = flying.get(head.row());
    if (flight != null && !head.dueAt().equals(flight.dueAt)) {
      flight.toldOf = true;
    }
  }

  void failPage(DueHeads dueHeads) {
    dueHeads.failPage().forEach(this::forget);
  }

  DueHeads shelf(Priority priority) {
    return switch (priority) {
      case LIVE -> live;
      case BULK -> bulk;
    };
  }
}
