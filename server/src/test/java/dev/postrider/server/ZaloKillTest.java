package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.crash.KillHarness;
import java.io.IOException;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * A server is killed with SIGKILL while the sidecar for Zalo has handed a message to its library,
 * for which one stands in that records what it is asked.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ZaloKillTest {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path SIDECAR =
      Path.of("../sidecars/zalo-personal").toAbsolutePath().normalize();

  @TempDir Path folder;

  private List<JsonNode> recorded(String what) throws IOException {
    Path record = folder.resolve("record");
    return !Files.exists(record)
        ? List.of()
        : Files.readAllLines(record).stream()
            .map(JSON::readTree)
            .filter(line -> line.has(what))
            .toList();
  }

  @Test
  void a_killed_server_is_logged_in_again_with_its_session_and_announces_what_it_repeats()
      throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    String account =
        "  - { id: zalo, channel: zalo-personal, command: [/usr/bin/env,"
            + " 'POSTRIDER_ZCA_JS=%s', 'FAKE_ZCA_RECORD=%s', node, '%s'] }"
                .formatted(
                    SIDECAR.resolve("test/fake-zca-js.mjs"),
                    folder.resolve("record"),
                    SIDECAR.resolve("sidecar.mjs"));
    List<JsonNode> messages;
    try (KillHarness.Life life = new KillHarness(folder).begin(account)) {
      life.logIn("zalo");
      String first = life.send("zalo", "42", "first #silent");
      String second = life.send("zalo", "42", "second");
      while (recorded("send").isEmpty()) {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
      life.kill();
      Files.createFile(folder.resolve("record.answer"));
      life.startAgain();
      messages = List.of(life.ended(first), life.ended(second));
    }

    assertThat(recorded("qr")).as("a person was asked once").hasSize(1);
    assertThat(recorded("login"))
        .singleElement()
        .satisfies(it -> assertThat(it.path("imei").asString("")).isEqualTo("imei-1"));
    assertThat(recorded("send"))
        .extracting(line -> line.path("send").path("msg").asString(""))
        .containsExactly("first #silent", "first #silent", "second");
    assertThat(messages)
        .extracting(message -> message.path("status").asString(""))
        .containsOnly("delivered");
    assertThat(messages)
        .extracting(message -> message.path("possibleDuplicate").asBoolean())
        .containsExactly(true, false);
  }
}
