package dev.postrider.channels.tlon;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

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

  FakeUrbit() throws IOException {
    this(0);
  }

  FakeUrbit(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  AccountConfig account() {
    return AccountConfig.of("ship", "tlon")
        .set("baseUrl", "http://127.0.0.1:" + server.getAddress().getPort())
        .set("code", CODE)
        .set("timeout", "2m");
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (path.equals("/~/login")) {
      login(exchange, body);
    } else if (!String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")).equals(cookie)) {
      answer(exchange, 403, "");
    } else if (path.equals("/~/logout")) {
      logouts.incrementAndGet();
      answer(exchange, 204, "");
    } else if (path.startsWith("/~/scry/")) {
      scries.add(path.substring("/~/scry".length()));
      Object known = scryAnswers.get(path.substring("/~/scry".length()));
      answer(exchange, known == null ? 404 : 200, known == null ? "" : Json.write(known));
    } else if (exchange.getRequestMethod().equals("GET")) {
      stream(exchange, rooms.get(path));
    } else {
      actions(exchange, path, body);
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private void login(HttpExchange exchange, String body) throws IOException {
    if (!body.equals("password=" + CODE)) {
      answer(exchange, 400, "");
      return;
    }
    cookie = "urbauth-" + SHIP + "=0v" + logins.incrementAndGet() + ".secret";
    exchange.getResponseHeaders().add("Set-Cookie", cookie + "; Path=/; Max-Age=604800");
    answer(exchange, 204, "");
  }

  private void stream(HttpExchange exchange, Room room) throws IOException {
    if (room == null) {
      answer(exchange, 404, "");
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    streams.incrementAndGet();
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
      for (String event = room.out.take(); !event.equals(END); event = room.out.take()) {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void actions(HttpExchange exchange, String path, String body) throws IOException {
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
    if (fault == Fault.HANG_UP || fault == Fault.DROP) {
      exchange.close();
    } else {
      answer(exchange, fault instanceof Integer status ? status : 204, "");
    }
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

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
