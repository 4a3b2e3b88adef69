package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyTest {
  private final Shell shell = new Shell();

  @Test
  void a_server_that_takes_messages_is_ready_whatever_tokens_it_has(@TempDir Path dir) {
    String token = "{ name: ops, secret: ruling-the-server-for-good, role: admin }";
    try (TestServer server = TestServer.start(dir, "http: { tokens: [ " + token + " ] }")) {
      assertThat(shell.run("ready", "--url", server.address())).isZero();
    }
    assertThat(shell.out).isEqualTo("The server takes messages.\n");
  }

  @Test
  void a_server_that_takes_none_says_why_and_fails_the_command() {
    try (FakePlatform stopping = FakePlatform.start()) {
      stopping.answer(Reply.json(503, "{\"detail\": \"The server is stopping.\"}"));

      assertThat(shell.run("ready", "--url", stopping.baseUrl())).isEqualTo(1);
    }
    assertThat(shell.err).isEqualTo("The server is stopping.\n");
  }
}
