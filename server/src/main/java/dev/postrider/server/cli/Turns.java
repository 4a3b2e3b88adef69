package dev.postrider.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider turns}: what became of inbound messages. */
@Command(
    name = "turns",
    description = "Shows what became of an inbound message and of what it caused.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Turns {
  private final Terminal terminal;

  Turns(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(description = "Shows one with the messages it caused.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    JsonNode turn = remote.client().get("/v1/turns/" + Client.step(id));
    remote.print(turn, answer -> InboundText.turn(terminal.out(), answer));
    return 0;
  }
}
