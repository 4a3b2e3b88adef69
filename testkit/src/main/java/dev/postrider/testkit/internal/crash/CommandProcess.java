package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command in a process of its own, run from this process's class path. */
public final class CommandProcess implements AutoCloseable {
  private final Process process;

  private CommandProcess(Process process) {
    this.process = process;
  }

  /** How a command ended, and what it said. */
  public record Ended(int exit, String said) {}

  /**
   * @param before what the system runs it by, such as a shell that sets limits first
   */
  public static CommandProcess start(List<String> before, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.postrider.server.cli.Main");
    command.addAll(List.of(arguments));
    return new CommandProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Runs it to its end. */
  public static Ended run(String... arguments) throws IOException {
    try (CommandProcess command = start(List.of(), arguments)) {
      return command.await();
    }
  }

  /** Waits for its end. */
  public Ended await() throws IOException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Ended(process.waitFor(), said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
