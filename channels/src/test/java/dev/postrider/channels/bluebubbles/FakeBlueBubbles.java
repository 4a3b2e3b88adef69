package dev.postrider.channels.bluebubbles;

import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A BlueBubbles server and the Messages behind it, after the server's source. */
final class FakeBlueBubbles implements AutoCloseable {
  static final String PASSWORD = "p&ss wörd-of-the-mac";
  static final String ENCODED = "p%26ss%20w%C3%B6rd-of-the-mac";

  final FakePlatform platform = FakePlatform.start();

  /** What Messages has in its database, in the order of its numbers. */
  final List<Map<String, Object>> messages = new ArrayList<>();

  final Map<String, Object> info =
      new LinkedHashMap<>(
          Map.of(
              "os_version",
              "15.3",
              "server_version",
              "1.9.9",
              "private_api",
              false,
              "helper_connected",
              false,
              "detected_imessage",
              "ann@example.org"));

  long now = 1_772_366_400_000L;

  FakeBlueBubbles() {
    platform.when(request -> !request.path().contains("password=" + ENCODED), _ -> forbidden());
    platform.when(
        request -> is(request, "/ping"),
        _ -> Reply.json(200, "{\"status\":200,\"message\":\"Ping received!\",\"data\":\"pong\"}"));
    platform.when(request -> is(request, "/server/info"), _ -> done(info));
    platform.when(request -> is(request, "/message/text"), this::text);
    platform.when(request -> is(request, "/message/attachment"), this::file);
    platform.when(request -> is(request, "/message/query"), this::query);
    platform.when(
        request -> request.path().matches("/api/v1/message/(react|.*/edit|.*/unsend)[?].*"),
        _ -> done(Map.of("guid", "CHANGED")));
    platform.when(
        request -> request.path().startsWith("/api/v1/attachment/"),
        _ -> Reply.text(200, "image/png", "PNG!"));
    platform.otherwise(_ -> Reply.text(404, "text/plain", "Not Found"));
  }

  static boolean is(Request request, String path) {
    return request.path().startsWith("/api/v1" + path + "?");
  }

  private static Reply forbidden() {
    return error(401, "Authentication Error", "Unauthorized", null);
  }

  static Reply.Answer done(Object data) {
    return Reply.json(200, Json.write(Map.of("status", 200, "message", "Success", "data", data)));
  }

  static Reply.Answer error(int status, String type, String message, @Nullable Object data) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", status);
    body.put("message", "Message Send Error");
    body.put("error", Map.of("type", type, "message", message));
    if (data != null) {
      body.put("data", data);
    }
    return Reply.json(status, Json.write(body));
  }

  private Reply text(Request request) {
    JsonNode body = Json.readObject(request.text());
    Map<String, Object> row =
        row(body.path("chatGuid").asString(), body.path("message").asString(), true);
    return done(row);
  }

  private Reply file(Request request) {
    FormData form = FormData.read(request);
    Map<String, Object> row = row(form.field("chatGuid").asString(), "\ufffc", true);
    row.put("attachments", List.of(Map.of("transferName", form.field("name").asString())));
    return done(row);
  }

  /** A message that Messages has. */
  Map<String, Object> row(String chat, String text, boolean fromMe) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("originalROWID", messages.size() + 101L);
    row.put("guid", "GUID-" + (messages.size() + 1));
    row.put("text", text);
    row.put("isFromMe", fromMe);
    row.put("error", 0);
    row.put("dateCreated", now);
    row.put("attachments", List.of());
    row.put("chats", List.of(Map.of("guid", chat)));
    if (!fromMe) {
      row.put("handle", Map.of("address", chat.replaceFirst(".*;", "")));
    }
    messages.add(row);
    return row;
  }

  private Reply query(Request request) {
    JsonNode body = Json.readObject(request.text());
    long after = body.path("after").asLong(0);
    long last = body.path("where").path(0).path("args").path("last").asLong(-1);
    int limit = body.path("limit").asInt(100);
    List<Map<String, Object>> found =
        new ArrayList<>(
            messages.stream()
                .filter(row -> (long) row.get("dateCreated") >= after)
                .filter(row -> (long) row.get("originalROWID") > last)
                .toList());
    if (body.path("sort").asString("").equals("DESC")) {
      found = new ArrayList<>(found.reversed());
    }
    int from = Math.min(found.size(), body.path("offset").asInt(0));
    return done(found.subList(from, Math.min(found.size(), from + limit)));
  }

  /** The bodies of requests to a path, in order. */
  List<JsonNode> asked(String path) {
    return platform.requests().stream()
        .filter(request -> is(request, path))
        .map(request -> Json.readObject(request.text()))
        .toList();
  }

  @Override
  public void close() {
    platform.close();
  }
}
