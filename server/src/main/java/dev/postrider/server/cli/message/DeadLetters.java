package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider dead-letters}: gives undelivered messages another chance. */
@Command(
    name = "dead-letters",
    description = "Lists, shows, replays, discards and exports undelivered messages.")
public final class DeadLetters {
  private static final String KIND = "dead-letters";

  @Command(description = "Lists dead letters, newest first.")
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    return remote.list(
        Client.path(KIND) + paging.query(filter.values()), MessageText.COLUMNS, "No dead letters.");
  }

  @Command(description = "Shows a dead letter with its history.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path(KIND, id), MessageText::show);
  }

  @Command(description = "Sends a dead letter again, or all that match, oldest first.")
  int replay(@Mixin Replay replay, @Mixin Filter filter, @Mixin Remote remote) {
    return replay.run(remote, KIND, filter.body(), "Sent again");
  }

  @Command(description = "Deletes a dead letter for good.")
  int discard(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.delete(Client.path(KIND, id), "Discarded.");
  }

  @Command(description = "Prints all that match, one JSON object a line.")
  int export(@Mixin Filter filter, @Mixin Remote remote) throws IOException {
    return remote.copy(Client.path(KIND, "export") + filter.values().query());
  }
}
