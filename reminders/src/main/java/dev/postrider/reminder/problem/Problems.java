package dev.postrider.reminder.problem;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is wrong, so that one answer names it all. It remembers the first {@value #SHOWN}
 * and counts the rest: a table of 100,000 targets can be wrong in as many places. Not thread-safe.
 */
public final class Problems {
  public static final int SHOWN = 20;

  private final List<Problem> first = new ArrayList<>();
  private int more;

  public void add(String field, String message) {
    add(new Problem(field, message));
  }

  public void add(Problem problem) {
    if (first.size() < SHOWN) {
      first.add(problem);
    } else {
      more++;
    }
  }

  /** Takes over what somebody else found. */
  public void add(InvalidReminder invalid) {
    invalid.problems().forEach(this::add);
    more += invalid.more();
  }

  public boolean isEmpty() {
    return first.isEmpty();
  }

  public List<Problem> first() {
    return List.copyOf(first);
  }

  /** How many there are beyond the first. */
  public int more() {
    return more;
  }

  /**
   * Nothing is wrong, or it is said now.
   *
   * @throws InvalidReminder with everything that was found
   */
  public void refuse() {
    if (!isEmpty()) {
      throw new InvalidReminder(first, more);
    }
  }
}
