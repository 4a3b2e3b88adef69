package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postrider ready}: whether a server takes messages, for whatever watches over it. */
@Command(
    name = "ready",
    description = {
      "Tells whether the server takes messages, and if not, why. Needs no token.",
      "Exits with 0 if it does, with 1 if it does not, and with 3 if nobody answers."
    },
    footer = "  postrider ready")
final class Ready implements Callable<Integer> {
  @Mixin private Remote remote;

  Ready(Terminal terminal) {
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    return remote.get("/readyz", (out, _) -> out.println("The server takes messages."));
  }
}
