package dev.postrider.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider turns}: how inbound messages were handled. */
@Command(name = "turns", description = "Shows how an inbound message was handled.")
final class Turns {

  @Command(description = "Shows a turn with the messages it caused.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("turns", id), InboundText::turn);
  }
}
