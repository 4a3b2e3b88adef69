package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
  private final Shell shell = new Shell();

  @Test
  void a_watched_status_is_one_block_after_the_other_in_a_pipe(@TempDir Path dir) throws Exception {
    String out = watched(dir, false);
    assertThat(out.split("ACCOUNT")).hasSizeGreaterThan(2);
    assertThat(out).doesNotContain("\u001b").contains("\n\nup ");
  }

  @Test
  void a_watched_status_is_drawn_anew_on_a_terminal(@TempDir Path dir) throws Exception {
    assertThat(watched(dir, true)).startsWith("\u001b[H\u001b[2J");
  }

  @Test
  void a_server_that_goes_while_it_is_watched_is_waited_for(@TempDir Path dir) throws Exception {
    TestServer server = TestServer.start(dir);
    AtomicBoolean closed = new AtomicBoolean();
    shell.environment.put("POSTRIDER_URL", server.address());
    shell.watching =
        out -> {
          if (out.contains("No server answers")) {
            Thread.currentThread().interrupt();
          } else if (out.contains("ACCOUNT") && !closed.getAndSet(true)) {
            server.close();
          }
        };
    shell.run("status", "--watch", "--every", "1ms");
    assertThat(shell.out).contains("up ").contains("No server answers at ");
  }

  private String watched(Path dir, boolean interactive) {
    try (TestServer server = TestServer.start(dir)) {
      shell.interactive = interactive;
      shell.environment.put("POSTRIDER_URL", server.address());
      shell.watching =
          out -> {
            if (out.split("ACCOUNT").length > 2) {
              Thread.currentThread().interrupt(); // as Ctrl-C would
            }
          };
      shell.run("status", "--watch", "--every", "1ms");
      return shell.out;
    }
  }
}
