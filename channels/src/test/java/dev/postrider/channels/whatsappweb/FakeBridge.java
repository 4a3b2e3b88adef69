package dev.postrider.channels.whatsappweb;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * WAHA and GOWA as their pages describe them, as far as one account uses them. What is scripted
 * with {@code platform.answer} comes first.
 */
final class FakeBridge implements AutoCloseable {
  static final String GROUP = "120363041234567890@g.us";
  static final String ANN = "491701234567@c.us";

  final FakePlatform platform = FakePlatform.start();
  final List<String> notOnWhatsApp = new ArrayList<>();
  final Map<String, String> otherNames = new LinkedHashMap<>();
  final Map<String, String> lids = new LinkedHashMap<>();
  final Map<String, List<Map<String, Object>>> history = new LinkedHashMap<>();
  List<Map<String, Object>> overview = List.of();
  String status = "WORKING";
  boolean takesOwnIds = true;
  boolean pages = true;
  boolean unreadable = false;
  final Set<String> broken = new HashSet<>(); // chats whose history cannot be read
  private int given;

  FakeBridge() {
    platform.otherwise(this::answer);
  }

  AccountConfig waha() {
    return AccountConfig.of("wa", "whatsapp-web")
        .set("apiKey", "waha-very-secret")
        .set("baseUrl", platform.baseUrl())
        .set("settle", "0s")
        .set("timeout", "5m");
  }

  AccountConfig gowa() {
    return AccountConfig.of("wa", "whatsapp-web")
        .set("bridge", "gowa")
        .set("username", "postrider")
        .set("password", "gowa-very-secret")
        .set("deviceId", "org_2")
        .set("baseUrl", platform.baseUrl())
        .set("settle", "0s")
        .set("timeout", "5m");
  }

  private synchronized Reply answer(Request request) {
    String path = request.path();
    if (path.startsWith("/api/sessions/")) {
      return Reply.json(
          200,
          Json.write(
              Map.of(
                  "name",
                  "default",
                  "status",
                  status,
                  "me",
                  Map.of("id", "4930123456@c.us", "pushName", "Shop"))));
    }
    if (path.startsWith("/api/send")) {
      JsonNode body = Json.readObject(request.text());
      String id =
          takesOwnIds && body.has("id") ? body.path("id").asString() : "3EB0GIVEN" + given++;
      return sent(body.path("chatId").asString(), id);
    }
    if (path.startsWith("/api/contacts/check-exists")) {
      String phone = path.replaceFirst(".*phone=", "");
      return Reply.json(
          200,
          Json.write(
              notOnWhatsApp.contains(phone)
                  ? Map.of("numberExists", false)
                  : Map.of(
                      "numberExists",
                      true,
                      "chatId",
                      otherNames.getOrDefault(phone, phone + "@c.us"))));
    }
    if (path.contains("/lids/")) {
      String lid = path.replaceFirst(".*/lids/", "") + "@lid";
      return lids.containsKey(lid)
          ? Reply.json(200, Json.write(Map.of("lid", lid, "pn", lids.get(lid))))
          : Reply.json(404, "{\"message\":\"Not Found\",\"statusCode\":404}");
    }
    if (path.startsWith("/api/default/chats/overview")) {
      return unreadable
          ? Reply.json(400, "{\"message\":\"Enable the store\",\"statusCode\":400}")
          : Reply.json(200, Json.write(page(path, overview)));
    }
    if (path.startsWith("/api/default/chats/")) {
      return messages(path);
    }
    return gowa(request);
  }

  private Reply messages(String path) {
    String rest = path.replaceFirst("/api/default/chats/", "").replace("%40", "@");
    String chat = rest.replaceFirst("/.*", "");
    if (broken.contains(chat)) {
      return thrown("boom");
    }
    List<Map<String, Object>> all = history.getOrDefault(chat, List.of());
    if (rest.contains("/messages/")) {
      String id = rest.replaceFirst(".*/messages/", "").replaceFirst("\\?.*", "");
      return all.stream()
          .filter(it -> it.get("id").equals(id))
          .findFirst()
          .map(it -> Reply.json(200, Json.write(it)))
          .orElse(Reply.json(404, "{\"message\":\"Message not found\",\"statusCode\":404}"));
    }
    String own = word(path, "filter.fromMe");
    return Reply.json(
        200,
        Json.write(
            page(
                path,
                all.stream()
                    .filter(
                        it ->
                            own.isEmpty() || it.getOrDefault("fromMe", own).toString().equals(own))
                    .toList())));
  }

  /** What these questions ask for of it: as many from there on; or the same again and again. */
  private List<Map<String, Object>> page(String path, List<Map<String, Object>> all) {
    int limit = number(path, "limit", 1000);
    int offset = pages ? number(path, "offset", 0) : 0;
    return all.stream().skip(offset).limit(limit).toList();
  }

  private static int number(String path, String name, int otherwise) {
    String word = word(path, name);
    return word.isEmpty() ? otherwise : Integer.parseInt(word);
  }

  private static String word(String path, String name) {
    Matcher matcher = Pattern.compile("[?&]" + name + "=(\\w+)").matcher(path);
    return matcher.find() ? matcher.group(1) : "";
  }

  private Reply gowa(Request request) {
    String path = request.path();
    if (path.equals("/app/status")) {
      boolean works = status.equals("WORKING");
      return success(
          Map.of(
              "is_connected",
              works,
              "is_logged_in",
              works || status.equals("reconnecting"),
              "device_id",
              "org_2",
              "jid",
              "4930123456:7@s.whatsapp.net"));
    }
    if (path.startsWith("/user/check")) {
      return success(
          Map.of("is_on_whatsapp", !notOnWhatsApp.contains(path.replaceFirst(".*phone=", ""))));
    }
    if (path.startsWith("/send/")) {
      return success(Map.of("message_id", "3EB0GIVEN" + given++, "status", "sent"));
    }
    if (path.startsWith("/chats?")) {
      return success(Map.of("data", page(path, overview)));
    }
    if (path.startsWith("/chat/")) {
      String chat = path.replaceFirst("/chat/", "").replaceFirst("/.*", "").replace("%40", "@");
      return success(Map.of("data", page(path, history.getOrDefault(chat, List.of()))));
    }
    return Reply.json(404, "{\"code\":\"404\",\"message\":\"no such page\"}");
  }

  static Reply.Answer sent(String chat, String id) {
    return Reply.json(
        201, Json.write(Map.of("id", "true_" + chat + "_" + id, "fromMe", true, "body", "x")));
  }

  static Reply.Answer success(Object results) {
    return Reply.json(
        200, Json.write(Map.of("code", "SUCCESS", "message", "Success", "results", results)));
  }

  static Reply.Answer thrown(String message) {
    return Reply.json(
        500,
        Json.write(
            Map.of(
                "statusCode",
                500,
                "exception",
                Map.of("name", "Error", "message", message, "stack", "at x"),
                "request",
                Map.of("body", "the whole request"))));
  }

  static Reply.Answer refused(int status, String code, String message) {
    return Reply.json(status, Json.write(Map.of("code", code, "message", message)));
  }

  List<Request> requests(String start) {
    return platform.requests().stream().filter(it -> it.path().startsWith(start)).toList();
  }

  @Override
  public void close() {
    platform.close();
  }
}
