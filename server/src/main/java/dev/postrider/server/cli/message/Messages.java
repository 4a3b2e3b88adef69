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
@Command(
    name = "messages",
    description = "Lists, shows, cancels and retries messages.",
    footer = "  postrider messages list --status queued")
public final class Messages {

  @Command(
      description = "Lists messages, newest first, and why those that wait or failed do so.",
      footer = "  postrider messages list --to 12345 --since 6h")
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    return remote.list(
        Client.path("messages") + paging.query(filter.values()),
        MessageText.COLUMNS,
        "No messages match.");
  }

  @Command(
      description = "Shows a message with its history, and what happens next.",
      footer = "  postrider messages show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("messages", id), MessageText::show);
  }

  @Command(
      description = "Counts messages by how far they got: sent, delivered, read or failed.",
      footer = "  postrider messages receipts --account tg-main")
  int receipts(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Remote remote) {
    return remote.get(
        Client.path("receipts") + Values.of("account", account).query(), MessageText::receipts);
  }

  @Command(
      description = "Cancels messages that are not sent yet: by their IDs, or all that match.",
      footer = "  postrider messages cancel --account tg-main --to 12345 --dry-run")
  int cancel(@Mixin Bulk bulk, @Mixin Filter filter, @Mixin Remote remote) {
    return bulk.run(
        remote,
        new Bulk.Action("messages", "cancel", "Cancelled", "messages", true),
        filter.body(),
        (server, id) ->
            server.post(
                Client.path("messages", id, "cancel"),
                null,
                (out, _) -> out.println("Cancelled.")));
  }

  @Command(
      description = "Tries queued messages now: by their IDs, or all that match.",
      footer = "  postrider messages retry --account tg-main --yes")
  int retry(@Mixin Bulk bulk, @Mixin Filter filter, @Mixin Remote remote) {
    return bulk.run(
        remote,
        new Bulk.Action("messages", "retry", "Tried now", "messages", true),
        filter.body(),
        (server, id) ->
            server.post(
                Client.path("messages", id, "retry"),
                null,
                (out, _) -> out.println("It will be tried now.")));
  }
}
