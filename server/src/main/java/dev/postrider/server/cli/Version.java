package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.Build;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code postrider version}: which build this is, and the Java it runs on. */
@Command(name = "version", description = "Prints the version.", footer = "  postrider version")
final class Version implements Callable<Integer>, IVersionProvider {
  private final Terminal terminal;

  Version(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().println(line());
    return 0;
  }

  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }

  private static String line() {
    return "postrider %s (Java %s)".formatted(Build.version(), Build.java());
  }
}
