package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that nobody can reach any more, as whoever started it sees it. */
class ListenerEndTest {
  @TempDir private Path dir;

  /** Serves, and ends Helidon's listener when it is told to: the port closes, the process lives. */
  static final class Fragile {
    public static void main(String[] args) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  System.in.read();
                } catch (IOException e) {
                  return;
                }
                Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().endsWith("-listener"))
                    .forEach(Thread::interrupt);
              });
      Main.main(args);
    }
  }

  @Test
  void a_server_whose_listener_ends_says_so_last_and_ends_with_exit_code_1() throws Exception {
    Path config = dir.resolve("postrider.yaml");
    Files.writeString(config, "store: \"sqlite:" + dir + "/x.db\"\nhttp: { port: 0 }\n");
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Fragile.class.getName(),
                "serve",
                "--config",
                config.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = server.inputReader(StandardCharsets.UTF_8)) {
      for (String line = ""; !line.contains("Postrider is at"); line = reader.readLine()) {
        lines.add(line);
        assertThat(line).as("it ended early: %s", lines).isNotNull();
      }

      server.getOutputStream().write('\n');
      server.getOutputStream().flush();
      reader.lines().forEach(lines::add);

      assertThat(server.waitFor(300, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).as("%s", lines).isEqualTo(1);
      assertThat(lines.getLast()).contains("the listener at http://127.0.0.1:", "ended");
    } finally {
      server.destroyForcibly();
    }
  }
}
