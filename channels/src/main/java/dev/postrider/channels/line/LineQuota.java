package dev.postrider.channels.line;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How many messages an account may send in a month, and has sent. When LINE says that they are used
 * up, that is remembered, and the account waits until LINE counts anew or allows more.
 *
 * @param limit null if there is none, or LINE has not said
 */
record LineQuota(@Nullable Long limit, long used) {
  private static final String REFUSED = "quota";

  /** Until a month has certainly passed. */
  private static final Duration MONTH = Duration.ofDays(32);

  /** Though some are left: a message to a group counts once for each member. */
  private static final Duration SOME_LEFT = Duration.ofHours(6);

  /** What LINE says now. */
  static LineQuota ask(LineApi api) {
    JsonNode quota = body(api, "/v2/bot/message/quota");
    JsonNode sent = body(api, "/v2/bot/message/quota/consumption");
    Long limit = quota == null ? null : Json.count(quota.path("value"));
    Long used = sent == null ? null : Json.count(sent.path("totalUsage"));
    return new LineQuota(limit, used == null ? 0 : used);
  }

  private static @Nullable JsonNode body(LineApi api, String path) {
    return api.ask(api.get(path)) instanceof LineApi.Answer.Said(var response)
            && response.status() == 200
        ? Json.readObject(response.body())
        : null;
  }

  /** LINE has refused a message because of it. */
  void refused(Memory memory, Instant now) {
    boolean usedUp = limit != null && used >= limit;
    String mark = Json.write(Map.of("limit", limit == null ? -1 : limit, "used", used));
    try {
      memory.write(Remembered.until(now.plus(usedUp ? MONTH : SOME_LEFT), null, REFUSED, mark));
    } catch (NotSentException e) { // the store is away; the next refusal will be remembered
      return;
    }
  }

  /** Whether LINE would refuse still, by what it said when it last did. */
  boolean isStillRefused(Memory memory) {
    JsonNode then = memory.read(null, REFUSED).map(Json::readObject).orElse(null);
    if (then == null) {
      return false;
    }
    boolean more = limit == null || limit > then.path("limit").asLong(-1);
    boolean anew = used < then.path("used").asLong(0);
    boolean unknown = then.path("limit").asLong(-1) < 0; // LINE has not said; only time helps
    if (anew || more && !unknown) {
      memory.remove(null, REFUSED);
      return false;
    }
    return true;
  }

  boolean someLeft() {
    return limit != null && used < limit;
  }

  String words() {
    return limit == null
        ? used + " messages sent this month"
        : used + " of " + limit + " messages of this month sent";
  }
}
