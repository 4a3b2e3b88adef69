package dev.postrider.server.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code postrider version}: which build this is, and the Java it runs on. */
@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
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
    @Nullable String built = Version.class.getPackage().getImplementationVersion();
    return "postrider %s (Java %s)".formatted(built == null ? "dev" : built, Runtime.version());
  }
}
