package dev.postrider.internal.lane;

import dev.postrider.message.Priority;
import dev.postrider.store.message.Head;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of one priority that wait in memory: a window on what is due in the store.
 *
 * <p>While the window shows everything ({@code more} is false), a head that becomes due is simply
 * added. Once there is more in the store than fits, newcomers stay in the store, so that nobody
 * overtakes those who have been due longer, and the window moves on over the store's due-time index
 * page by page. A newcomer turned away is remembered as {@code missed}: when the pass is through,
 * another one starts.
 *
 * <p>Not thread-safe; the lane scheduler guards it.
 */
final class DueHeads {
  static final int CAPACITY = 4096;
  static final int PAGE = 512;
  private static final int LOW = 128;

  final Priority priority;
  final Deque<Head> heads = new ArrayDeque<>();
  private final List<Head> arrived = new ArrayList<>();
  private boolean more;
  private boolean reading;
  private boolean missed;
  private @Nullable Head last;

  DueHeads(Priority priority) {
    this.priority = priority;
  }

  /** Takes out what waits here for this chat. */
  List<Head> remove(String chat) {
    List<Head> removed = new ArrayList<>(0);
    heads.removeIf(head -> head.chat().equals(chat) && removed.add(head));
    arrived.removeIf(head -> head.chat().equals(chat) && removed.add(head));
    return removed;
  }

  boolean isReading() {
    return reading;
  }

  /** Says that the store may hold due heads that are not here. */
  void lookAgain() {
    if (more) {
      missed = true;
    } else {
      more = true;
      last = null;
    }
  }

  boolean showsEverything() {
    return !more;
  }

  /** Takes a newcomer; false if it stays in the store for now. */
  boolean add(Head head) {
    if (!more && heads.size() < CAPACITY) {
      heads.add(head);
      return true;
    }
    if (reading && arrived.size() < CAPACITY) {
      arrived.add(head);
      return true;
    }
    lookAgain();
    return false;
  }

  boolean wantsPage() {
    return more && !reading && heads.size() < LOW;
  }

  /** Begins to read a page; gives the head after which it starts. */
  @Nullable Head beginPage() {
    reading = true;
    return last;
  }

  /**
   * Takes in a page; gives the newcomers that arrived meanwhile and are not kept, because the store
   * holds more than what was read and they must wait there with the others.
   */
  List<Head> endPage(List<Head> page, List<Head> unknown) {
    reading = false;
    heads.addAll(unknown);
    List<Head> turnedAway = List.of();
    if (page.size() == PAGE) {
      last = page.getLast();
      if (!arrived.isEmpty()) {
        turnedAway = List.copyOf(arrived);
        missed = true;
      }
    } else {
      more = missed;
      missed = false;
      last = null;
      heads.addAll(arrived);
    }
    arrived.clear();
    return turnedAway;
  }

  /** A page could not be read; it is read again when something happens next. */
  List<Head> failPage() {
    reading = false;
    missed = true;
    List<Head> turnedAway = List.copyOf(arrived);
    arrived.clear();
    return turnedAway;
  }
}
