package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.peers.FakeImsg;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed with SIGKILL while Messages has sent what it was asked to, and has not said so
 * yet: the next one finds it in the history, and does not send it again.
 */
class IMessageKillTest {
  @TempDir Path home;
  @TempDir Path mac;

  @Test
  void a_send_that_was_killed_in_the_middle_is_found_in_the_history_and_not_repeated()
      throws Exception {
    FakeImsg.behave(mac, "send", "send and hang");
    String command =
        FakeImsg.command(mac).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(", ", "command: [", "]"));

    List<JsonNode> messages =
        new KillHarness(home)
            .run(
                "imessage",
                command + ", settle: 0s",
                "+491701234567",
                () -> !sent().isEmpty(),
                () -> behave(""));

    assertThat(messages)
        .extracting(message -> message.path("status").asString(""))
        .containsOnly("delivered");
    assertThat(sent()).as("what Messages sent").containsExactly("first", "second");
    assertThat(FakeImsg.asked(mac, "send")).as("what it was asked to").hasSize(2);
    assertThat(messages)
        .extracting(message -> message.path("possibleDuplicate").asBoolean())
        .containsOnly(false);
    assertThat(Files.readAllLines(mac.resolve("starts.jsonl")))
        .as("the first imsg ended with its server")
        .allSatisfy(line -> assertThat(isAlive(line)).isFalse());
  }

  private static boolean isAlive(String start) {
    return ProcessHandle.of(Long.parseLong(start.replaceAll("\\D", "")))
        .map(ProcessHandle::isAlive)
        .orElse(false);
  }

  private List<String> sent() {
    try {
      return FakeImsg.messages(mac).stream()
          .map(message -> message.path("text").asString(""))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void behave(String how) {
    try {
      FakeImsg.behave(mac, "send", how);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
