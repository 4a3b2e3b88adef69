package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.fetch.SafeFetcher;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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

  private static final String DOCUMENT = "application/nostr+json";
  private static final int LONGEST_DOCUMENT = 256 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private record Limits(@Nullable Long message, @Nullable Long content, Instant until) {}

  private final HttpSender http;
  private final SafeFetcher strangers = new SafeFetcher();
  private final MediaSettings careful;
  private final InstantSource clock;
  private final Map<URI, Limits> known = new ConcurrentHashMap<>();

  /**
   * @param allowed private networks in which relays may be that somebody has named
   */
  RelayLimits(HttpSender http, List<Network> allowed, InstantSource clock) {
    this.http = http;
    careful = new MediaSettings(LONGEST_DOCUMENT, PATIENCE, PATIENCE, 0, allowed);
    this.clock = clock;
  }

  /**
   * Why the relay will not take the event; null if it says nothing against it.
   *
   * @param own whether it is one of the account's own
   */
  @Nullable String refusal(URI relay, boolean own, NostrEvent event) {
    int bytes = event.json().getBytes(UTF_8).length + "[\"EVENT\",]".length();
    if (bytes <= SHORT) {
      return null;
    }
    Limits limits = of(relay, own);
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

  private Limits of(URI relay, boolean own) {
    Limits kept = known.get(relay);
    if (kept == null || !kept.until.isAfter(clock.instant())) {
      kept = ask(relay, own);
      known.put(relay, kept);
    }
    return kept;
  }

  private Limits ask(URI relay, boolean own) {
    JsonNode told = Json.readObject(document(relay.toString().replaceFirst("^ws", "http"), own));
    JsonNode limits = told == null ? Json.tree(Map.of()) : told.path("limitation");
    return new Limits(
        Json.count(limits.path("max_message_length")),
        Json.count(limits.path("max_content_length")),
        clock.instant().plus(KEPT));
  }

  /** Empty if the relay has none to give. A proxy looks names up by itself, so it is asked. */
  private String document(String web, boolean own) {
    if (own || http.hasProxy()) {
      HttpCall call = HttpCall.get(URI.create(web)).header("Accept", DOCUMENT);
      return http.send(call) instanceof HttpResult.Response response && response.status() == 200
          ? response.body()
          : "";
    }
    try {
      return strangers.fetch(
          web, DOCUMENT, careful, bytes -> new String(bytes.readAllBytes(), UTF_8));
    } catch (IOException _) {
      return "";
    }
  }
}
