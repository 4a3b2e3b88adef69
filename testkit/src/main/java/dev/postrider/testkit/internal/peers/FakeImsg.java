package dev.postrider.testkit.internal.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands in for {@code imsg rpc} and the Messages behind it, after its source: a program that works
 * on one request after the other. What Messages has, what was asked and how to behave are files of
 * a folder, so that a test sees them from outside, and after the program was killed.
 */
public final class FakeImsg {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final long LOOK_EVERY = 20_000_000;

  private final Path folder;

  private FakeImsg(Path folder) {
    this.folder = folder;
  }

  /** What to run. */
  public static List<String> command(Path folder) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(
        java,
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-cp",
        System.getProperty("java.class.path"),
        FakeImsg.class.getName(),
        folder.toString());
  }

  /** How the program behaves from now on: {@code send}, {@code every}, {@code bridge}. */
  public static void behave(Path folder, String what, String how) throws IOException {
    Files.writeString(folder.resolve(what), how);
  }

  /** Everything that was asked, in order. */
  public static List<JsonNode> asked(Path folder, String method) throws IOException {
    return lines(folder.resolve("asked.jsonl")).stream()
        .filter(request -> request.path("method").asString("").equals(method))
        .toList();
  }

  /** What Messages has. */
  public static List<JsonNode> messages(Path folder) throws IOException {
    return lines(folder.resolve("messages.jsonl"));
  }

  /** Somebody writes. */
  public static void add(Path folder, Map<String, ?> message) throws IOException {
    append(folder.resolve("messages.jsonl"), message);
  }

  /** A message of a person, or of ours, in a chat. */
  public static Map<String, Object> message(long row, String chat, String text, boolean fromMe) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", row);
    message.put("chat_id", Math.floorMod(chat.hashCode(), 1000) + 1);
    message.put("guid", "GUID-" + row);
    message.put("chat_guid", chat);
    message.put("chat_identifier", chat.replaceFirst(".*;", ""));
    message.put("is_group", chat.contains(";+;"));
    message.put("sender", fromMe ? "" : chat.replaceFirst(".*;", ""));
    message.put("is_from_me", fromMe);
    message.put("text", text);
    message.put("created_at", Instant.now().toString());
    message.put("attachments", List.of());
    return message;
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        all.add(JSON.readTree(line));
      }
    }
    return all;
  }

  private static void append(Path file, Object line) throws IOException {
    Files.writeString(
        file,
        JSON.writeValueAsString(line) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  // ---- the program itself

  public static void main(String[] args) throws IOException {
    new FakeImsg(Path.of(args[0])).run();
  }

  private void run() throws IOException {
    append(folder.resolve("starts.jsonl"), Map.of("pid", ProcessHandle.current().pid()));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode request = JSON.readTree(line);
      append(folder.resolve("asked.jsonl"), request);
      JsonNode id = request.path("id");
      String failure = behaviour("every");
      if (failure != null) {
        refuse(id, -32603, failure);
      } else {
        answer(request.path("method").asString(""), request.path("params"), id);
      }
    }
    System.exit(0); // with its watcher
  }

  private @Nullable String behaviour(String what) throws IOException {
    Path file = folder.resolve(what);
    String how = Files.exists(file) ? Files.readString(file).strip() : "";
    return how.isEmpty() ? null : how;
  }

  private void answer(String method, JsonNode params, JsonNode id) throws IOException {
    switch (method) {
      case "chats.list" -> say(id, Map.of("chats", chats(params.path("limit").asInt(20))));
      case "messages.history" -> say(id, Map.of("messages", history(params)));
      case "watch.subscribe" -> {
        long since = params.path("since_rowid").asLong(0);
        long from = since == 0 ? highest() : since;
        say(id, Map.of("subscription", 1));
        Thread.ofPlatform().daemon().start(() -> watch(from));
      }
      case "send" -> send(params, id);
      case "send.rich", "send.attachment", "tapback", "message.edit", "message.unsend" -> {
        if (behaviour("bridge") == null) {
          refuse(id, -32603, "imsg bridge not ready: launch Messages with imsg launch");
        } else if (method.startsWith("send")) {
          say(id, Map.of("ok", true, "guid", write(params).get("guid")));
        } else {
          say(id, Map.of("ok", true));
        }
      }
      default -> refuse(id, -32601, method);
    }
  }

  private void send(JsonNode params, JsonNode id) throws IOException {
    String how = behaviour("send");
    switch (how) {
      case null -> {
        Map<String, Object> row = write(params);
        say(id, Map.of("ok", true, "id", row.get("id"), "guid", row.get("guid")));
      }
      case "hang" -> LockSupport.park();
      case "die" -> Runtime.getRuntime().halt(9);
      case "send and die" -> {
        write(params);
        Runtime.getRuntime().halt(9);
      }
      case "send and hang" -> {
        write(params);
        LockSupport.park();
      }
      case "ok" -> say(id, Map.of("ok", true));
      default -> refuse(id, -32603, how);
    }
  }

  private Map<String, Object> write(JsonNode params) throws IOException {
    String chat =
        params.has("to")
            ? "iMessage;-;" + params.path("to").asString()
            : params
                .path("chat_guid")
                .asString("iMessage;+;chat" + params.path("chat_id").asLong());
    for (JsonNode message : messages(folder)) {
      if (message.path("chat_id").asLong() == params.path("chat_id").asLong(-1)) {
        chat = message.path("chat_guid").asString();
      }
    }
    Map<String, Object> row = message(highest() + 1, chat, params.path("text").asString(""), true);
    if (params.has("file")) {
      Path file = Path.of(params.path("file").asString());
      Files.copy(file, folder.resolve("copied-" + file.getFileName()));
      row.put("attachments", List.of(Map.of("transfer_name", String.valueOf(file.getFileName()))));
    }
    add(folder, row);
    return row;
  }

  private long highest() throws IOException {
    return messages(folder).stream().mapToLong(each -> each.path("id").asLong()).max().orElse(0);
  }

  private List<Map<String, Object>> chats(int limit) throws IOException {
    Map<Long, Map<String, Object>> chats = new LinkedHashMap<>();
    for (JsonNode message : messages(folder).reversed()) {
      Map<String, Object> chat = new LinkedHashMap<>();
      chat.put("id", message.path("chat_id").asLong());
      chat.put("guid", message.path("chat_guid").asString());
      chat.put("identifier", message.path("chat_identifier").asString());
      chat.put("last_message_at", message.path("created_at").asString());
      chats.putIfAbsent(message.path("chat_id").asLong(), chat);
    }
    return chats.values().stream().limit(limit).toList();
  }

  private List<JsonNode> history(JsonNode params) throws IOException {
    Instant start = Instant.parse(params.path("start").asString("1970-01-01T00:00:00Z"));
    return messages(folder).reversed().stream()
        .filter(each -> each.path("chat_id").asLong() == params.path("chat_id").asLong())
        .filter(each -> !Instant.parse(each.path("created_at").asString()).isBefore(start))
        .limit(params.path("limit").asInt(50))
        .toList();
  }

  private void watch(long since) {
    long seen = since;
    try {
      while (true) {
        for (JsonNode message : messages(folder)) {
          if (message.path("id").asLong() > seen) {
            seen = message.path("id").asLong();
            tell(Map.of("subscription", 1, "message", message));
          }
        }
        LockSupport.parkNanos(LOOK_EVERY);
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static void tell(Map<String, ?> params) {
    print(Map.of("jsonrpc", "2.0", "method", "message", "params", params));
  }

  private static void say(JsonNode id, Object result) {
    print(Map.of("jsonrpc", "2.0", "id", id, "result", result));
  }

  private static void refuse(JsonNode id, int code, String data) {
    Map<String, Object> error = Map.of("code", code, "message", "Internal error", "data", data);
    print(Map.of("jsonrpc", "2.0", "id", id, "error", error));
  }

  private static synchronized void print(Map<String, ?> message) {
    byte[] line = (JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    System.out.write(line, 0, line.length);
    System.out.flush();
  }
}
