package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkTest {
  private final Shell shell = new Shell();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
    shell.environment.put("POSTRIDER_URL", server.address());
    shell.run("lanes", "pause", "sandbox", "ann");
    for (int i = 0; i < 3; i++) {
      shell.run("send", "--account", "sandbox", "--to", "ann", "--text", "waits");
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void messages_that_match_are_counted_and_then_cancelled() {
    assertThat(shell.run("messages", "cancel", "--to", "ann", "--dry-run")).isZero();
    assertThat(shell.out).isEqualTo("3 would be cancelled.\n");
    assertThat(shell.run("messages", "retry", "--to", "ann", "--dry-run")).isZero();
    assertThat(shell.out).isEqualTo("3 would be tried now.\n");
    assertThat(shell.run("messages", "cancel", "--to", "ann")).isZero();
    assertThat(shell.out).isEqualTo("3 of 3 cancelled.\n");
    shell.run("messages", "list", "--to", "ann", "--status", "queued");
    assertThat(shell.out).contains("No messages match.");
  }

  @Test
  void a_person_is_asked_and_told_the_number_before_anything_happens() {
    shell.interactive = true;
    shell.input = "n\n";
    assertThat(shell.run("messages", "cancel", "--all")).isEqualTo(1);
    assertThat(shell.out).contains("3 messages would be cancelled. Go on? [y/N]");
    assertThat(shell.err).contains("Nothing was done.");

    shell.input = "yes\n";
    assertThat(shell.run("messages", "cancel", "--all")).isZero();
    assertThat(shell.err).contains("3 of 3");
    assertThat(shell.out).contains("3 of 3 cancelled.");
  }

  @Test
  void whoever_says_yes_beforehand_is_not_asked() {
    shell.interactive = true;
    assertThat(shell.run("messages", "cancel", "--to", "ann", "--yes")).isZero();
    assertThat(shell.out).doesNotContain("Go on?").contains("3 of 3 cancelled.");
  }

  @Test
  void dead_letters_that_match_are_replayed_and_discarded() {
    for (int i = 0; i < 2; i++) {
      shell.run("send", "--account", "sandbox", "--to", "bob", "--text", "#fail", "--wait", "10s");
    }
    assertThat(shell.run("dead-letters", "replay", "--to", "bob", "--dry-run")).isZero();
    assertThat(shell.out).isEqualTo("2 would be sent again.\n");
    assertThat(shell.run("dead-letters", "replay", "--all")).isZero();
    assertThat(shell.out).isEqualTo("2 of 2 sent again.\n");
    assertThat(shell.run("dead-letters", "discard", "--to", "nobody")).isZero();
    assertThat(shell.out).isEqualTo("0 of 0 discarded.\n");
    assertThat(shell.run("dead-letters", "discard", "--to", "bob")).isZero();
    assertThat(shell.out).endsWith(" discarded.\n").doesNotStartWith("0 ");
  }

  @Test
  void ids_and_filters_do_not_go_together() {
    assertThat(shell.run("messages", "cancel", "x", "--to", "ann")).isEqualTo(2);
    assertThat(shell.run("messages", "cancel")).isEqualTo(2);
    assertThat(shell.err).contains("Say which");
  }

  @Test
  void what_waits_is_counted_by_its_cause() {
    assertThat(shell.run("waiting")).isZero();
    assertThat(shell.out).contains("MESSAGES", "the lane is paused", "3 messages wait");
    shell.run("status");
    assertThat(shell.out).contains("the lane is paused", "lanes list --state paused");
    shell.run("waiting", "--account", "sandbox", "--kind", "retry");
    assertThat(shell.out).contains("Nothing waits.");
  }
}
