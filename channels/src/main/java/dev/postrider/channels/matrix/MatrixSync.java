package dev.postrider.channels.matrix;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.matrix.Homeserver.Answer;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Listens by asking for what is new since the last answer. The first answer ever only says where
 * "now" is. If more happened in a room than an answer holds, the rest is fetched from the room's
 * history before anything of it is handed in, back to the last answer or to our joining, and no
 * further than a limit.
 */
final class MatrixSync {
  private static final Logger log = LoggerFactory.getLogger(MatrixSync.class);

  private static final int LONGEST_ANSWER = 32 << 20;
  private static final int PAGE = 100;

  private static final List<String> TYPES =
      List.of(
          "m.room.message",
          "m.sticker",
          "m.reaction",
          "m.room.encrypted",
          "m.room.encryption",
          "m.room.redaction",
          "m.room.member",
          "m.room.name");

  private final Homeserver server;
  private final String userId;
  private final Duration timeout;
  private final int gapLimit;
  private final boolean autoJoin;
  private final RoomEncryption encryption;
  private final Map<String, Map<String, String>> members = new HashMap<>(); // of one listener

  MatrixSync(Homeserver server, Settings settings, RoomEncryption encryption) {
    this.server = server;
    this.encryption = encryption;
    this.userId = settings.text("userId", "");
    this.timeout = settings.duration("syncTimeout", Duration.ofSeconds(30));
    Integer limit = settings.count("gapLimit");
    this.gapLimit = limit == null ? 1000 : limit;
    this.autoJoin = settings.flag("autoJoin", false);
  }

  void listen(InboundSink inlet) throws IOException {
    String me = userId.isEmpty() ? whoami() : userId;
    String since = inlet.cursor();
    Invitations invitations = new Invitations(server);
    if (autoJoin && since != null) {
      recall(invitations);
    }
    while (!Thread.currentThread().isInterrupted()) {
      switch (server.ask(question(since, invitations.patience(timeout)))) {
        case Answer.Refused(Outcome.Throttled throttled) -> {
          inlet.failing("the homeserver asks for patience: " + throttled.cause());
          if (!inlet.pause(throttled.delay())) {
            return;
          }
        }
        case Answer.Refused(Outcome outcome) -> throw failure("sync", outcome);
        case Answer.Given(JsonNode answer) -> {
          List<InboundMessage> arrivals = since == null ? List.of() : heard(answer, since, me);
          if (autoJoin) {
            invitations.note(answer);
            invitations.accept();
          } else if (!answer.path("rooms").path("invite").isEmpty()) {
            log.info(
                "Invited to {}; join there, or set autoJoin",
                answer.path("rooms").path("invite").propertyNames());
          }
          inlet.connected();
          boolean first = since == null;
          since = next(answer);
          if (first || !arrivals.isEmpty()) {
            inlet.take(arrivals, List.of(), since);
          }
        }
      }
    }
  }

  private String whoami() throws IOException {
    return switch (server.ask(HttpCall.get(server.at("client/v3/account/whoami")))) {
      case Answer.Given(JsonNode body) -> body.path("user_id").asString("");
      case Answer.Refused(Outcome outcome) -> throw failure("whoami", outcome);
    };
  }

  /** Invitations are told once; those that a stopped process had not accepted are asked for. */
  private void recall(Invitations invitations) throws IOException {
    switch (server.ask(question(null, timeout))) {
      case Answer.Given(JsonNode answer) -> {
        invitations.note(answer);
        invitations.accept();
      }
      case Answer.Refused(Outcome outcome) -> throw failure("sync", outcome);
    }
  }

  private static IOException failure(String what, Outcome outcome) {
    return outcome instanceof Outcome.AccountBroken(String cause)
        ? new ListeningRefused(what + ": " + cause)
        : new IOException(what + ": " + outcome);
  }

  private HttpCall question(@Nullable String since, Duration patience) {
    String filter = Json.write(filter(since == null ? 1 : PAGE));
    HttpCall call =
        since == null
            ? HttpCall.get(server.at("client/v3/sync?filter=%s", filter))
            : HttpCall.get(
                server.at(
                    "client/v3/sync?filter=%s&since=%s&timeout=%s",
                    filter, since, Long.toString(patience.toMillis())));
    return call.waiting(patience).upTo(LONGEST_ANSWER);
  }

  private static String next(JsonNode answer) throws IOException {
    String next = answer.path("next_batch").asString("");
    if (next.isEmpty()) {
      throw new IOException("sync: an answer without next_batch");
    }
    return next;
  }

  static Map<String, Object> filter(int limit) {
    Map<String, Object> nothing = Map.of("types", List.of());
    return Map.of(
        "presence",
        nothing,
        "account_data",
        nothing,
        "room",
        Map.of(
            "state",
            nothing,
            "ephemeral",
            nothing,
            "account_data",
            nothing,
            "timeline",
            Map.of("types", TYPES, "limit", limit)));
  }

  // ---- rooms

  private List<InboundMessage> heard(JsonNode answer, String since, String me) throws IOException {
    List<InboundMessage> arrivals = new ArrayList<>();
    for (Map.Entry<String, JsonNode> joined : answer.path("rooms").path("join").properties()) {
      String room = joined.getKey();
      JsonNode timeline = joined.getValue().path("timeline");
      List<JsonNode> events = sinceOurJoin(timeline.path("events").valueStream().toList(), me);
      boolean whole = events.size() < timeline.path("events").size();
      if (timeline.path("limited").asBoolean(false) && !whole) {
        String before = timeline.path("prev_batch").asString("");
        List<JsonNode> all = new ArrayList<>(missed(room, before, since, me));
        all.addAll(events);
        events = all;
      }
      if (events.stream().anyMatch(event -> type(event).equals("m.room.member"))) {
        members.remove(room);
      }
      if (events.stream().anyMatch(event -> type(event).startsWith("m.room.encrypt"))) {
        encryption.isEncrypted(room);
      }
      for (JsonNode event : events) {
        if (!event.path("sender").asString("").equals(me)) {
          arrivals.addAll(MatrixEvents.read(room, event, members(room)));
        }
      }
    }
    return arrivals;
  }

  /** The events of a room between two answers, oldest first. */
  private List<JsonNode> missed(String room, String before, String since, String me)
      throws IOException {
    List<JsonNode> newestFirst = new ArrayList<>();
    String from = before;
    for (int asked = 0; asked < gapLimit; asked += PAGE) {
      JsonNode page = page(room, from, since);
      for (JsonNode event : page.path("chunk")) {
        if (isJoin(event, me)) {
          return newestFirst.reversed();
        }
        newestFirst.add(event);
      }
      String end = page.path("end").asString(""); // a page without events may have one
      if (end.isEmpty() || end.equals(from) || end.equals(since)) {
        return newestFirst.reversed();
      }
      from = end;
    }
    log.warn("Room {}: more than {} messages were missed; the oldest are left out", room, gapLimit);
    return newestFirst.reversed();
  }

  private JsonNode page(String room, String from, String to) throws IOException {
    String filter = Json.write(Map.of("types", TYPES));
    HttpCall call =
        HttpCall.get(
                server.at(
                    "client/v3/rooms/%s/messages?dir=b&from=%s&to=%s&limit=%s&filter=%s",
                    room, from, to, Integer.toString(PAGE), filter))
            .upTo(LONGEST_ANSWER);
    return switch (server.ask(call)) {
      case Answer.Given(JsonNode body) -> body;
      case Answer.Refused(Outcome.Rejected rejected) -> { // and will be so next time
        log.warn("Room {}: what was missed cannot be read: {}", room, rejected.cause());
        yield Json.tree(Map.of());
      }
      case Answer.Refused(Outcome outcome) -> throw new IOException("messages: " + outcome);
    };
  }

  /** What was said before we came is not for us. */
  private static List<JsonNode> sinceOurJoin(List<JsonNode> events, String me) {
    for (int i = events.size() - 1; i >= 0; i--) {
      if (isJoin(events.get(i), me)) {
        return events.subList(i + 1, events.size());
      }
    }
    return events;
  }

  private static boolean isJoin(JsonNode event, String me) {
    JsonNode before = event.path("unsigned").path("prev_content");
    return type(event).equals("m.room.member")
        && event.path("state_key").asString("").equals(me)
        && event.path("content").path("membership").asString("").equals("join")
        && !before.path("membership").asString("").equals("join"); // that is a new name or picture
  }

  private static String type(JsonNode event) {
    return event.path("type").asString("");
  }

  /** Names of those in a room, by their ids; nobody if the homeserver does not say. */
  private Map<String, String> members(String room) {
    Map<String, String> known = members.get(room);
    if (known != null) {
      return known;
    }
    HttpCall call =
        HttpCall.get(server.at("client/v3/rooms/%s/joined_members", room)).upTo(LONGEST_ANSWER);
    if (!(server.ask(call) instanceof Answer.Given(JsonNode body))) {
      return Map.of();
    }
    Map<String, String> names = new HashMap<>();
    body.path("joined")
        .properties()
        .forEach(one -> names.put(one.getKey(), one.getValue().path("display_name").asString("")));
    members.put(room, names);
    return names;
  }
}
