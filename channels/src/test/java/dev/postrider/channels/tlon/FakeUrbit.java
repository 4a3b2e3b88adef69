package dev.postrider.channels.tlon;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A ship as far as its HTTP interface shows it, made from Urbit's pages and Tlon's source: what is
 * asked is taken at once and answered on the stream; a direct message whose id is known is ignored;
 * a channel's host names posts by itself.
 */
final class FakeUrbit implements AutoCloseable {
  static final String CODE = "lidlut-tabwed-pillex-ridrup";
  static final String SHIP = "~sampel-palnet";

  /** What becomes of a request with something to do. */
  enum Fault {
    /** It is done, and the connection closed without an answer; the stream tells. */
    HANG_UP,
    /** The connection is closed, and nothing is done. */
    DROP,
    /** It is done, and the stream says nothing. */
    NO_WORD,
    /** It is done, and the stream ends. */
    CUT,
    /** The app crashes over it. */
    NACK
  }

  final Map<String, JsonNode> messages = new LinkedHashMap<>(); // guarded by this
  final List<JsonNode> posts = new CopyOnWriteArrayList<>();
  final List<JsonNode> pokes = new CopyOnWriteArrayList<>();
  final List<Long> acks = new CopyOnWriteArrayList<>();
  final BlockingQueue<String> scries = new LinkedBlockingQueue<>();
  final List<String> deleted = new CopyOnWriteArrayList<>();
  final AtomicInteger logins = new AtomicInteger();
  final AtomicInteger logouts = new AtomicInteger();
  final AtomicInteger streams = new AtomicInteger();
  final Queue<Object> faults = new ConcurrentLinkedQueue<>(); // a Fault, or a status
  final Map<String, Object> scryAnswers = new ConcurrentHashMap<>();
  volatile boolean refusingNews;
  volatile boolean silent;
  volatile String cookie = "";
  private final Map<String, Room> rooms = new ConcurrentHashMap<>();
  private final FakePlatform platform;

  /** A channel of Eyre's. */
  private static final class Room {
    final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    final Map<String, String> subscriptions = new ConcurrentHashMap<>(); // id by app
    final AtomicInteger events = new AtomicInteger();

    void tell(Object event) {
      out.add("id: " + events.incrementAndGet() + "\ndata: " + Json.write(event) + "\n\n");
    }
  }

  private static final String END = "end";

  FakeUrbit() {
    this(FakePlatform.start());
  }

  /** Behind this; what it is told to answer comes first. */
  FakeUrbit(FakePlatform platform) {
    this.platform = platform;
    platform.otherwise(this::answer);
  }

  AccountConfig account() {
    return AccountConfig.of("ship", "tlon")
        .set("baseUrl", platform.baseUrl())
        .set("code", CODE)
        .set("timeout", "2m");
  }

  private Reply answer(Request request) {
    String path = request.path();
    if (path.equals("/~/login")) {
      return login(request.text());
    }
    if (!String.valueOf(request.headers().get("cookie")).equals(cookie)) {
      return empty(403);
    }
    if (path.equals("/~/logout")) {
      logouts.incrementAndGet();
      return empty(204);
    }
    if (path.startsWith("/~/scry/")) {
      scries.add(path.substring("/~/scry".length()));
      Object known = scryAnswers.get(path.substring("/~/scry".length()));
      return known == null ? empty(404) : Reply.json(200, Json.write(known));
    }
    return request.method().equals("GET") ? stream(rooms.get(path)) : actions(path, request.text());
  }

  private static Reply.Answer empty(int status) {
    return Reply.text(status, "text/plain", "");
  }

  private Reply login(String body) {
    if (!body.equals("password=" + CODE)) {
      return empty(400);
    }
    cookie = "urbauth-" + SHIP + "=0v" + logins.incrementAndGet() + ".secret";
    return empty(204).header("Set-Cookie", cookie + "; Path=/; Max-Age=604800");
  }

  private Reply stream(@Nullable Room room) {
    if (room == null) {
      return empty(404);
    }
    streams.incrementAndGet();
    return new Reply.Live(
        "text/event-stream",
        out -> {
          for (String event = ":\n\n"; !event.equals(END); event = room.out.take()) {
            out.write(event.getBytes(StandardCharsets.UTF_8));
            out.flush();
          }
        });
  }

  private Reply actions(String path, String body) {
    Room room = rooms.computeIfAbsent(path, _ -> new Room());
    Object fault = null;
    for (JsonNode action : Json.readArray(body).values()) {
      String id = action.path("id").asString("");
      switch (action.path("action").asString()) {
        case "subscribe" -> {
          room.subscriptions.put(action.path("app").asString(), id);
          if (!silent) {
            room.tell(
                Map.of(
                    "id",
                    Long.valueOf(id),
                    "response",
                    "subscribe",
                    refusingNews ? "err" : "ok",
                    "ok"));
          }
        }
        case "ack" -> acks.add(action.path("event-id").asLong());
        case "delete" -> deleted.add(path);
        default -> {
          fault = faults.poll();
          poke(room, action, fault);
        }
      }
    }
    return fault == Fault.HANG_UP || fault == Fault.DROP
        ? new Reply.HangUp()
        : empty(fault instanceof Integer status ? status : 204);
  }

  private void poke(Room room, JsonNode action, Object fault) {
    if (fault == Fault.DROP || fault instanceof Integer) {
      return;
    }
    pokes.add(action);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("id", action.path("id").asLong());
    answer.put("response", "poke");
    if (fault == Fault.NACK) {
      answer.put("err", "/app/channels/hoon:<[1 2].[3 4]>\n  can't write there");
      room.tell(answer);
      return;
    }
    keep(action);
    answer.put("ok", "ok");
    if (fault == Fault.CUT) {
      room.out.add(END);
    } else if (fault != Fault.NO_WORD) {
      room.tell(answer);
    }
  }

  private synchronized void keep(JsonNode action) {
    JsonNode json = action.path("json");
    if (action.path("app").asString().equals("chat")) {
      messages.putIfAbsent(json.path("diff").path("id").asString(""), json);
    } else {
      posts.add(json);
    }
  }

  synchronized int messageCount() {
    return messages.size();
  }

  /** An app tells its news to whoever is subscribed. */
  void news(String app, Object json) {
    rooms.values().stream()
        .filter(room -> room.subscriptions.containsKey(app))
        .forEach(
            room ->
                room.tell(
                    Map.of(
                        "id",
                        Long.valueOf(room.subscriptions.get(app)),
                        "response",
                        "diff",
                        "json",
                        json)));
  }

  /** An app ends what was subscribed to. */
  void quit(String app) {
    rooms
        .values()
        .forEach(
            room ->
                room.tell(
                    Map.of("id", Long.valueOf(room.subscriptions.get(app)), "response", "quit")));
  }

  /** Something is written to the stream as it stands. */
  void write(String text) {
    rooms.values().forEach(room -> room.out.add(text));
  }

  /** The ship forgets all logins and channels. */
  void forget() {
    cookie = "none";
  }

  void cut() {
    rooms.values().forEach(room -> room.out.add(END));
  }

  @Override
  public void close() {
    platform.close();
    cut();
  }
}
