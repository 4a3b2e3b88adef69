package dev.postrider.server.cli.inbound;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Remote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider turns}: how inbound messages were handled. */
@Command(
    name = "turns",
    description = "Shows how an inbound message was handled.",
    footer = "  postrider turns show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
public final class Turns {

  @Command(
      description = "Shows a turn with the messages it caused.",
      footer = "  postrider turns show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("turns", id), InboundText::turn);
  }
}
