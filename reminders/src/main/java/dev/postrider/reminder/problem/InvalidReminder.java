package dev.postrider.reminder.problem;

import java.util.List;
import java.util.stream.Collectors;

/** A reminder that cannot be accepted as it is; names every field that is wrong, and the remedy. */
public final class InvalidReminder extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;
  private final int more;

  public InvalidReminder(String field, String problem) {
    this(List.of(new Problem(field, problem)), 0);
  }

  InvalidReminder(List<Problem> problems, int more) {
    super(
        problems.stream().map(Problem::toString).collect(Collectors.joining("\n"))
            + (more == 0 ? "" : "\nand " + more + " more"));
    this.problems = List.copyOf(problems);
    this.more = more;
  }

  /** The first of them, {@value Problems#SHOWN} at most. */
  public List<Problem> problems() {
    return problems;
  }

  /** How many there are beyond those listed. */
  public int more() {
    return more;
  }
}
