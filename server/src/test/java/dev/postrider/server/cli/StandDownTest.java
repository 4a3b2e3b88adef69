package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers of one name on one database, as whoever starts them sees it. */
class StandDownTest {
  private static final String CLUSTER =
      """
      cluster: { node: same, heartbeat: 500ms, lease: 3s }
      accounts: [ { id: bot, channel: sandbox } ]
      """;

  @TempDir private Path dir;
  private final PostgresServer database = PostgresServer.shared();
  private final String store = database.newSchema();

  @AfterEach
  void drop() {
    database.drop(store);
  }

  private Process serve() throws IOException {
    Path config = dir.resolve("postrider.yaml");
    Files.writeString(config, "store: \"" + store + "\"\nhttp: { port: 0 }\n" + CLUSTER);
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.postrider.server.cli.Main",
            "serve",
            "--config",
            config.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static void signal(Process process, String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  @Test
  void a_server_whose_name_was_taken_while_it_slept_says_so_and_ends_with_exit_code_1()
      throws Exception {
    Process first = serve();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = first.inputReader(StandardCharsets.UTF_8)) {
      for (String line = ""; !line.contains("Postrider is at"); line = reader.readLine()) {
        lines.add(line);
        assertThat(line).as("it ended early: %s", lines).isNotNull();
      }
      signal(first, "STOP");
      try (TestServer second = TestServer.sharing(store, CLUSTER)) { // waits for the lease to end
        signal(first, "CONT");
        reader.lines().forEach(lines::add);

        assertThat(first.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(1);
        assertThat(lines)
            .anyMatch(
                line -> line.startsWith("Postrider stops: another process has taken the name"));
        assertThat(second.postrider().works("bot")).isTrue();
      }
    } finally {
      first.destroyForcibly();
    }
  }

  @Test
  void a_second_server_of_a_name_does_not_start_and_ends_with_exit_code_1() throws Exception {
    try (TestServer first = TestServer.sharing(store, CLUSTER)) {
      Process second = serve();
      try (BufferedReader reader = second.inputReader(StandardCharsets.UTF_8)) {
        List<String> lines = reader.lines().toList();

        assertThat(second.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(lines).anyMatch(line -> line.contains("a node named 'same' is at work already"));
        assertThat(first.postrider().works("bot")).isTrue();
      } finally {
        second.destroyForcibly();
      }
    }
  }
}
