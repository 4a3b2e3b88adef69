package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.slack.SlackApi.Answer;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Looks for a part in the channel, or in the thread, it was meant for: by the key in its metadata,
 * or by its files. It is absent only if everything since before the first try was seen, with the
 * metadata of whatever an app has posted: an app's message without any may be ours.
 */
final class SlackSearch {
  private static final int PAGE = 200;
  private static final int MOST_PAGES = 10;

  /** How far Slack's clock and ours may be apart. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final SlackApi api;
  private final Scheduler time;
  private final Duration settle;

  SlackSearch(SlackApi api, Settings settings, Scheduler time) {
    this.api = api;
    this.time = time;
    settle = settings.duration("settle", Duration.ofSeconds(3));
  }

  /**
   * @param files what Slack calls the files that the part may have shown
   */
  Reconciliation find(Dispatch dispatch, Set<String> files) {
    time.pause(settle); // it may still be under way: what is not there yet may come
    String channel = channel(dispatch.to());
    if (channel == null) {
      return new Reconciliation.Inconclusive();
    }
    String thread = SlackRequest.thread(dispatch);
    Map<String, Object> query = new LinkedHashMap<>();
    query.put("channel", channel);
    if (thread != null) {
      query.put("ts", thread);
    }
    query.put("oldest", ts(dispatch.mayBeThereSince().minus(SKEW)));
    query.put("include_all_metadata", true);
    query.put("limit", PAGE);
    String method = thread == null ? "conversations.history" : "conversations.replies";
    boolean mayBeOurs = false;
    for (int page = 0; page < MOST_PAGES; page++) {
      if (!(api.read(method, query) instanceof Answer.Done(JsonNode body))) {
        return new Reconciliation.Inconclusive();
      }
      for (JsonNode message : body.path("messages").values()) {
        if (isIt(message, dispatch.key(), files)) {
          return new Reconciliation.Found(new Receipt(message.path("ts").asString(), false));
        }
        mayBeOurs |= message.has("bot_id") && !message.has("metadata");
      }
      String next = body.path("response_metadata").path("next_cursor").asString("");
      if (next.isEmpty()) {
        return isWhole(body) && !mayBeOurs && !carriesFiles(dispatch)
            ? new Reconciliation.Absent()
            : new Reconciliation.Inconclusive();
      }
      query.put("cursor", next);
    }
    return new Reconciliation.Inconclusive();
  }

  private @Nullable String channel(String chat) {
    if (!SlackRequest.isPerson(chat)) {
      return chat;
    }
    return api.open(chat) instanceof Answer.Done(JsonNode opened) ? SlackApi.channel(opened) : null;
  }

  private static boolean isIt(JsonNode message, String key, Set<String> files) {
    JsonNode metadata = message.path("metadata");
    return metadata.path("event_payload").path("key").asString("").equals(key)
        || message
            .path("files")
            .valueStream()
            .anyMatch(file -> files.contains(file.path("id").asString("")));
  }

  private static boolean isWhole(JsonNode body) {
    return body.path("messages").isArray() && !body.path("has_more").asBoolean(true);
  }

  /** Files bear no key, and Slack shows them some time after it said that it would. */
  private static boolean carriesFiles(Dispatch dispatch) {
    return !dispatch.part().media().isEmpty() && !dispatch.state().has(Fix.LinkInstead.class);
  }

  private static String ts(Instant instant) {
    return "%d.%06d".formatted(instant.getEpochSecond(), instant.getNano() / 1_000);
  }
}
