package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code postrider channels}: what the server can speak to. */
@Command(
    name = "channels",
    description = "Lists the channels, the accounts on each, and the settings an account needs.",
    footer = "  postrider channels --json")
final class Channels implements Callable<Integer> {
  private static final Columns COLUMNS =
      new Columns()
          .with("CHANNEL", "name")
          .with("ACCOUNTS", channel -> joined(channel.path("accounts")))
          .with("KNOWS A REPEAT FOR", "knowsRepeatsFor")
          .with("REPORTS", channel -> joined(channel.path("receipts")))
          .with("NEEDS", Channels::needed);

  @Mixin private Remote remote;

  Channels(Terminal terminal) {
    this.remote = new Remote(terminal);
  }

  private static String joined(JsonNode words) {
    return words.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
  }

  private static String needed(JsonNode channel) {
    return channel
        .path("settings")
        .valueStream()
        .filter(setting -> setting.path("required").asBoolean())
        .map(setting -> setting.path("name").asString(""))
        .collect(Collectors.joining(", "));
  }

  @Override
  public Integer call() {
    return remote.list(Client.path("channels"), COLUMNS, "The server has no channels.");
  }
}
