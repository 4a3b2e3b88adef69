package dev.postrider.server.api;

import dev.postrider.config.Durations;
import dev.postrider.config.Pace;
import dev.postrider.view.PaceView;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How fast an account may send, as JSON, in the words of its configuration. */
final class PaceJson {
  private static final Map<Duration, String> NAMES =
      Map.of(
          Duration.ofSeconds(1), "perSecond",
          Duration.ofMinutes(1), "perMinute",
          Duration.ofHours(1), "perHour",
          Duration.ofDays(1), "perDay");

  private PaceJson() {}

  /** Writes the member {@code pace}; null if it is not known. */
  static void write(JsonGenerator json, @Nullable PaceView pace) {
    if (pace == null) {
      json.writeNullProperty("pace");
      return;
    }
    json.writeObjectPropertyStart("pace");
    limits(json, pace.account());
    json.writeNumberProperty("concurrency", pace.concurrency());
    Json.object(json, "chat", () -> limits(json, pace.chat()));
    PaceView.@Nullable InUse inUse = pace.inUse();
    if (inUse == null) {
      json.writeNullProperty("inUse");
    } else {
      Json.object(json, "inUse", () -> inUse(json, inUse));
    }
    json.writeEndObject();
  }

  private static void limits(JsonGenerator json, Pace pace) {
    new TreeMap<>(pace.limits())
        .forEach((period, count) -> json.writeNumberProperty(name(period), count));
    json.writeNumberProperty("burst", pace.burst());
  }

  private static String name(Duration period) {
    return NAMES.getOrDefault(period, "per" + Durations.format(period));
  }

  private static void inUse(JsonGenerator json, PaceView.InUse inUse) {
    json.writeNumberProperty("share", inUse.share());
    json.writeNumberProperty("sending", inUse.sending());
    Json.instant(json, "opensAt", inUse.opensAt());
    Json.text(json, "cause", inUse.cause());
  }
}
