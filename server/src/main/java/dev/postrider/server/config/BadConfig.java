package dev.postrider.server.config;

import dev.postrider.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. The message lists every problem. */
public final class BadConfig extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;

  public BadConfig(List<Problem> problems) {
    super(
        (problems.size() == 1
                ? "The configuration has a problem:"
                : "The configuration has " + problems.size() + " problems:")
            + problems.stream().map(problem -> "\n  " + problem).collect(Collectors.joining()));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
