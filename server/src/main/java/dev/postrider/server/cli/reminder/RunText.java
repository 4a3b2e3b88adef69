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

  /** How much of it is over, and when the rest will be. */
  static String bar(JsonNode run) {
    int total = run.path("total").asInt();
    int left = run.path("pending").asInt() + run.path("sending").asInt();
    int percent = total == 0 ? 100 : (int) ((total - left) * 100L / total);
    int filled = percent * WIDTH / 100;
    String eta = Table.ago(run, "eta");
    return "[%s%s] %3d %%  %s%s"
        .formatted(
            "#".repeat(filled),
            "-".repeat(WIDTH - filled),
            percent,
            line(run),
            eta.isEmpty() ? "" : "  done " + eta);
  }
}
