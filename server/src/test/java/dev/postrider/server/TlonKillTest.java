package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.KillHarness;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed while its ship has a direct message and has not said so on the stream. The
 * ship knows a message by the id that we give it, so a repeat shows nothing twice.
 */
class TlonKillTest {
  @TempDir Path folder;

  @Test
  void a_message_whose_word_was_lost_is_sent_again_as_the_same_and_order_is_kept()
      throws Exception {
    try (TlonShip ship = new TlonShip(_ -> {})) {
      List<JsonNode> messages =
          new KillHarness(folder)
              .run(
                  "tlon",
                  "baseUrl: '" + ship.url() + "', code: lidlut-tabwed-pillex-ridrup",
                  "~zod",
                  () -> !ship.ids.isEmpty(),
                  ship::answering);

      assertThat(messages)
          .allSatisfy(
              message -> {
                assertThat(message.path("status").asString("")).isEqualTo("delivered");
                assertThat(message.path("possibleDuplicate").asBoolean(true)).isFalse();
              });
      String first = ship.ids.getFirst();
      assertThat(ship.ids).last().isNotEqualTo(first);
      assertThat(ship.ids.subList(0, ship.ids.size() - 1))
          .hasSizeGreaterThan(1)
          .containsOnly(first);
    }
  }
}
