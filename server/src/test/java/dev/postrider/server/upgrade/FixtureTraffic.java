package dev.postrider.server.upgrade;

import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Something of everything that a version can do, so that its store has rows of every kind; and what
 * that version says of it, line by line. What a version cannot do yet is passed by.
 */
final class FixtureTraffic implements AutoCloseable {
  private static final String SECRET = "s3cret";

  private final FakeTelegram telegram = FakeTelegram.start();
  private final FakePlatform whatsapp =
      FakePlatform.start()
          .otherwise(
              request ->
                  Reply.json(
                      200,
                      "{\"messages\":[{\"id\":\"wamid.%d\"}]}"
                          .formatted(request.arrived().toEpochMilli())));

  FixtureTraffic() {
    telegram.script(
        (chat, text) ->
            switch (chat) {
              case "400" -> new FakeTelegram.Step.Refuse(FakeTelegram.blocked());
              case "500" ->
                  text.contains("again")
                      ? new FakeTelegram.Step.Refuse(FakeTelegram.error(502, "Bad Gateway"))
                      : null;
              case "600" -> new FakeTelegram.Step.Lose(new Reply.HangUp());
              case "700" -> new FakeTelegram.Step.Lose(new Reply.Silence());
              case "800" -> new FakeTelegram.Step.Refuse(FakeTelegram.migratedTo(-1800));
              default -> null;
            });
  }

  /** The configuration, as far as the version understands it. */
  List<String> configs(String store) {
    String head =
        "store: \"%s\"\naccounts:\n  - { id: sandbox, channel: sandbox }\n".formatted(store);
    String bot =
        "  - { id: tg, channel: telegram, token: \"1:test\", baseUrl: \"%s\", timeout: 10m%s }\n";
    String secret = ", webhookSecret: %s".formatted(SECRET);
    String all =
        head
            + bot.formatted(telegram.baseUrl(), secret)
            + ("  - { id: wa, channel: whatsapp, token: t, phoneNumberId: \"1\", appSecret: a,"
                    + " verifyToken: v, baseUrl: \"%s\" }\n")
                .formatted(whatsapp.baseUrl());
    return List.of(all, head + bot.formatted(telegram.baseUrl(), secret));
  }

  /** Sends, fails, pauses, schedules, hears; comes to rest with work left. */
  void run(OldServer server) throws IOException {
    outbound(server);
    inbound(server);
    reminders(server);
    settle(server);
  }

  private void outbound(OldServer server) throws IOException {
    server.post("/v1/accounts/sandbox/pause", Map.of("reason", "maintenance"));
    server.post("/v1/lanes/pause", Map.of("account", "tg", "to", "300", "reason", "holidays"));
    send(server, "sandbox", "ann", "ann 1", Map.of());
    send(server, "sandbox", "ann", "ann 2", Map.of("priority", "bulk"));
    send(server, "sandbox", "ann", "ann 3", Map.of("sessionId", "sandbox/ann"));
    send(server, "sandbox", "bob", "bob 1", Map.of("ordering", "none"));
    send(server, "sandbox", "bob", "bob 2", Map.of("idempotencyKey", "bob-2"));
    send(server, "sandbox", "cy", "cy 1", Map.of("metadata", Map.of("order", "77")));
    String later = Instant.now().plus(Duration.ofHours(6)).toString();
    send(server, "sandbox", "cy", "cy later", Map.of("sendAt", later));
    send(server, "tg", "100", "delivered", Map.of("sessionId", "tg/100"));
    send(server, "tg", "100", "one\n\n" + "x".repeat(3900) + "\n\n" + "y".repeat(3900), Map.of());
    send(server, "tg", "300", "held up 1", Map.of());
    send(server, "tg", "300", "held up 2", Map.of());
    send(server, "tg", "300", "too late", Map.of("expiresIn", "1s"));
    send(server, "tg", "400", "refused", Map.of());
    send(server, "tg", "500", "tried again", Map.of());
    send(server, "tg", "500", "behind it", Map.of());
    send(server, "tg", "600", "in doubt", Map.of("onUnknown", "hold"));
    send(server, "tg", "700", "under way", Map.of());
    send(server, "tg", "700", "behind that", Map.of());
    send(server, "tg", "800", "moves", Map.of());
    send(server, "wa", "4915200000000", "accepted", Map.of());
    JsonNode withdrawn = send(server, "sandbox", "dan", "withdrawn", Map.of()).body();
    server.post("/v1/messages/" + withdrawn.path("id").asString() + "/cancel", Map.of());
    byte[] picture = new byte[2_000];
    System.arraycopy(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}, 0, picture, 0, 3);
    String held = server.upload(picture).body().path("id").asString("");
    if (!held.isEmpty()) {
      send(server, "tg", "100", "a picture", Map.of("media", List.of(Map.of("id", held))));
    }
  }

  private static OldServer.Answer send(
      OldServer server, String account, String to, String text, Map<String, ?> more)
      throws IOException {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", account);
    message.put("to", to);
    message.put("text", text);
    message.putAll(more);
    return server.post("/v1/messages", message);
  }

  private static void inbound(OldServer server) throws IOException {
    for (int n = 1; n <= 4; n++) {
      long chat = n == 4 ? 101 : 100;
      Map<String, Object> from = Map.of("id", chat, "is_bot", false, "first_name", "Ann");
      Map<String, Object> message =
          Map.of(
              "message_id",
              50 + n,
              "date",
              Instant.now().getEpochSecond(),
              "from",
              from,
              "chat",
              Map.of("id", chat, "type", "private", "first_name", "Ann"),
              "text",
              "said " + n);
      server.hook(
          "/hooks/tg",
          Map.of("update_id", 900 + n, "message", message),
          "X-Telegram-Bot-Api-Secret-Token",
          SECRET);
    }
    String handled = lease(server);
    if (!handled.isEmpty()) {
      server.post("/v1/inbound/leases/" + handled + "/ack", Map.of("replies", List.of("Good day")));
      server.post(
          "/v1/inbound/leases/" + lease(server) + "/nack",
          Map.of("error", "not now", "delay", "1h"));
    }
    lease(server); // and keeps it
  }

  private static String lease(OldServer server) throws IOException {
    JsonNode leased =
        server.post("/v1/inbound/lease", Map.of("max", 1, "wait", "1s", "leaseFor", "10m")).body();
    return leased.path("items").path(0).path("leaseId").asString("");
  }

  private static void reminders(OldServer server) throws IOException {
    fire(server, "sandbox", List.of("ann", "eve"));
    fire(server, "tg", List.of("100", "400"));
  }

  private static void fire(OldServer server, String account, List<String> targets)
      throws IOException {
    List<Map<String, Object>> to = new ArrayList<>();
    targets.forEach(chat -> to.add(Map.of("to", chat, "variables", Map.of("name", chat))));
    Map<String, Object> reminder = new LinkedHashMap<>();
    reminder.put("name", "Notice of " + account);
    reminder.put("account", account);
    reminder.put("timezone", "UTC");
    reminder.put("schedule", Map.of("cron", "0 9 1 1 *"));
    reminder.put("window", "none");
    reminder.put("targets", to);
    reminder.put("messages", List.of(Map.of("text", "Hello {{name}}")));
    OldServer.Answer made = server.post("/v1/reminders", reminder);
    if (made.status() >= 400) { // there was a time when no window was any hour
      reminder.remove("window");
      made = server.post("/v1/reminders", reminder);
    }
    String id = made.body().path("id").asString("");
    if (!id.isEmpty()) {
      server.post("/v1/reminders/" + id + "/fire", Map.of());
    }
  }

  /** What can end has ended: twice the same answer, a while apart. */
  private static void settle(OldServer server) throws IOException {
    List<String> before = List.of();
    List<String> now = said(server);
    while (!now.equals(before)) {
      LockSupport.parkNanos(Duration.ofSeconds(4).toNanos());
      before = now;
      now = said(server);
    }
  }

  /** What the version says of its messages, what it heard, and its runs, a line each. */
  static List<String> said(OldServer server) throws IOException {
    List<String> lines = new ArrayList<>();
    for (JsonNode one : all(server, "/v1/messages")) {
      lines.add(
          line(
              "message",
              one.path("id").asString(),
              one.path("account").asString(),
              one.path("to").asString(),
              one.path("status").asString(),
              one.path("attempts").asString(),
              Integer.toString(one.path("parts").size()),
              one.path("reason").asString("")));
    }
    for (JsonNode one : all(server, "/v1/inbound")) {
      lines.add(
          line(
              "inbound",
              one.path("id").asString(),
              one.path("account").asString(),
              one.path("chat").asString(),
              one.path("status").asString(),
              one.path("text").asString()));
    }
    for (JsonNode one : all(server, "/v1/runs")) {
      lines.add(
          line(
              "run",
              one.path("id").asString(),
              one.path("status").asString(),
              one.path("total").asString(),
              one.path("sent").asString(),
              one.path("failed").asString()));
    }
    lines.sort(null);
    return lines;
  }

  private static String line(String... fields) {
    return String.join("\t", fields);
  }

  private static List<JsonNode> all(OldServer server, String path) throws IOException {
    List<JsonNode> items = new ArrayList<>();
    server.get(path + "?limit=100").path("items").forEach(items::add);
    return items;
  }

  @Override
  public void close() {
    telegram.close();
    whatsapp.close();
  }
}
