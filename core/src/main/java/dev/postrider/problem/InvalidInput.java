package dev.postrider.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Something that cannot be accepted as it is; names every field that is wrong, and the remedy. */
public final class InvalidInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;
  private final int more;

  public InvalidInput(String field, String problem) {
    this(List.of(Problem.cut(field, problem)), 0);
  }

  InvalidInput(List<Problem> problems, int more) {
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

  public Problem first() {
    return problems.getFirst();
  }

  /** The field of the first. */
  public String field() {
    return first().field();
  }

  /** How many there are beyond those listed. */
  public int more() {
    return more;
  }
}
