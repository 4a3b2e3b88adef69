package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postrider audit}: what operators did. */
@Command(
    name = "audit",
    description = "Lists what operators did in the last 90 days, newest first.",
    footer = "  postrider audit --limit 20")
final class Audit implements Callable<Integer> {
  private static final Columns COLUMNS =
      new Columns()
          .with("AT", "at")
          .with("OPERATOR", "operator")
          .with("ACTION", "action")
          .with("TARGET", "target")
          .with("OUTCOME", "outcome");

  @Mixin private Paging paging = new Paging();
  @Mixin private Remote remote;

  Audit(Terminal terminal) {
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    return remote.list(
        Client.path("audit") + paging.query(),
        COLUMNS,
        "No operator has done anything in the last 90 days.");
  }
}
