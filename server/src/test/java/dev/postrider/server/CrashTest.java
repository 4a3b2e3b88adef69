package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.CrashHarness;
import dev.postrider.testkit.internal.crash.InboundHarness;
import dev.postrider.testkit.internal.crash.OutageHarness;
import dev.postrider.testkit.internal.crash.RunHarness;
import dev.postrider.testkit.platform.FakeTelegram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real server process, killed with SIGKILL; {@code dev/crash-test 200} runs it longer. */
class CrashTest {
  private static final long SEED = Long.getLong("postrider.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void nothing_is_lost_reordered_or_needlessly_repeated_when_the_server_is_killed()
      throws Exception {
    CrashHarness.Report report =
        new CrashHarness(folder, SEED).run(Integer.getInteger("postrider.kills", 6));

    System.out.println("Crash harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.messages()).as("messages under load").isGreaterThanOrEqualTo(100);
  }

  @Test
  void nothing_people_write_is_lost_reordered_or_answered_twice_when_the_server_is_killed()
      throws Exception {
    InboundHarness.Report report =
        new InboundHarness(folder, SEED).run(Integer.getInteger("postrider.kills", 4));

    System.out.println("Inbound harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.received()).as("messages under load").isGreaterThanOrEqualTo(100);
    assertThat(report.again()).as("messages handed out again").isPositive();
  }

  @Test
  void a_reminder_misses_nobody_and_doubles_nobody_when_the_server_is_killed() throws Exception {
    RunHarness.Report report =
        new RunHarness(folder, SEED)
            .run(300, Math.min(10, Integer.getInteger("postrider.kills", 5)));

    System.out.println("Run harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
  }

  @Test
  void an_outage_of_the_platform_fails_nothing_and_keeps_the_order() throws Exception {
    Duration outage = Duration.ofSeconds(Integer.getInteger("postrider.outage", 6));
    OutageHarness.Report report = new OutageHarness(folder, SEED).run(outage);

    System.out.println("Outage of " + outage + ": " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.messages()).as("messages under load").isGreaterThanOrEqualTo(100);
    assertThat(report.unreachable()).as("shown as unreachable").isGreaterThan(report.looks() / 2);
    assertThat(report.most()).as("attempts charged").isLessThanOrEqualTo(2);
  }

  @Test
  void a_message_that_kills_the_process_ends_as_failed() throws Exception {
    JsonNode message = new CrashHarness(folder, SEED).poison(3);

    assertThat(message.path("status").asString("")).isEqualTo("failed");
    assertThat(message.path("attempts").asInt()).isEqualTo(3);
    assertThat(message.path("reason").asString("")).isEqualTo("attempts-exhausted");
    assertThat(message.path("possibleDuplicate").asBoolean()).isTrue();
  }

  @Test
  void a_picture_for_two_hundred_chats_is_uploaded_once_though_the_server_is_killed()
      throws Exception {
    CrashHarness.Seen seen = new CrashHarness(folder, SEED).picture(200, 5 << 20);

    assertThat(seen.uploads()).hasSize(1);
    assertThat(seen.uploads().getFirst().size()).isEqualTo(5 << 20);
    assertThat(seen.deliveries().stream().map(FakeTelegram.Delivery::chat).distinct()).hasSize(200);
    assertThat(seen.deliveries()).allMatch(it -> it.media().equals(List.of("photo:file-1")));
  }

  @Test
  void a_second_server_on_the_same_file_is_refused_with_a_reason() throws Exception {
    assertThat(new CrashHarness(folder, SEED).second())
        .startsWith("exit 1")
        .contains("in use by another process");
  }
}
