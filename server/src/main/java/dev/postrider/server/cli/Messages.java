package dev.postrider.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider messages}: looks at messages. */
@Command(
    name = "messages",
    description = "Lists, shows, cancels and hurries messages.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Messages {
  private static final String PATH = "/v1/messages";

  private final Terminal terminal;

  Messages(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(description = "Lists messages, the newest first.", mixinStandardHelpOptions = true)
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    var page = remote.client().get(PATH + Client.query(paging.addTo(filter.values())));
    remote.print(page, answer -> MessageText.list(terminal.out(), answer, "No messages match."));
    return 0;
  }

  @Command(description = "Shows one with its history.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    var message = remote.client().get(PATH + "/" + Client.step(id));
    remote.print(message, answer -> MessageText.show(terminal.out(), answer));
    return 0;
  }

  @Command(description = "Withdraws one that is not sent yet.", mixinStandardHelpOptions = true)
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    var message = remote.client().post(PATH + "/" + Client.step(id) + "/cancel", null);
    remote.print(message, _ -> terminal.out().println("Cancelled."));
    return 0;
  }

  @Command(description = "Tries a queued one now.", mixinStandardHelpOptions = true)
  int retry(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    var message = remote.client().post(PATH + "/" + Client.step(id) + "/retry", null);
    remote.print(message, _ -> terminal.out().println("It will be tried now."));
    return 0;
  }
}
