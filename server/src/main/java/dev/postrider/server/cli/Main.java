package dev.postrider.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code postrider}: picks a subcommand and turns its end into an exit code. */
@Command(
    name = "postrider",
    description = "Durable delivery of chat messages.",
    subcommands = {Version.class},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
