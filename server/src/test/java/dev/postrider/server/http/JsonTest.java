package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void instants_are_shown_to_the_millisecond() {
    Instant precise = Instant.parse("2026-11-20T14:02:10.123456789Z");

    assertThat(Json.object(json -> Json.instant(json, "nextProbeAt", precise)))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"nextProbeAt\":\"2026-11-20T14:02:10.123Z\"}");
  }
}
