package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void instants_are_shown_to_the_millisecond() {
    Instant precise = Instant.parse("2026-11-20T14:02:10.123456789Z");

    assertThat(Json.object(json -> Json.instant(json, "nextProbeAt", precise)))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"nextProbeAt\":\"2026-11-20T14:02:10.123Z\"}");
  }

  @Test
  void what_is_not_finite_is_written_as_null_wherever_it_stands() {
    List<Object> odd =
        List.of(Double.POSITIVE_INFINITY, Double.NaN, Float.NEGATIVE_INFINITY, Float.NaN, 1.5);

    assertThat(
            Json.object(
                json -> {
                  json.writeNumberProperty("rate", Double.POSITIVE_INFINITY);
                  json.writeNumberProperty("share", Float.NaN);
                  json.writeName("raw");
                  Json.value(json, Map.of("values", odd));
                }))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"rate\":null,\"share\":null,\"raw\":{\"values\":[null,null,null,null,1.5]}}");
  }
}
