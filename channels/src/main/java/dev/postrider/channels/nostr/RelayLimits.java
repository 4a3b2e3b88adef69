package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How long an event may be for a relay, as its information document says (NIP-11). Many relays end
 * the connection over one that is too long, without a word of why. Asked for only if an event is
 * long, and kept for a while. Thread-safe.
 */
final class RelayLimits {
  private static final Duration KEPT = Duration.ofHours(1);

  /** Every relay takes so many bytes. */
  private static final int SHORT = 4096;

  private record Limits(@Nullable Long message, @Nullable Long content, Instant until) {}

  private final HttpSender http;
  private final InstantSource clock;
  private final Map<URI, Limits> known = new ConcurrentHashMap<>();

  RelayLimits(HttpSender http, InstantSource clock) {
    this.http = http;
    this.clock = clock;
  }

  /** Why the relay will not take the event; null if it says nothing against it. */
  @Nullable String refusal(URI relay, NostrEvent event) {
    int bytes = event.json().getBytes(UTF_8).length + "[\"EVENT\",]".length();
    if (bytes <= SHORT) {
      return null;
    }
    Limits limits = of(relay);
    if (limits.message != null && bytes > limits.message) {
      return "%s takes %d bytes at most, and this is an event of %d; make the text shorter"
          .formatted(relay.getHost(), limits.message, bytes);
    }
    int characters = event.content().codePointCount(0, event.content().length());
    return limits.content != null && characters > limits.content
        ? "%s takes %d characters of content at most, and this has %d; make the text shorter"
            .formatted(relay.getHost(), limits.content, characters)
        : null;
  }

  private Limits of(URI relay) {
    Limits kept = known.get(relay);
    if (kept == null || !kept.until.isAfter(clock.instant())) {
      kept = ask(relay);
      known.put(relay, kept);
    }
    return kept;
  }

  private Limits ask(URI relay) {
    URI web = URI.create(relay.toString().replaceFirst("^ws", "http"));
    HttpResult answer = http.send(HttpCall.get(web).header("Accept", "application/nostr+json"));
    JsonNode told =
        answer instanceof HttpResult.Response response && response.status() == 200
            ? Json.readObject(response.body())
            : null;
    JsonNode limits = told == null ? Json.tree(Map.of()) : told.path("limitation");
    return new Limits(
        Json.count(limits.path("max_message_length")),
        Json.count(limits.path("max_content_length")),
        clock.instant().plus(KEPT));
  }
}
