package dev.postrider.problem;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is wrong, so that one answer names it all. It remembers the first {@value #SHOWN}
 * and counts the rest: a table of 100,000 targets can be wrong in as many places. Not thread-safe.
 */
public final class Problems {
  public static final int SHOWN = 20;

  private final boolean strict;
  private final List<Problem> first = new ArrayList<>();
  private int more;

  public Problems() {
    this(false);
  }

  private Problems(boolean strict) {
    this.strict = strict;
  }

  /** Refuses at the first problem: for small things, where nobody would ask for a list. */
  public static Problems strict() {
    return new Problems(true);
  }

  public void add(String field, String message) {
    if (first.size() < SHOWN) {
      first.add(Problem.cut(field, message));
    } else {
      more++;
    }
    if (strict) {
      refuse();
    }
  }

  /** Takes over what somebody else found. */
  public void add(InvalidInput invalid) {
    addUnder("", invalid);
  }

  /** Takes over what somebody else found in a part of the whole, such as {@code messages[2]}. */
  public void addUnder(String part, InvalidInput invalid) {
    for (Problem problem : invalid.problems()) {
      String field = problem.field();
      add(part + (part.isEmpty() || field.isEmpty() ? "" : ".") + field, problem.message());
    }
    more += invalid.more();
  }

  /** Whether what comes now is only counted. */
  public boolean isFull() {
    return first.size() >= SHOWN;
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
   * @throws InvalidInput with everything that was found
   */
  public void refuse() {
    if (!isEmpty()) {
      throw new InvalidInput(first, more);
    }
  }
}
