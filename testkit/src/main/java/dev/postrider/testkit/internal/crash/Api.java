package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The few calls of the HTTP API that the harness makes. */
final class Api {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client;
  private final URI base;
  private final Duration patience;

  /**
   * @param patience how long an answer may take
   */
  Api(HttpClient client, int port, Duration patience) {
    this.client = client;
    this.base = URI.create("http://127.0.0.1:" + port);
    this.patience = patience;
  }

  /** An answer: its status and its JSON. */
  record Answer(int status, JsonNode body) {}

  Answer post(Map<String, ?> message) throws IOException {
    return post("/v1/messages", message);
  }

  /** Tells what a platform would tell. */
  int hook(String account, String secretHeader, String secret, Map<String, ?> update)
      throws IOException {
    HttpRequest request =
        request("/hooks/" + account)
            .header("Content-Type", "application/json")
            .header(secretHeader, secret)
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(update)))
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  Answer post(String path, Map<String, ?> body) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build());
  }

  JsonNode get(String path) throws IOException {
    return send(request(path).build()).body;
  }

  Answer upload(byte[] file) throws IOException {
    return send(
        request("/v1/media")
            .header("Content-Type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(file))
            .build());
  }

  JsonNode message(String id) throws IOException {
    return send(request("/v1/messages/" + id).build()).body;
  }

  JsonNode stats() throws IOException {
    return send(request("/v1/stats").build()).body;
  }

  JsonNode cluster() throws IOException {
    Answer answer = send(request("/v1/cluster").build());
    if (answer.status != 200) {
      throw new IOException("the cluster cannot be seen: " + answer);
    }
    return answer.body;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(patience);
  }

  private Answer send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), JSON.readTree(response.body()));
    } catch (JacksonException e) {
      throw new IOException("the answer is no JSON", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
