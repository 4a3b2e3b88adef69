package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.fuzz.Fuzzing;
import dev.postrider.testkit.internal.fuzz.Noise;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests made from the OpenAPI document, and odd forms of them: each is answered as the document
 * says, and never with a fault of ours.
 */
class ApiFuzzTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_IDS = 200;

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/x-ndjson",
          "text/csv",
          "multipart/form-data; boundary=x",
          "application/json;;=",
          "json",
          "text/plain",
          "application/octet-stream");

  /** An operation of the document. */
  private record Operation(String method, String path, JsonNode described) {}

  @TempDir private Path dir;
  private TestServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonNode api = ApiContract.API.document();
  private final List<Operation> operations = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            dir,
            """
            accounts:
              - { id: sandbox, channel: sandbox }
              - { id: in, channel: webhook, url: "http://127.0.0.1:9/", \
            secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", \
            webhookSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }
            """);
    for (var path : api.get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        operations.add(
            new Operation(
                operation.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation.getValue()));
      }
    }
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void whatever_is_asked_is_answered_as_the_document_says() {
    Fuzzing.run(
        "the API",
        4_000,
        noise -> {
          if (noise.oneIn(30)) {
            raw(noise);
          } else {
            ask(noise, noise.of(operations));
          }
        });

    assertThat(server.get("/healthz").status()).isEqualTo(200);
  }

  private void ask(Noise noise, Operation operation) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + target(noise, operation)))
            .timeout(Duration.ofSeconds(50));
    boolean takesBody = operation.described.has("requestBody");
    String method =
        noise.oneIn(25) ? noise.of(List.of("PATCH", "HEAD", "OPTIONS")) : operation.method;
    if (takesBody ? !noise.oneIn(20) : noise.oneIn(20)) {
      byte[] body = body(noise, operation);
      request.header("Content-Type", type(noise, operation));
      request.method(method, BodyPublishers.ofByteArray(body));
    } else {
      request.method(method, BodyPublishers.noBody());
    }
    HttpRequest made = request.build();
    String asked = "%s %.500s".formatted(made.method(), made.uri());
    HttpResponse<InputStream> answer = client.send(made, BodyHandlers.ofInputStream());
    String type = answer.headers().firstValue("Content-Type").orElse("");
    String text = "";
    try (InputStream body = answer.body()) {
      if (!type.startsWith("text/event-stream")) {
        text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
    int status = answer.statusCode();
    assertThat(status < 500 || status == 503).as("%s: %d %.500s", asked, status, text).isTrue();
    if (!operation.path.startsWith("/hooks/") || status >= 400) {
      assertThat(ApiContract.API.broken(made.method(), made.uri().getRawPath(), status, type, text))
          .as(asked)
          .isEmpty();
    }
    remember(text, type);
  }

  /** Ids of what there is make other requests succeed. */
  private void remember(String text, String type) {
    if (type.equals("application/json") && ids.size() < MOST_IDS) {
      JsonNode json = JSON.readTree(text);
      for (JsonNode id : List.of(json.path("id"), json.path("leaseId"), json.at("/items/0/id"))) {
        if (id.isString()) {
          ids.add(id.asString());
        }
      }
    }
  }

  // ---- requests

  private String target(Noise noise, Operation operation) {
    StringBuilder target = new StringBuilder();
    for (String step : operation.path.substring(1).split("/", -1)) {
      String value = step;
      if (step.startsWith("{")) {
        value =
            step.equals("{account}") && !noise.oneIn(4)
                ? noise.of(List.of("sandbox", "in"))
                : !ids.isEmpty() && !noise.oneIn(3) ? noise.of(ids) : noise.text();
      }
      target.append('/').append(encoded(value));
    }
    char separator = '?';
    for (JsonNode parameter : operation.described.path("parameters")) {
      if (parameter.path("in").asString("").equals("query") && noise.oneIn(4)) {
        String name = parameter.path("name").asString("");
        target.append(separator).append(encoded(name)).append('=');
        target.append(encoded(value(noise, name, parameter.path("schema"))));
        separator = '&';
      }
    }
    if (noise.oneIn(40)) {
      target.append(separator).append(encoded(noise.text())).append("=1");
    }
    return target.length() > 6_000
        ? target.substring(0, 6_000).replaceAll("%.?$", "")
        : target.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String value(Noise noise, String name, JsonNode schema) {
    if (noise.oneIn(3)) {
      return noise.text();
    }
    JsonNode words = schema.has("items") ? schema.path("items").path("enum") : schema.path("enum");
    if (!words.isEmpty()) {
      return words.get(noise.below(words.size())).asString("");
    }
    return switch (name) {
      case "limit" -> Integer.toString(noise.below(600));
      case "since", "until" -> noise.of(List.of("1h", "2026-11-20T09:00:00Z"));
      case "wait" -> noise.of(List.of("1ms", "0s"));
      default -> noise.of(List.of("sandbox", "a", "failed", "1"));
    };
  }

  private String type(Noise noise, Operation operation) {
    List<String> described = new ArrayList<>();
    described.addAll(operation.described.at("/requestBody/content").propertyNames());
    return described.isEmpty() || noise.oneIn(15) ? noise.of(TYPES) : described.getFirst();
  }

  private byte[] body(Noise noise, Operation operation) {
    JsonNode content = operation.described.at("/requestBody/content");
    JsonNode schema =
        content.isEmpty() ? JSON.createObjectNode() : content.iterator().next().path("schema");
    JsonNode sample = sample(noise, schema, 0);
    if (content.has("application/x-ndjson")) {
      JsonNode message = api.at("/components/schemas/NewMessage");
      StringBuilder lines = new StringBuilder();
      for (int i = noise.below(5); i >= 0; i--) {
        JsonNode line = sample(noise, message, 0);
        lines.append(noise.oneIn(2) ? line : noise.mutated(line)).append('\n');
      }
      return lines.toString().getBytes(StandardCharsets.UTF_8);
    }
    return switch (noise.below(10)) {
      case 0 -> noise.bytes(300);
      case 1 -> noise.mutated(sample.toString().getBytes(StandardCharsets.UTF_8));
      case 2 -> noise.json().toString().getBytes(StandardCharsets.UTF_8);
      case 3, 4, 5 -> noise.mutated(sample).toString().getBytes(StandardCharsets.UTF_8);
      default -> sample.toString().getBytes(StandardCharsets.UTF_8);
    };
  }

  /** Something that the schema describes, more or less. */
  private JsonNode sample(Noise noise, JsonNode schema, int depth) {
    if (schema.has("$ref")) {
      return sample(noise, api.at(schema.get("$ref").asString().substring(1)), depth);
    }
    for (String several : List.of("oneOf", "anyOf", "allOf")) {
      if (schema.has(several)) {
        JsonNode all = schema.get(several);
        return sample(noise, all.get(noise.below(all.size())), depth);
      }
    }
    if (schema.has("enum")) {
      return schema.get("enum").get(noise.below(schema.get("enum").size()));
    }
    JsonNode type = schema.path("type");
    String name =
        type.isArray() ? type.get(noise.below(type.size())).asString() : type.asString("");
    return switch (name) {
      case "object" -> {
        ObjectNode object = JSON.createObjectNode();
        for (var property : schema.path("properties").properties()) {
          boolean required = contains(schema.path("required"), property.getKey());
          if (required || depth < 3 && noise.oneIn(3)) {
            object.set(
                property.getKey(), named(noise, property.getKey(), property.getValue(), depth));
          }
        }
        yield object;
      }
      case "array" -> {
        ArrayNode array = JSON.createArrayNode();
        for (int i = noise.below(3); i >= 0; i--) {
          array.add(sample(noise, schema.path("items"), depth + 1));
        }
        yield array;
      }
      case "integer", "number" -> JSON.valueToTree(noise.below(100));
      case "boolean" -> JSON.valueToTree(noise.oneIn(2));
      case "null" -> JSON.nullNode();
      case "string" -> JSON.valueToTree(noise.oneIn(3) ? noise.text() : "x");
      default -> noise.json();
    };
  }

  /** Fields that must name something, or make the server wait, get a value that works. */
  private JsonNode named(Noise noise, String name, JsonNode schema, int depth) {
    return switch (noise.oneIn(6) ? "" : name) {
      case "account" -> JSON.valueToTree("sandbox");
      case "timezone" -> JSON.valueToTree("Asia/Kuala_Lumpur");
      case "wait" -> JSON.valueToTree("1ms");
      case "leaseFor", "expiresIn", "delay" -> JSON.valueToTree("30s");
      case "sendAt" -> JSON.valueToTree("2026-11-20T09:00:00Z");
      case "cron" -> JSON.valueToTree("0 9 * * FRI");
      case "id", "turnId", "leaseId" -> JSON.valueToTree(ids.isEmpty() ? "x" : noise.of(ids));
      default -> sample(noise, schema, depth + 1);
    };
  }

  private static boolean contains(JsonNode names, String name) {
    return names.valueStream().anyMatch(each -> each.asString("").equals(name));
  }

  // ---- what no client library would send

  private void raw(Noise noise) throws Exception {
    String request =
        "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    byte[] bytes = noise.mutated(request.getBytes(StandardCharsets.UTF_8));
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer)
          .as(new String(bytes, StandardCharsets.UTF_8))
          .doesNotStartWith("HTTP/1.1 5");
    } catch (java.net.SocketException e) {
      return; // it was cut off
    }
  }
}
