package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.KillHarness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed with SIGKILL while a program that it has started works on a message. The
 * program hears nothing of it, neither by a signal nor by the end of its input.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProgramKillTest {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** signal-cli as far as it is asked here; it writes down when another of its kind still runs. */
  private static final String PROGRAM =
      """
      trap '' HUP INT TERM
      for other in $(sed -n 's/^start //p' "$1" 2>/dev/null); do
        case $(ps -o stat= -p "$other" 2>/dev/null) in
          '' | Z*) ;; # ended, and at most not yet asked after by its parent
          *) echo "two at once" >> "$1" ;;
        esac
      done
      echo "start $$" >> "$1"
      while :; do
        while read -r line; do
          id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
          answer='{"jsonrpc":"2.0","result":{"timestamp":17},"id":"'$id'"}'
          case "$line" in
            *'"method":"send"'*)
              printf 'send %s\\n' "$line" >> "$1"
              [ -e "$1.killed" ] && echo "$answer" ;;
            *) echo "$answer" ;;
          esac
        done
        sleep 1
      done
      """;

  @TempDir Path folder;

  @Test
  void a_program_does_not_outlive_its_server_and_what_it_worked_on_is_repeated_with_a_warning()
      throws Exception {
    Path script = Files.writeString(folder.resolve("signal-cli"), PROGRAM);
    Path record = folder.resolve("record");
    String account =
        "  - { id: sig, channel: signal, delivery: { backoff: [50ms] }, number: '+4915112345678',"
            + " command: [/bin/sh, '%s', '%s'] }".formatted(script, record);
    JsonNode first;
    JsonNode second;

    try (KillHarness.Life server = new KillHarness(folder).begin(account)) {
      String one = server.send("sig", "+491701234567", "first");
      String two = server.send("sig", "+491701234567", "second");
      while (!Files.exists(record) || !Files.readString(record).contains("first")) {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
      server.kill();
      Files.createFile(Path.of(record + ".killed"));
      server.startAgain();
      first = server.ended(one);
      second = server.ended(two);
    }

    List<String> seen = Files.readAllLines(record);
    assertThat(seen).doesNotContain("two at once");
    assertThat(seen).filteredOn(line -> line.startsWith("start ")).hasSize(2);
    assertThat(seen)
        .filteredOn(line -> line.startsWith("send "))
        .extracting(line -> line.contains("second") ? "second" : "first")
        .containsExactly("first", "first", "second");
    assertThat(List.of(first, second))
        .extracting(message -> text(message, "status"))
        .containsOnly("delivered");
    assertThat(first.path("possibleDuplicate").asBoolean()).isTrue();
    assertThat(second.path("possibleDuplicate").asBoolean()).isFalse();
  }

  private static String text(JsonNode message, String field) {
    return message.path(field).asString("");
  }
}
