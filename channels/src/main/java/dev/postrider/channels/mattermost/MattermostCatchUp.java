package dev.postrider.channels.mattermost;

import dev.postrider.channel.Alias;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.mattermost.MattermostApi.Answer;
import dev.postrider.channels.mattermost.MattermostEvents.Told;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Reads what was posted while nobody listened. The cursor is when the newest post was made that is
 * stored, by Mattermost's clock; it moves once all channels are read. A channel is read backwards
 * to where it is known, keeping only where each page begins, and then handed in from the oldest
 * page on. What is read twice is recognised.
 */
final class MattermostCatchUp {
  private static final Logger log = LoggerFactory.getLogger(MattermostCatchUp.class);

  private static final int PAGE = 100;

  /** Posts of several channels, made by several servers, may be told in another order. */
  private static final Duration OVERLAP = Duration.ofMinutes(1);

  /** Stands for the page with the newest posts. */
  private static final String NEWEST = "";

  private final MattermostApi api;
  private final Scheduler time;

  MattermostCatchUp(MattermostApi api, Scheduler time) {
    this.api = api;
    this.time = time;
  }

  static String cursor(long newest) {
    return Long.toString(newest);
  }

  private static @Nullable Long parsed(@Nullable String cursor) {
    return cursor == null || !cursor.matches("\\d{1,18}") ? null : Long.valueOf(cursor);
  }

  /** Hands in what is missing, and returns when the newest post was made. */
  long read(InboundSink inlet, MattermostEvents events) throws IOException, InterruptedException {
    Long last = parsed(inlet.cursor());
    Answer.Done channels = ask(inlet, "/users/me/channels", true);
    if (channels == null) {
      log.warn(
          "Mattermost does not list our channels; what is posted while nobody listens is not read");
      return last == null ? 0 : last;
    }
    long newest = last == null ? now(channels.headers()) : last;
    long since = newest - OVERLAP.toMillis();
    for (JsonNode channel : channels.body().values()) {
      String id = channel.path("id").asString("");
      long lastPost = channel.path("last_post_at").asLong(0);
      events.learn(id, channel.path("type").asString(""));
      if (last != null && lastPost > since && MattermostRequest.isId(id)) {
        read(inlet, events, id, since);
        newest = Math.max(newest, lastPost);
      }
    }
    inlet.take(List.of(), List.of(), cursor(newest));
    return newest;
  }

  /** The first time only says where "now" is, by Mattermost's clock if it tells that. */
  private long now(Map<String, String> headers) {
    try {
      String date = headers.getOrDefault("date", "");
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)).toEpochMilli();
    } catch (DateTimeParseException e) {
      return time.instant().toEpochMilli();
    }
  }

  private void read(InboundSink inlet, MattermostEvents events, String channel, long since)
      throws IOException, InterruptedException {
    Deque<String> pages = new ArrayDeque<>(List.of(NEWEST));
    List<JsonNode> page = page(inlet, channel, NEWEST);
    while (page.size() == PAGE && createdAt(page.getFirst()) > since) {
      String oldest = page.getFirst().path("id").asString("");
      pages.push(oldest);
      page = page(inlet, channel, oldest);
    }
    while (true) {
      hand(inlet, events, page, since);
      pages.pop();
      if (pages.isEmpty()) {
        return;
      }
      page = page(inlet, channel, pages.getFirst());
    }
  }

  private static void hand(
      InboundSink inlet, MattermostEvents events, List<JsonNode> page, long since) {
    List<InboundMessage> arrivals = new ArrayList<>();
    List<Alias> aliases = new ArrayList<>();
    for (JsonNode post : page) {
      Told told = createdAt(post) > since ? events.post(post, null) : null;
      if (told != null) {
        arrivals.add(told.message());
        aliases.addAll(told.aliases());
      }
    }
    if (!arrivals.isEmpty()) {
      inlet.take(arrivals, List.of(), null, List.of(), aliases.stream().distinct().toList());
    }
  }

  private static long createdAt(JsonNode post) {
    return post.path("create_at").asLong(0);
  }

  /** Posts before one, the oldest first; none if we may not read the channel any more. */
  private List<JsonNode> page(InboundSink inlet, String channel, String before)
      throws IOException, InterruptedException {
    String path = "/channels/" + channel + "/posts?per_page=" + PAGE;
    Answer.Done list = ask(inlet, before.isEmpty() ? path : path + "&before=" + before, false);
    List<JsonNode> posts = new ArrayList<>();
    if (list != null) {
      for (JsonNode id : list.body().path("order").values()) {
        posts.add(list.body().path("posts").path(id.asString("")));
      }
    }
    Collections.reverse(posts);
    return posts;
  }

  /** Asks, as often as Mattermost wants to be left alone; null if this is not ours to read. */
  private Answer.@Nullable Done ask(InboundSink inlet, String path, boolean array)
      throws IOException, InterruptedException {
    while (true) {
      switch (api.list(path, array)) {
        case Answer.Done done -> {
          return done;
        }
        case Answer.Failed(int status, _) when status == 404 -> {
          return null;
        }
        case Answer.Failed(_, Outcome.Rejected _) -> {
          return null;
        }
        case Answer.Failed(_, Outcome.Throttled(_, Duration delay, String cause)) -> {
          inlet.failing("Mattermost limits the reading of what was posted: " + cause);
          if (!inlet.pause(delay)) {
            throw new InterruptedException();
          }
        }
        case Answer.Failed(_, Outcome.AccountBroken(String cause)) ->
            throw new ListeningRefused("Mattermost does not show what was posted: " + cause);
        case Answer.Failed(_, Outcome outcome) ->
            throw new IOException("Mattermost does not show what was posted: " + outcome);
      }
    }
  }
}
