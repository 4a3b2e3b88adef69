package dev.postrider.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** As much of a ship as one needs to write to another. */
public final class TlonShip implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String SHIP = "~sampel-palnet";

  /** Of the messages that it was given, in the order in which they came. */
  final List<String> ids = new CopyOnWriteArrayList<>();

  private volatile boolean answering;
  private final Map<String, BlockingQueue<String>> streams = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Consumer<String> taken;
  private final HttpServer server;

  /**
   * @param taken is told of each message before the ship says that it has it
   */
  public TlonShip(Consumer<String> taken) throws IOException {
    this.taken = taken;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (exchange.getRequestMethod().equals("GET") && path.startsWith("/~/channel/")) {
      tell(exchange, stream(path));
      return;
    }
    if (path.equals("/~/login")) {
      exchange.getResponseHeaders().add("Set-Cookie", "urbauth-" + SHIP + "=0v1.a; Path=/");
    } else if (path.startsWith("/~/channel/")) {
      for (JsonNode action : JSON.readTree(body).values()) {
        take(stream(path), action);
      }
    }
    exchange.sendResponseHeaders(path.startsWith("/~/scry/") ? 404 : 204, -1);
    exchange.close();
  }

  /** From now on it says what it has. */
  public TlonShip answering() {
    answering = true;
    return this;
  }

  private BlockingQueue<String> stream(String path) {
    return streams.computeIfAbsent(path, _ -> new LinkedBlockingQueue<>());
  }

  private void take(BlockingQueue<String> stream, JsonNode action) {
    String kind = action.path("action").asString("");
    if (kind.equals("poke")) {
      ids.add(action.path("json").path("diff").path("id").asString(""));
      taken.accept(action.toString());
    }
    if (kind.equals("subscribe") || (kind.equals("poke") && answering)) {
      stream.add(
          "data: {\"id\": %d, \"response\": \"%s\", \"ok\": \"ok\"}\n\n"
              .formatted(action.path("id").asLong(), kind));
    }
  }

  private static void tell(HttpExchange exchange, BlockingQueue<String> stream) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      for (int event = 1; true; event++) {
        out.write(("id: " + event + "\n" + stream.take()).getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
