package dev.postrider.lane;

import dev.postrider.message.Priority;
import dev.postrider.store.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
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
final class Window {
  private static final int BULK_EVERY = 10;

  private record Cooling(Head head, Instant until) {}

  private final Shelf live = new Shelf(Priority.LIVE);
  private final Shelf bulk = new Shelf(Priority.BULK);
  private final PriorityQueue<Cooling> cooling =
      new PriorityQueue<>(Comparator.comparing(Cooling::until));
  private final Set<Long> known = new HashSet<>(); // rows on a shelf, cooling or in flight
  private final Set<String> paused = new HashSet<>();
  private int liveInARow;
  private @Nullable Instant wakeAt;

  Window() {
    lookAgain();
  }

  // ---- coming in

  /** Takes a head that is due. */
  void add(Head head) {
    if (!paused.contains(head.chat())
        && known.add(head.row())
        && !shelf(head.priority()).add(head)) {
      known.remove(head.row());
    }
  }

  /** Something in the store becomes due then. */
  void dueAt(Instant when) {
    if (wakeAt == null || when.isBefore(wakeAt)) {
      wakeAt = when;
    }
  }

  /** The store may hold due heads that are not here. */
  void lookAgain() {
    live.lookAgain();
    bulk.lookAgain();
  }

  /** The bulk heads of this chat have become live in the store. */
  void urgent(String chat) {
    bulk.heads.removeIf(head -> head.chat().equals(chat) && forget(head));
    cooling.removeIf(next -> next.head.chat().equals(chat) && forget(next.head));
    live.lookAgain();
  }

  void pause(String chat) {
    paused.add(chat);
    for (Shelf shelf : List.of(live, bulk)) {
      shelf.heads.removeIf(head -> head.chat().equals(chat) && forget(head));
    }
  }

  void resume(String chat) {
    paused.remove(chat);
    lookAgain();
  }

  boolean isPaused(String chat) {
    return paused.contains(chat);
  }

  /** A row is under way. */
  void takeOff(long row) {
    known.add(row);
  }

  /** A row is not under way any more. */
  void land(long row) {
    known.remove(row);
  }

  private boolean forget(Head head) {
    return known.remove(head.row());
  }

  // ---- going out

  /** Does what time has brought: looks for what has become due, and ends cooling. */
  void advance(Instant now) {
    if (wakeAt != null && !wakeAt.isAfter(now)) {
      wakeAt = null;
      lookAgain();
    }
    for (Cooling next = cooling.peek();
        next != null && !next.until.isAfter(now);
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
  void cool(Head head, Instant until) {
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

  /** When time alone will change something here. */
  @Nullable Instant nextChange() {
    Cooling coolest = cooling.peek();
    boolean coolsFirst = coolest != null && (wakeAt == null || coolest.until.isBefore(wakeAt));
    return coolsFirst ? coolest.until : wakeAt;
  }

  // ---- pages from the store

  List<Shelf> hungryShelves() {
    List<Shelf> hungry = new ArrayList<>(0);
    for (Shelf shelf : List.of(live, bulk)) {
      if (shelf.wantsPage()) {
        hungry.add(shelf);
      }
    }
    return hungry;
  }

  /** Takes a page in; gives the scheduled messages on it, which must enter their lanes first. */
  List<Head> endPage(Shelf shelf, List<Head> page) {
    List<Head> scheduled = new ArrayList<>(0);
    List<Head> unknown = new ArrayList<>(page.size());
    for (Head head : page) {
      if (head.scheduled()) {
        scheduled.add(head);
      } else if (!paused.contains(head.chat()) && known.add(head.row())) {
        unknown.add(head);
      }
    }
    shelf.endPage(page, unknown).forEach(this::forget);
    return scheduled;
  }

  void failPage(Shelf shelf) {
    shelf.failPage().forEach(this::forget);
  }

  private Shelf shelf(Priority priority) {
    return switch (priority) {
      case LIVE -> live;
      case BULK -> bulk;
    };
  }
}
