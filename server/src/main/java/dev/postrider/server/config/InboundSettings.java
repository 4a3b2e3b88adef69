package dev.postrider.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How inbound messages are handed to their consumer. */
public record InboundSettings(List<Duration> backoff, int maxAttempts, @Nullable URI pushTo) {
  public InboundSettings {
    backoff = List.copyOf(backoff);
  }
}
