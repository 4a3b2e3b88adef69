package dev.postrider.channels.line;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * LINE's webhook: several events per request, signed with the channel's secret. An event that is
 * delivered once more has the same id. Its time is part of what is signed: one that is older than
 * ids are remembered for is refused, since it may be a replay.
 */
final class LineHook implements Hook {
  private static final int LARGEST = 2 << 20;
  private static final Duration OLDEST = Duration.ofDays(29);

  private final byte[] secret;

  LineHook(String channelSecret) {
    this.secret = channelSecret.getBytes(UTF_8);
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than LINE sends at once");
    }
    if (!isSigned(request)) {
      return new Answer.Forged(
          "the signature is missing or wrong; if LINE sent it, check channelSecret");
    }
    JsonNode body = Json.readObject(request.text());
    if (body == null || !body.path("events").isArray()) {
      return new Answer.Malformed("this is no notification");
    }
    List<JsonNode> events = body.path("events").valueStream().toList();
    boolean old = events.stream().anyMatch(event -> isOld(event, request.receivedAt()));
    return old
        ? new Answer.Malformed("an event is more than " + OLDEST.toDays() + " days old")
        : genuine(events, request.receivedAt());
  }

  private boolean isSigned(Request request) {
    String signature = request.header("x-line-signature");
    return signature != null
        && Hmac.same(
            Base64.getEncoder().encodeToString(Hmac.sha256(secret, request.body())), signature);
  }

  private static boolean isOld(JsonNode event, Instant now) {
    @Nullable Instant at = LineEvents.time(event);
    return at != null && at.isBefore(now.minus(OLDEST));
  }

  private static Answer genuine(List<JsonNode> events, Instant now) {
    List<InboundMessage> arrivals = new ArrayList<>();
    List<Remembered> memory = new ArrayList<>();
    for (JsonNode event : events) {
      InboundMessage read = LineEvents.message(event);
      if (read != null) {
        arrivals.add(read);
        memory.addAll(LineEvents.remember(event, read, now));
      }
    }
    return Answer.Genuine.of(arrivals).remembering(memory);
  }
}
