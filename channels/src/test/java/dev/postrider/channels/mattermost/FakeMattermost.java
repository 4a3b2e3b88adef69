package dev.postrider.channels.mattermost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Mattermost as far as a bot sees it, made from its server's source: posts can be read back, by
 * pages or since a time; a key is known again for 30 seconds; a file belongs to one post.
 */
final class FakeMattermost implements AutoCloseable {
  static final String BOT = id("bot");
  static final String ANN = id("ann");
  static final String TOWN = id("town");
  static final String OFF_TOPIC = id("offtopic");
  static final String TOKEN = "9xuqwrwgstrb3mzrxb83nb357a";

  private static final Duration PENDING = Duration.ofSeconds(30);
  private static final int MOST_SINCE = 1000;

  /** What Mattermost describes of the requests made here, and of its posts. */
  static final VendorSchema API = new VendorSchema(FakeMattermost.class, "api.schema.json");

  final FakePlatform platform = FakePlatform.start();

  /** What was asked or answered otherwise than Mattermost describes. */
  final List<String> breaches = new CopyOnWriteArrayList<>();

  final List<Map<String, Object>> posts = new CopyOnWriteArrayList<>();
  final List<JsonNode> whispers = new ArrayList<>();
  final Map<String, FormData.File> files = new LinkedHashMap<>();
  final Map<String, String> channels = new LinkedHashMap<>(Map.of(TOWN, "O", OFF_TOPIC, "P"));
  boolean bot = true;
  boolean inTeam = true;
  boolean whispering = true;

  /** Lists no channels, as before version 6.1. */
  volatile boolean old;

  /** When it says that it is now; null: it does not say. */
  volatile @Nullable String date;

  /** So many lists are refused by a limit. */
  final AtomicInteger limited = new AtomicInteger();

  /** A channel whose posts cannot be read, and one whose posts may not be. */
  volatile @Nullable String unreadable;

  volatile @Nullable String forbidden;
  private final InstantSource clock;
  private final Map<String, Map<String, Object>> owners = new HashMap<>();
  private final Map<String, Pending> pending = new HashMap<>();
  private long lastMillis;

  private record Pending(String post, Instant until) {}

  FakeMattermost(InstantSource clock) {
    this.clock = clock;
    on("POST", "/posts", this::post);
    on("POST", "/posts/ephemeral", this::whisper);
    on("GET", "/posts/[a-z0-9]+", this::one);
    on("POST", "/files", this::upload);
    on("GET", "/channels/[a-z0-9]+/posts", this::list);
    on("POST", "/channels/direct", this::direct);
    on("GET", "/users/me", _ -> json(200, user(BOT, "rider")));
    on(
        "GET",
        "/users/me/teams",
        _ -> json(200, inTeam ? List.of(Map.of("id", id("t"))) : List.of()));
    on("GET", "/users/me/channels", _ -> myChannels());
    on("GET", "/users/username/.+", this::byName);
    platform.otherwise(
        request ->
            request.path().startsWith("/api/v4")
                ? error(404, "api.context.404.app_error")
                : Reply.html(200, "<html>Mattermost</html>"));
  }

  /** An id as Mattermost makes them, with a hint of what it is for. */
  static String id(String hint) {
    return (hint + "0123456789abcdefghijklmnop").substring(0, 26);
  }

  private void hold(String schema, JsonNode body) {
    API.validate(schema, body).forEach(error -> breaches.add(schema + error));
  }

  private void on(String method, String path, Function<Request, Reply> reply) {
    platform.when(
        request -> request.method().equals(method) && matches(request, path),
        request ->
            request.headers().getOrDefault("authorization", "").equals("Bearer " + TOKEN)
                ? closing(reply.apply(request))
                : error(401, "api.context.session_expired.app_error"));
  }

  /** No connection is used again: behind one address, a WebSocket has a server of its own. */
  private static Reply closing(Reply reply) {
    return reply instanceof Reply.Answer answer ? answer.header("Connection", "close") : reply;
  }

  private static boolean matches(Request request, String path) {
    return URI.create(request.path()).getPath().matches("/api/v4" + path);
  }

  static Reply.Answer json(int status, Object body) {
    return Reply.json(status, Json.write(body));
  }

  static Reply.Answer error(int status, String id) {
    return json(
        status,
        Map.of(
            "id",
            id,
            "message",
            "Said in words.",
            "detailed_error",
            "token=" + TOKEN,
            "request_id",
            id("request"),
            "status_code",
            status));
  }

  /** What the requests to a path said, in order. */
  List<JsonNode> calls(String path) {
    return platform.requests().stream()
        .filter(request -> request.method().equals("POST") && matches(request, path))
        .map(request -> Json.tree(Json.readObject(request.text())))
        .toList();
  }

  private Map<String, Object> user(String id, String name) {
    return Map.of("id", id, "username", name, "is_bot", id.equals(BOT) && bot);
  }

  private Reply byName(Request request) {
    return request.path().endsWith("/ann")
        ? json(200, user(ANN, "ann"))
        : error(404, "app.user.missing_account.const");
  }

  private Reply direct(Request request) {
    JsonNode both = Json.readArray(request.text());
    hold("createDirect", both);
    if (both == null || !both.path(0).asString().equals(BOT)) {
      return error(400, "api.context.invalid_body_param.app_error");
    }
    String channel = id("dm" + both.path(1).asString().substring(0, 3));
    channels.put(channel, "D");
    return json(201, Map.of("id", channel, "type", "D"));
  }

  private Reply upload(Request request) {
    FormData form = FormData.read(request);
    String id = id("file" + (files.size() + 1));
    files.put(id, form.file("files"));
    return json(
        201,
        Map.of(
            "file_infos",
            List.of(Map.of("id", id, "name", form.file("files").filename())),
            "client_ids",
            List.of()));
  }

  private long millis() {
    lastMillis = Math.max(lastMillis + 1, clock.instant().toEpochMilli());
    return lastMillis;
  }

  /** Somebody posts. */
  Map<String, Object> add(String channel, String user, String text, Map<String, ?> more) {
    Map<String, Object> post = new LinkedHashMap<>();
    long now = millis();
    post.put("id", id("post" + (posts.size() + 1) + "x"));
    post.put("create_at", now);
    post.put("update_at", now);
    post.put("edit_at", 0);
    post.put("delete_at", 0);
    post.put("user_id", user);
    post.put("channel_id", channel);
    post.put("root_id", "");
    post.put("message", text);
    post.put("type", "");
    post.put("props", Map.of());
    post.putAll(more);
    posts.add(post);
    return post;
  }

  /** Posts as if the request had come, whatever becomes of the answer. */
  Reply post(Request request) {
    JsonNode body = Json.readObject(request.text());
    hold("createPost", body);
    String channel = body.path("channel_id").asString("");
    String key = body.path("pending_post_id").asString("");
    if (!channels.containsKey(channel)) {
      return error(403, "api.context.permissions.app_error");
    }
    Pending known = pending.get(key);
    if (known != null && clock.instant().isBefore(known.until)) {
      return json(201, find(known.post));
    }
    String root = body.path("root_id").asString("");
    Map<String, Object> first = find(root);
    if (!root.isEmpty() && (first == null || !"".equals(first.get("root_id")))) {
      return error(400, "api.post.create_post.root_id.app_error");
    }
    List<String> shown = new ArrayList<>();
    Map<String, Object> post =
        add(
            channel,
            BOT,
            body.path("message").asString(""),
            Map.of("root_id", root, "props", Json.map(body.path("props"))));
    for (JsonNode file : body.path("file_ids").values()) {
      if (files.containsKey(file.asString()) && owners.putIfAbsent(file.asString(), post) == null) {
        shown.add(file.asString());
      }
    }
    post.put("file_ids", shown);
    pending.put(key, new Pending(String.valueOf(post.get("id")), clock.instant().plus(PENDING)));
    hold("post", Json.tree(post));
    return json(201, post);
  }

  private Reply whisper(Request request) {
    if (!whispering) {
      return error(403, "api.context.permissions.app_error");
    }
    whispers.add(Json.readObject(request.text()));
    hold("createEphemeral", whispers.getLast());
    return json(201, Map.of("id", id("whisper" + whispers.size())));
  }

  private Reply one(Request request) {
    Map<String, Object> post = find(request.path().substring("/api/v4/posts/".length()));
    return post == null ? error(404, "app.post.get.app_error") : json(200, post);
  }

  private @Nullable Map<String, Object> find(String id) {
    return posts.stream().filter(post -> post.get("id").equals(id)).findFirst().orElse(null);
  }

  private Reply myChannels() {
    if (old) {
      return error(404, "api.context.404.app_error");
    }
    Reply.Answer answer = json(200, channels());
    return date == null ? answer : answer.header("Date", date);
  }

  private List<Map<String, Object>> channels() {
    List<Map<String, Object>> all = new ArrayList<>();
    channels.forEach(
        (id, type) ->
            all.add(
                Map.of(
                    "id",
                    id,
                    "type",
                    type,
                    "last_post_at",
                    in(id).mapToLong(post -> (long) post.get("create_at")).max().orElse(0))));
    return all;
  }

  private java.util.stream.Stream<Map<String, Object>> in(String channel) {
    return List.copyOf(posts).stream().filter(post -> post.get("channel_id").equals(channel));
  }

  private Reply list(Request request) {
    URI uri = URI.create(request.path());
    Map<String, String> query = query(uri);
    String channel = uri.getPath().split("/")[4];
    if (limited.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return Reply.text(429, "text/plain", "limit exceeded\n").header("Retry-After", "7");
    }
    if (channel.equals(unreadable)) {
      return error(500, "app.post.get_root_posts.app_error");
    }
    if (channel.equals(forbidden)) {
      return error(403, "api.context.permissions.app_error");
    }
    List<Map<String, Object>> found = new ArrayList<>(in(channel).toList().reversed());
    if (query.containsKey("since")) {
      long since = Long.parseLong(query.get("since"));
      found.removeIf(post -> (long) post.get("update_at") <= since);
      found = found.subList(0, Math.min(MOST_SINCE, found.size()));
    } else {
      String before = query.get("before");
      if (before != null) {
        found = found.subList(found.indexOf(find(before)) + 1, found.size());
      }
      int page = Integer.parseInt(query.getOrDefault("per_page", "60"));
      found = found.subList(0, Math.min(page, found.size()));
    }
    Map<String, Object> byId = new LinkedHashMap<>();
    found.forEach(post -> byId.put(String.valueOf(post.get("id")), post));
    return json(200, Map.of("order", byId.keySet(), "posts", byId));
  }

  private static Map<String, String> query(URI uri) {
    Map<String, String> query = new HashMap<>();
    if (uri.getRawQuery() != null) {
      for (String pair : uri.getRawQuery().split("&")) {
        String[] both = pair.split("=", 2);
        query.put(both[0], URLDecoder.decode(both[1], StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  @Override
  public void close() {
    platform.close();
    assertThat(breaches).as("as Mattermost describes it").isEmpty();
  }
}
