package dev.postrider.channels.tlon;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.tlon.Eyre.Session;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Receipt;
import java.io.IOException;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reads what the ship has kept: what was said while nobody listened, and whether a post of ours is
 * there. The cursor is when something was last heard, by our clock.
 */
record TlonHistory(Eyre eyre, Session session) {
  private static final Logger log = LoggerFactory.getLogger(TlonHistory.class);

  /** Our clock and the ship's differ. */
  private static final Duration OVERLAP = Duration.ofMinutes(5);

  /** What changed since then may be older than that; hosts of channels have clocks of their own. */
  private static final Duration OLDER = Duration.ofHours(1);

  private static final int AT_ONCE = 200;

  static String cursor(Instant now) {
    return now.toString();
  }

  private static @Nullable Instant parsed(@Nullable String cursor) {
    try {
      return cursor == null ? null : Instant.parse(cursor);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Hands in what is missing; what is read twice is recognised. */
  void catchUp(InboundSink inlet, TlonEvents events, Instant now) throws IOException {
    Instant last = parsed(inlet.cursor());
    if (last != null) {
      Instant since = last.minus(OVERLAP);
      read(inlet, events, since, "chat", "/v3/changes/");
      read(inlet, events, since, "channels", "/v5/changes/");
    }
    inlet.take(List.of(), List.of(), cursor(now));
  }

  private void read(InboundSink inlet, TlonEvents events, Instant since, String app, String path)
      throws IOException {
    JsonNode chats = ask(app, path + UrbitTime.date(since));
    if (chats == null) {
      log.warn("The ship does not say what changed in {}; what was said meanwhile is missing", app);
      return;
    }
    List<InboundMessage> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> chat : chats.properties()) {
      all.addAll(events.since(chat.getKey(), chat.getValue(), since.minus(OLDER)));
    }
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      inlet.take(all.subList(from, Math.min(all.size(), from + AT_ONCE)), List.of(), null);
    }
  }

  /** Null if the ship does not know such a thing. */
  private @Nullable JsonNode ask(String app, String path) throws IOException {
    return switch (eyre.scry(session, app, path)) {
      case HttpResult.Failed failed -> throw new IOException(failed.cause());
      case Response response when response.status() == 200 && response.whole() ->
          Json.readObject(response.body());
      case Response _ -> null;
    };
  }

  /** Looks for a post of ours in a channel: by who said it, when, and what. */
  Reconciliation find(Dispatch part) {
    String parent = part.threadId() == null ? part.replyToId() : part.threadId();
    BigInteger answered = UrbitTime.parse(parent);
    String posts = "/v4/" + part.to() + "/posts/";
    try {
      JsonNode read =
          answered == null
              ? ask("channels", posts + "newest/100/outline")
              : ask("channels", posts + "post/" + UrbitTime.dotted(answered));
      if (read != null) {
        JsonNode all = answered == null ? read.path("posts") : read.path("seal").path("replies");
        for (JsonNode post : all.values()) {
          if (isOurs(post, part)) {
            return new Reconciliation.Found(
                new Receipt(TlonRequest.of(part, session.ship()).id(), false));
          }
        }
      }
    } catch (IOException e) {
      log.debug("The ship does not show its posts: {}", e.getMessage());
    }
    return new Reconciliation.Inconclusive();
  }

  private boolean isOurs(JsonNode post, Dispatch part) {
    JsonNode memo = TlonEvents.memo(post);
    return session.ship().equals(TlonEvents.author(memo))
        && memo.path("sent").asLong(0) == UrbitTime.sent(part).toEpochMilli()
        && Objects.equals(Story.text(memo.path("content")), Story.text(Json.tree(Story.of(part))));
  }
}
