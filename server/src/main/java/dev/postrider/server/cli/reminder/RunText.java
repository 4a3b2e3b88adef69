package dev.postrider.server.cli.reminder;

import dev.postrider.server.cli.terminal.Table;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A run in words. */
final class RunText {
  private static final Set<String> GOING = Set.of("waiting", "running", "paused");
  private static final int WIDTH = 30;

  private RunText() {}

  static boolean ended(JsonNode run) {
    return !GOING.contains(Table.text(run, "status"));
  }

  /** Where it stands, in a line that changes only if the run does. */
  static String line(JsonNode run) {
    StringBuilder line = new StringBuilder(status(run));
    line.append(": %,d of %,d sent".formatted(run.path("sent").asInt(), run.path("total").asInt()));
    for (String other :
        List.of("delivered", "read", "failed", "skipped", "cancelled", "sending", "pending")) {
      if (run.path(other).asInt() > 0) {
        line.append(", %,d %s".formatted(run.path(other).asInt(), other));
      }
    }
    return line.toString();
  }

  /** The status, and what it waits for until when. */
  static String status(JsonNode run) {
    String reason = Table.plain(Table.text(run, "reason"));
    String until = Table.text(run, "until");
    return Table.text(run, "status")
        + (reason.isEmpty()
            ? ""
            : " (" + reason + (until.isEmpty() ? "" : " until " + until) + ")");
  }

  /** Whom it has reached, whom it could not reach, and how much that is of all. */
  static String bar(JsonNode run) {
    int total = run.path("total").asInt();
    int reached = run.path("sent").asInt();
    int tried = reached + run.path("failed").asInt();
    String eta = Table.ago(run, "eta");
    return "[%s%s%s] %3d %%  %s%s"
        .formatted(
            "#".repeat(share(reached, total, WIDTH)),
            "x".repeat(share(tried, total, WIDTH) - share(reached, total, WIDTH)),
            "-".repeat(WIDTH - share(tried, total, WIDTH)),
            share(tried, total, 100),
            line(run),
            eta.isEmpty() ? "" : "  done " + eta);
  }

  private static int share(int part, int total, int of) {
    return total == 0 ? 0 : (int) ((long) part * of / total);
  }
}
