package dev.postrider.server.cli;

import picocli.CommandLine;

/** The commands, for tests in other packages. */
public final class CommandsForTests {
  private CommandsForTests() {}

  public static CommandLine all() {
    return Main.commandLine(new Shell().terminal());
  }

  /** What a command prints. */
  public static String printed(String... args) {
    Shell shell = new Shell();
    shell.run(args);
    return shell.out;
  }
}
