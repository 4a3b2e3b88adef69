package dev.postrider.channels.synology;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Synology Chat as far as webhooks and bots see it, after its help pages and what others saw. */
final class FakeNas implements AutoCloseable {
  static final String TOKEN = "W4xT0kEnW4xT0kEnW4xT0kEn";

  final FakePlatform platform = FakePlatform.start();

  /** What was posted, in order. */
  final List<JsonNode> posts = new ArrayList<>();

  final List<Map<String, Object>> users =
      new ArrayList<>(List.of(user(4, "ann", "Ann Lee"), user(7, "bob", "")));

  boolean hasChat = true;
  int lists;

  FakeNas() {
    platform.when(request -> request.path().startsWith("/webapi/entry.cgi?"), this::entry);
    platform.when(
        request -> request.path().startsWith("/webapi/query.cgi?"),
        _ ->
            Reply.json(
                200,
                Json.write(
                    Map.of(
                        "success",
                        true,
                        "data",
                        hasChat
                            ? Map.of("SYNO.Chat.External", Map.of("path", "entry.cgi"))
                            : Map.of()))));
    platform.otherwise(_ -> Reply.html(404, "<h1>Sorry, the page you are looking for</h1>"));
  }

  static Map<String, Object> user(long id, String username, String nickname) {
    return new LinkedHashMap<>(
        Map.of("user_id", id, "username", username, "nickname", nickname, "deleted", false));
  }

  String webhookUrl() {
    return platform.baseUrl()
        + "/webapi/entry.cgi?api=SYNO.Chat.External&method=incoming&version=2&token=%22"
        + TOKEN
        + "%22";
  }

  private Reply entry(Request request) {
    Map<String, String> query = form(request.path().substring(request.path().indexOf('?') + 1));
    if (!hasChat) {
      return error(102, "");
    }
    if (!query.get("api").equals("SYNO.Chat.External") || !query.get("version").equals("2")) {
      return error(104, "");
    }
    if (!query.get("token").equals("\"" + TOKEN + "\"")) {
      return error(404, "bot is not legal");
    }
    return switch (query.get("method")) {
      case "user_list" -> {
        lists++;
        yield success(Map.of("users", users));
      }
      case "incoming" -> {
        posts.add(payload(request));
        yield Reply.json(200, "{\"success\":true}");
      }
      case "chatbot" -> chatbot(payload(request));
      default -> error(103, "");
    };
  }

  private Reply chatbot(JsonNode payload) {
    long user = payload.path("user_ids").path(0).asLong(0);
    if (users.stream().noneMatch(each -> each.get("user_id").equals(user))) {
      return error(800, "no target");
    }
    posts.add(payload);
    return success(
        Map.of(
            "fail",
            List.of(),
            "succ",
            Map.of("user_id_post_map", Map.of("" + user, 146_028_888_000L + posts.size()))));
  }

  static Reply.Answer success(Map<String, ?> data) {
    return Reply.json(200, Json.write(Map.of("success", true, "data", data)));
  }

  static Reply.Answer error(int code, String errors) {
    return Reply.json(
        200, Json.write(Map.of("success", false, "error", Map.of("code", code, "errors", errors))));
  }

  static JsonNode payload(Request request) {
    return Json.readObject(form(request.text()).get("payload"));
  }

  private static Map<String, String> form(String text) {
    Map<String, String> form = new LinkedHashMap<>();
    for (String field : text.split("&")) {
      String[] pair = field.split("=", 2);
      form.put(pair[0], URLDecoder.decode(pair[1], UTF_8));
    }
    return form;
  }

  @Override
  public void close() {
    platform.close();
  }
}
