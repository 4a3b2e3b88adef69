package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.bluebubbles.BlueBubblesApi.Answer;
import dev.postrider.channels.bluebubbles.BlueBubblesEvents.Told;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Asks the Mac for what no webhook told: each is posted once, and is gone if nobody was there. New
 * messages are those behind the last number seen; an edit or a receipt changes no number, so what
 * is young enough to be edited is looked at again. For one listener.
 */
final class BlueBubblesCatchUp {
  /** The server gives no more at a time. */
  private static final int PAGE = 1000;

  /** Apple lets a message be edited for fifteen minutes. */
  private static final Duration EDITABLE = Duration.ofMinutes(20);

  private static final int REMEMBERED = 5_000;

  private final BlueBubblesApi api;
  private final Scheduler time;
  private final Duration poll;

  /** What was handed in since this listener began; the store knows what was before. */
  private final Set<String> told = new LinkedHashSet<>();

  BlueBubblesCatchUp(BlueBubblesApi api, Scheduler time, Duration poll) {
    this.api = api;
    this.time = time;
    this.poll = poll;
  }

  void listen(InboundSink inlet) throws IOException {
    do {
      read(inlet);
      inlet.connected();
    } while (inlet.pause(poll));
  }

  private void read(InboundSink inlet) throws IOException {
    String cursor = inlet.cursor();
    if (cursor == null) {
      List<JsonNode> newest = page(query("DESC", 1));
      inlet.take(List.of(), List.of(), Long.toString(highest(newest, 0)));
      return;
    }
    long last = Long.parseLong(cursor);
    List<JsonNode> fresh = behind(last);
    Map<String, Object> young = query("DESC", PAGE);
    young.put("after", time.instant().minus(EDITABLE).toEpochMilli());
    List<InboundMessage> arrivals = new ArrayList<>();
    List<DeliveryReport> reports = new ArrayList<>();
    for (JsonNode message : fresh) {
      Told said = BlueBubblesEvents.message(message, time.instant());
      arrivals.addAll(said.arrivals());
      reports.addAll(said.reports());
    }
    for (JsonNode message : page(young)) {
      Told said = BlueBubblesEvents.message(message, time.instant());
      reports.addAll(said.reports());
      arrivals.addAll(isChanged(message) ? said.arrivals() : List.of());
    }
    arrivals.removeIf(each -> !told.add(each.platformId()));
    reports.removeIf(each -> !told.add(each.receipt() + " " + each.state()));
    if (!fresh.isEmpty() || !arrivals.isEmpty() || !reports.isEmpty()) {
      inlet.take(arrivals, reports, Long.toString(highest(fresh, last)));
    }
    while (told.size() > REMEMBERED) {
      told.remove(told.iterator().next());
    }
  }

  private static boolean isChanged(JsonNode message) {
    return message.path("dateEdited").asLong(0) > 0 || message.path("dateRetracted").asLong(0) > 0;
  }

  /**
   * All messages behind a number. They come by their time, and new ones may come meanwhile: the
   * first page says up to which number the others go, and that set does not change any more.
   */
  private List<JsonNode> behind(long last) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    long upTo = Long.MAX_VALUE;
    List<JsonNode> page;
    do {
      Map<String, Object> query = query("ASC", PAGE);
      query.put("offset", all.size());
      query.put(
          "where",
          List.of(
              Map.of(
                  "statement",
                  "message.ROWID > :last AND message.ROWID <= :upTo",
                  "args",
                  Map.of("last", last, "upTo", Math.min(upTo, 1L << 53)))));
      page = page(query);
      all.addAll(page);
      upTo = upTo == Long.MAX_VALUE ? highest(page, last) : upTo;
    } while (page.size() == PAGE);
    return all;
  }

  private static Map<String, Object> query(String sort, int limit) {
    Map<String, Object> query = new LinkedHashMap<>();
    query.put("with", List.of("chat", "attachment"));
    query.put("sort", sort);
    query.put("limit", limit);
    return query;
  }

  private List<JsonNode> page(Map<String, Object> query) throws IOException {
    return switch (api.list("/message/query", query)) {
      case Answer.Done done when done.data().isArray() -> done.data().valueStream().toList();
      case Answer.Done _ -> throw new IOException("BlueBubbles gives no list of messages");
      case Answer.Failed(Outcome.AccountBroken(String cause)) -> throw new ListeningRefused(cause);
      case Answer.Failed(Outcome outcome) -> throw new IOException(cause(outcome));
    };
  }

  private static String cause(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Unreachable(String cause, _) -> cause;
      case Outcome.Unknown(String cause) -> cause;
      case Outcome.NotSent(String cause) -> cause;
      case Outcome.Rejected(_, String cause) -> cause;
      case Outcome.Throttled(_, _, String cause) -> cause;
      default -> "BlueBubbles cannot be asked: " + outcome.label();
    };
  }

  private static long highest(List<JsonNode> messages, long least) {
    long highest = least;
    for (JsonNode message : messages) {
      Long row = Json.count(message.path("originalROWID"));
      highest = row == null ? highest : Math.max(highest, row);
    }
    return highest;
  }
}
