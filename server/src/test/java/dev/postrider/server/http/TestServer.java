package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.server.PostriderServer;
import dev.postrider.server.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real server on a free port, over a real engine on a SQLite file of its own. */
public final class TestServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final PostriderServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private TestServer(PostriderServer server) {
    this.server = server;
  }

  /** Starts with these settings beside the store and the port. */
  public static TestServer start(Path dir, String yaml) {
    return start(dir, 0, yaml);
  }

  /** Starts at a port; 0 for a free one. */
  public static TestServer start(Path dir, int port, String yaml) {
    String text =
        """
        store: "sqlite:%s/test.db"
        %s
        """
            .formatted(dir, yaml);
    ConfigLoader loader =
        ConfigLoader.forChannelsOnClassPath(Map.of("POSTRIDER_HTTP_PORT", "" + port));
    return new TestServer(PostriderServer.start(loader.read("test.yaml", text, List.of())));
  }

  /** Starts a server that shares its store with others. */
  public static TestServer sharing(String store, String yaml) {
    String text = "store: \"" + store + "\"\n" + yaml;
    ConfigLoader loader = ConfigLoader.forChannelsOnClassPath(Map.of("POSTRIDER_HTTP_PORT", "0"));
    return new TestServer(PostriderServer.start(loader.read("test.yaml", text, List.of())));
  }

  public static TestServer start(Path dir) {
    return start(dir, "");
  }

  public Postrider postrider() {
    return server.postrider();
  }

  public String address() {
    return server.address();
  }

  int port() {
    return URI.create(server.address()).getPort();
  }

  public record Reply(int status, JsonNode json, HttpResponse<String> raw) {
    public String text(String field) {
      JsonNode value = json.path(field);
      return value.isNull() || value.isMissingNode() ? null : value.asString();
    }

    public String header(String name) {
      return raw.headers().firstValue(name).orElse(null);
    }
  }

  public Reply get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  Reply delete(String path, String... headers) {
    return send(request(path, headers).DELETE());
  }

  public Reply post(String path, String json, String... headers) {
    return send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** Sends a text on the sandbox and waits for its end. */
  public Reply say(String to, String text) {
    return post(
        "/v1/messages?wait=10s",
        "{\"account\":\"sandbox\",\"to\":\"%s\",\"text\":\"%s\"}".formatted(to, text));
  }

  /** Somebody writes in a chat of the sandbox. */
  public void hear(String chat, String text) {
    Reply reply =
        post(
            "/v1/sandbox/sandbox/messages",
            "{\"chat\":\"%s\",\"text\":\"%s\"}".formatted(chat, text));
    assertThat(reply.status()).isEqualTo(202);
  }

  public Reply lease(String wish) {
    return post("/v1/inbound/lease", wish);
  }

  /** The next event of a kind. */
  public <E extends Event> CompletableFuture<E> next(Class<E> kind) {
    CompletableFuture<E> next = new CompletableFuture<>();
    postrider()
        .events()
        .subscribe(
            event -> {
              if (kind.isInstance(event)) {
                next.complete(kind.cast(event));
              }
            });
    return next.orTimeout(300, TimeUnit.SECONDS);
  }

  public HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request;
  }

  public Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      String type = response.headers().firstValue("Content-Type").orElse("");
      HttpRequest asked = response.request();
      assertThat(
              ApiContract.API.broken(
                  asked.method(),
                  asked.uri().getRawPath(),
                  response.statusCode(),
                  type,
                  response.body()))
          .as("%s %s against the OpenAPI document", asked.method(), asked.uri())
          .isEmpty();
      JsonNode json =
          type.contains("json") && !type.contains("ndjson")
              ? JSON.readTree(response.body())
              : JSON.missingNode();
      return new Reply(response.statusCode(), json, response);
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  HttpClient client() {
    return client;
  }

  /** Sends bytes as they are, and gives all that comes back until the server hangs up. */
  String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(all);
      return all.toString(StandardCharsets.UTF_8);
    }
  }

  public static JsonNode json(String text) {
    return JSON.readTree(text);
  }

  /** What only the safety sweep has found is a defect. */
  @Override
  public void close() {
    client.shutdownNow();
    server.close();
    assertThat(postrider().countRescued(0)).as("what was forgotten").isZero();
  }
}
