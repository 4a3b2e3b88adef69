package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postrider messages}: looks at messages. */
@Command(name = "messages", description = "Lists, shows, cancels and retries messages.")
public final class Messages {

  @Command(description = "Lists messages, newest first.")
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    return remote.list(
        Client.path("messages") + paging.query(filter.values()),
        MessageText.COLUMNS,
        "No messages match.");
  }

  @Command(description = "Shows a message with its history.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("messages", id), MessageText::show);
  }

  @Command(description = "Counts messages by how far they got: sent, delivered, read or failed.")
  int receipts(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Remote remote) {
    return remote.get(
        Client.path("receipts") + Values.of("account", account).query(), MessageText::receipts);
  }

  @Command(description = "Cancels a message that is not sent yet.")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("messages", id, "cancel"), null, (out, _) -> out.println("Cancelled."));
  }

  @Command(description = "Tries a queued message now.")
  int retry(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("messages", id, "retry"),
        null,
        (out, _) -> out.println("It will be tried now."));
  }
}
