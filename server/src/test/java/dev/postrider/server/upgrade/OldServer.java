package dev.postrider.server.upgrade;

import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server of another version, run from its jar, and spoken to by HTTP as it was then. */
final class OldServer implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Process process;
  private final URI base;
  private final Path log;
  private final HttpClient client = HttpClient.newHttpClient();

  private OldServer(Process process, URI base, Path log) {
    this.process = process;
    this.base = base;
    this.log = log;
  }

  /**
   * Starts it, and waits until it answers.
   *
   * @param config without {@code http}
   */
  static OldServer start(Path jar, Path folder, String name, String config) throws IOException {
    int port = FreePort.find();
    Path file =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            "http: { host: 127.0.0.1, port: %d }\n".formatted(port) + config);
    Path log = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-jar",
                    jar.toString(),
                    "serve",
                    "--config",
                    file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    OldServer server = new OldServer(process, URI.create("http://127.0.0.1:" + port), log);
    server.awaitReady();
    return server;
  }

  private void awaitReady() throws IOException {
    for (long until = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        System.nanoTime() < until;
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos())) {
      if (!process.isAlive()) {
        throw new IOException("it does not start:\n" + Files.readString(log));
      }
      try {
        if (send("GET", "/readyz", null, Map.of()).status() == 200) {
          return;
        }
      } catch (IOException e) {
        // not yet
      }
    }
    throw new IOException("it is not ready:\n" + Files.readString(log));
  }

  record Answer(int status, JsonNode body) {}

  Answer post(String path, Map<String, ?> body) throws IOException {
    return send("POST", path, JSON.writeValueAsString(body), Map.of());
  }

  Answer hook(String path, Map<String, ?> body, String header, String secret) throws IOException {
    return send("POST", path, JSON.writeValueAsString(body), Map.of(header, secret));
  }

  JsonNode get(String path) throws IOException {
    return send("GET", path, null, Map.of()).body();
  }

  Answer upload(byte[] bytes) throws IOException {
    return send(
        HttpRequest.newBuilder(base.resolve("/v1/media"))
            .header("Content-Type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
            .build());
  }

  private Answer send(String method, String path, String body, Map<String, String> headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return send(request.build());
  }

  private Answer send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(
          answer.statusCode(),
          answer.body().startsWith("{") ? JSON.readTree(answer.body()) : JSON.createObjectNode());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** SIGKILL: what it was about stays as it is. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    client.close();
  }
}
