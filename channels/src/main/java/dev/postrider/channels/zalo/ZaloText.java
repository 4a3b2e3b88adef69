package dev.postrider.channels.zalo;

import dev.postrider.channels.http.PlatformTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Ids and times as Zalo writes them: as texts at some places, as numbers at others. */
final class ZaloText {
  /** What is less, counted in milliseconds, was long before Zalo: these are seconds. */
  private static final long FIRST_MILLISECONDS = 100_000_000_000L;

  private ZaloText() {}

  static @Nullable String of(JsonNode node, String field) {
    JsonNode value = node.path(field);
    boolean plain = value.isString() || value.isIntegralNumber();
    return plain && !value.asString("").isEmpty() ? value.asString("") : null;
  }

  static @Nullable Instant time(JsonNode value) {
    return value.isString() || value.isIntegralNumber() ? time(value.asString("")) : null;
  }

  static @Nullable Instant time(String digits) {
    if (!digits.matches("\\d{1,18}")) {
      return null;
    }
    long count = Long.parseLong(digits);
    return count < FIRST_MILLISECONDS
        ? PlatformTime.ofSeconds(count)
        : PlatformTime.storable(Instant.ofEpochMilli(count));
  }
}
