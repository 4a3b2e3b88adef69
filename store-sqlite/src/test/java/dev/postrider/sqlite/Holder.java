package dev.postrider.sqlite;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Another process that opens a file, and tells the result: {@code refused: …}, or the id of a
 * message it has stored. Holds the file until its input ends or it is killed.
 */
final class Holder implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  private Holder(Process process) {
    this.process = process;
    this.said = process.inputReader();
  }

  static Holder of(Path file) throws IOException {
    return of(file, Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * @param temporary where the process keeps what it needs for a while
   */
  static Holder of(Path file, Path temporary) throws IOException {
    return new Holder(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Its line; waits for it. */
  String says() throws IOException {
    return String.valueOf(said.readLine());
  }

  long pid() {
    return process.pid();
  }

  /** Kills it, as if the power had failed it. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** What the other process runs. */
  @SuppressWarnings("SystemOut") // its output is how it speaks
  public static void main(String[] args) throws IOException {
    SystemScheduler time = new SystemScheduler();
    try (var store =
        new SqliteStoreProvider().open("sqlite:" + args[0], ClusterSettings.of("test"), time)) {
      NewMessage message = Plain.message("ann", "from the other process");
      time.await(store.accept(message));
      System.out.println(message.id());
      System.in.read();
    } catch (StoreRefused e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
