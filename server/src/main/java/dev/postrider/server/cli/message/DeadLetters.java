package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider dead-letters}: gives undelivered messages another chance. */
@Command(
    name = "dead-letters",
    description = "Lists, shows, replays, discards and exports undelivered messages.",
    footer = "  postrider dead-letters list")
public final class DeadLetters {
  private static final String KIND = "dead-letters";

  @Command(
      description = "Lists dead letters, newest first, and why each was not delivered.",
      footer = "  postrider dead-letters list --account tg-main")
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    return remote.list(
        Client.path(KIND) + paging.query(filter.values()), MessageText.DEAD, "No dead letters.");
  }

  @Command(
      description = "Shows a dead letter with its history, and what can be done.",
      footer = "  postrider dead-letters show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path(KIND, id), MessageText::show);
  }

  @Command(
      description = "Sends dead letters again: by their IDs, or all that match, oldest first.",
      footer = "  postrider dead-letters replay --account tg-main --since 6h --dry-run")
  int replay(@Mixin Bulk bulk, @Mixin Filter filter, @Mixin Remote remote) {
    return bulk.run(
        remote,
        new Bulk.Action(KIND, "replay", "Sent again", "dead letters", true),
        filter.body(),
        (server, id) ->
            server.post(
                Client.path(KIND, id, "replay"),
                null,
                (out, again) -> out.println("Sent again as " + Table.text(again, "id"))));
  }

  @Command(
      description = "Deletes dead letters for good: by their IDs, or all that match.",
      footer = "  postrider dead-letters discard --reason chat-not-found --dry-run")
  int discard(@Mixin Bulk bulk, @Mixin Filter filter, @Mixin Remote remote) {
    return bulk.run(
        remote,
        new Bulk.Action(KIND, "discard", "Discarded", "dead letters", true),
        filter.body(),
        (server, id) -> server.delete(Client.path(KIND, id), "Discarded."));
  }

  @Command(
      description = "Prints all that match, one JSON object a line.",
      footer = "  postrider dead-letters export --since 30d > dead-letters.ndjson")
  int export(@Mixin Filter filter, @Mixin Remote remote) throws IOException {
    return remote.copy(Client.path(KIND, "export") + filter.values().query());
  }
}
