package dev.postrider.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * A homeserver that knows a repeat by its path, and whose answers are held to the specification.
 */
final class FakeHomeserver implements AutoCloseable {
  static final VendorSchema API = new VendorSchema(FakeHomeserver.class, "api.schema.json");

  final FakePlatform platform = FakePlatform.start();

  /** What was sent, by its path: a repeat is not there twice. */
  final Map<String, JsonNode> events = new LinkedHashMap<>();

  FakeHomeserver() {
    platform.when(request -> request.method().equals("PUT"), this::send);
    answer("/account/whoami", "whoami", "{'user_id':'@bot:example.org','device_id':'D'}");
  }

  private synchronized Reply send(Request request) {
    events.putIfAbsent(request.path(), Objects.requireNonNull(Json.readObject(request.text())));
    int number = List.copyOf(events.keySet()).indexOf(request.path()) + 1;
    return ok("sent", "{'event_id':'$" + number + "'}");
  }

  static Reply.Answer ok(String schema, String body) {
    JsonNode json = Objects.requireNonNull(Json.readObject(body.replace('\'', '"')));
    assertThat(API.validate(schema, json)).isEmpty();
    return Reply.json(200, json.toString());
  }

  static Reply error(int status, String code) {
    return Reply.json(status, Json.write(Map.of("errcode", code, "error", "Oops")));
  }

  /** Answers what contains this path. */
  void answer(String path, String schema, String body) {
    platform.when(request -> request.path().contains(path), ok(schema, body));
  }

  List<String> paths() {
    return platform.requests().stream().map(Request::path).toList();
  }

  @Override
  public void close() {
    platform.close();
  }
}
