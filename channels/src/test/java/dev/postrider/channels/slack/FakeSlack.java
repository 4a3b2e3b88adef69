package dev.postrider.channels.slack;

import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Slack as far as a bot sees it: what is posted can be read back, a page at a time. */
final class FakeSlack implements AutoCloseable {
  final FakePlatform platform = FakePlatform.start();
  final List<Map<String, Object>> messages = new ArrayList<>();
  final Map<String, byte[]> uploads = new LinkedHashMap<>();
  int pageSize = 100;

  FakeSlack() {
    on("chat.postMessage", this::post);
    on("conversations.history", request -> list(form(request)));
    on("conversations.replies", request -> list(form(request)));
    on("conversations.open", _ -> ok(Map.of("channel", Map.of("id", "D7"))));
    on("files.getUploadURLExternal", _ -> place());
    on("files.completeUploadExternal", this::share);
    on("auth.test", _ -> ok(Map.of("user", "rider", "user_id", "U0")));
    platform.when(
        request -> request.path().startsWith("/upload/"),
        request -> {
          uploads.put(request.path().substring(8), request.body());
          return Reply.text(200, "text/plain", "OK - 4");
        });
  }

  String baseUrl() {
    return platform.baseUrl() + "/api";
  }

  private void on(String method, Function<Request, Reply> reply) {
    platform.when(request -> request.path().equals("/api/" + method), reply);
  }

  static Reply.Answer ok(Map<String, ?> body) {
    Map<String, Object> all = new LinkedHashMap<>(body);
    all.put("ok", true);
    return Reply.json(200, Json.write(all));
  }

  static Reply.Answer error(String code) {
    return Reply.json(200, Json.write(Map.of("ok", false, "error", code)));
  }

  /** What the requests to a method said, in order. */
  List<JsonNode> calls(String method) {
    return platform.requests().stream()
        .filter(request -> request.path().equals("/api/" + method))
        .map(FakeSlack::body)
        .toList();
  }

  static JsonNode body(Request request) {
    return request.headers().get("content-type").startsWith("application/json")
        ? Json.readObject(request.text())
        : Json.tree(form(request));
  }

  private static Map<String, String> form(Request request) {
    Map<String, String> form = new LinkedHashMap<>();
    for (String field : request.text().split("&")) {
      String[] pair = field.split("=", 2);
      form.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    return form;
  }

  /** Posts as if the request had come, whatever becomes of the answer. */
  Reply post(Request request) {
    JsonNode body = Json.readObject(request.text());
    String ts = add(Map.of("text", body.path("text"), "metadata", body.path("metadata")));
    return ok(Map.of("channel", body.path("channel"), "ts", ts));
  }

  String add(Map<String, ?> message) {
    Map<String, Object> all = new LinkedHashMap<>(message);
    String ts = "1700000000.%06d".formatted(messages.size() + 1);
    all.put("ts", ts);
    messages.addFirst(all);
    return ts;
  }

  private Reply list(Map<String, String> query) {
    int from = Integer.parseInt(query.getOrDefault("cursor", "0"));
    int to = Math.min(messages.size(), from + pageSize);
    boolean more = to < messages.size();
    return ok(
        Map.of(
            "messages",
            messages.subList(from, to),
            "has_more",
            more,
            "response_metadata",
            Map.of("next_cursor", more ? "" + to : "")));
  }

  private Reply place() {
    String id = "F" + (calls("files.getUploadURLExternal").size());
    return ok(Map.of("file_id", id, "upload_url", platform.baseUrl() + "/upload/" + id));
  }

  Reply share(Request request) {
    JsonNode files = Json.readObject(request.text()).path("files");
    add(Map.of("files", files));
    return ok(Map.of("files", files));
  }

  @Override
  public void close() {
    platform.close();
  }
}
