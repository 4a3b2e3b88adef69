package dev.postrider.testkit.platform;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Telegram that gives every chat its own rising message ids and keeps what it delivered. A
 * message counts as delivered the moment its request was read, even if the answer then gets lost.
 * Thread-safe.
 */
public final class FakeTelegram implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final FakePlatform platform;
  private final Journal<Delivery> deliveries = new Journal<>();
  private final Journal<Uploaded> uploads = new Journal<>();
  private final Set<String> known = ConcurrentHashMap.newKeySet(); // kind:file id
  private final Map<String, AtomicLong> lastIds = new ConcurrentHashMap<>();
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private volatile Script script = (_, _) -> null;

  /**
   * One message that a user of the platform can see.
   *
   * @param text the text, or the caption
   * @param media what it shows, as {@code kind:file id} or {@code kind:address}
   */
  public record Delivery(
      String chat, String text, long messageId, Instant at, List<String> media) {}

  /** Bytes that were brought to the platform. */
  public record Uploaded(String fileId, String kind, String filename, long size) {}

  /** What happens to one message instead of being delivered and answered. */
  public sealed interface Step {
    /** Not delivered, and this is the answer. */
    record Refuse(Reply answer) implements Step {}

    /** Delivered, and this is all the client gets to know of it. */
    record Lose(Reply answer) implements Step {}
  }

  /** Decides per message; null delivers it in the ordinary way. */
  @FunctionalInterface
  public interface Script {
    @Nullable Step next(String chat, String text);
  }

  private FakeTelegram(FakePlatform platform) {
    this.platform = platform;
    platform.otherwise(this::reply);
  }

  public static FakeTelegram start() {
    return new FakeTelegram(FakePlatform.start());
  }

  public static FakeTelegram start(int port) {
    return new FakeTelegram(FakePlatform.start(port));
  }

  public FakePlatform platform() {
    return platform;
  }

  public String baseUrl() {
    return platform.baseUrl();
  }

  /** The next messages, one each, are not delivered and get these answers. */
  public FakeTelegram refuse(Reply... answers) {
    for (Reply answer : answers) {
      steps.add(new Step.Refuse(answer));
    }
    return this;
  }

  /** The next messages, one each, are delivered, but this is what the client hears. */
  public FakeTelegram lose(Reply... answers) {
    for (Reply answer : answers) {
      steps.add(new Step.Lose(answer));
    }
    return this;
  }

  /** Decides over the messages for which neither {@link #refuse} nor {@link #lose} is left. */
  public FakeTelegram script(Script decides) {
    script = decides;
    return this;
  }

  public List<Delivery> deliveries() {
    return deliveries.all();
  }

  public int deliveryCount() {
    return deliveries.size();
  }

  /** Waits until so many messages were delivered in all. */
  public List<Delivery> awaitDeliveries(int count, Duration atMost) {
    return deliveries.await(count, atMost);
  }

  public List<Uploaded> uploads() {
    return uploads.all();
  }

  /** From now on the platform does not know what it called bytes before. */
  public void forgetFiles() {
    known.clear();
  }

  private Reply reply(Request request) {
    String method = request.path().substring(request.path().lastIndexOf('/') + 1);
    return switch (method) {
      case "sendMessage",
          "sendPhoto",
          "sendVideo",
          "sendAnimation",
          "sendAudio",
          "sendVoice",
          "sendDocument",
          "sendMediaGroup" ->
          send(method.substring("send".length()).toLowerCase(Locale.ROOT), request);
      case "getMe" ->
          Reply.json(
              200, "{\"ok\":true,\"result\":{\"id\":1,\"is_bot\":true,\"username\":\"fake_bot\"}}");
      default -> error(404, "Not Found");
    };
  }

  private Reply send(String kind, Request request) {
    FormData form;
    try {
      form = FormData.read(request);
    } catch (JacksonException e) {
      return error(400, "Bad Request: can't parse request JSON");
    }
    String chat = form.field("chat_id").asString("");
    List<JsonNode> items = items(kind, form);
    String text =
        kind.equals("message")
            ? form.field("text").asString("")
            : items.getFirst().path("caption").asString("");
    Step queued = steps.poll();
    Step step = queued == null ? script.next(chat, text) : queued;
    if (step instanceof Step.Refuse(Reply answer)) {
      return answer;
    }
    List<String> media = new ArrayList<>();
    for (JsonNode item : items) {
      String file = stored(item.path("type").asString(), item.path("media").asString(), form);
      if (file == null) {
        return error(400, "Bad Request: wrong remote file identifier specified: not mine");
      }
      media.add(item.path("type").asString() + ":" + file);
    }
    Delivery delivery = deliver(chat, text, request.arrived(), media);
    return step instanceof Step.Lose(Reply answer)
        ? answer
        : delivered(delivery, kind.equals("mediagroup"));
  }

  /** What a request shows besides text, in the form of an album's items. */
  private static List<JsonNode> items(String kind, FormData form) {
    return switch (kind) {
      case "message" -> List.of();
      case "mediagroup" -> form.field("media").valueStream().toList();
      default ->
          List.of(
              JSON.createObjectNode()
                  .put("type", kind)
                  .put("media", form.field(kind).asString(""))
                  .put("caption", form.field("caption").asString("")));
    };
  }

  /** What the platform calls a file from now on; null if it does not know it. */
  private @Nullable String stored(String kind, String media, FormData form) {
    if (media.startsWith("http://") || media.startsWith("https://")) {
      return media;
    }
    if (!media.startsWith("attach://")) {
      return known.contains(kind + ":" + media) ? media : null;
    }
    FormData.File file = form.file(media.substring("attach://".length()));
    String id = "file-" + (uploads.size() + 1);
    known.add(kind + ":" + id);
    uploads.add(new Uploaded(id, kind, file.filename(), file.bytes().length));
    return id;
  }

  private Delivery deliver(String chat, String text, Instant at, List<String> media) {
    long id =
        lastIds.computeIfAbsent(chat, _ -> new AtomicLong()).addAndGet(Math.max(1, media.size()));
    Delivery delivery = new Delivery(chat, text, id - Math.max(0, media.size() - 1), at, media);
    deliveries.add(delivery);
    return delivery;
  }

  private static Reply delivered(Delivery delivery, boolean album) {
    List<ObjectNode> messages = new ArrayList<>();
    for (int i = 0; i < Math.max(1, delivery.media().size()); i++) {
      ObjectNode message = JSON.createObjectNode();
      message.put("message_id", delivery.messageId() + i);
      message.put("date", delivery.at().getEpochSecond());
      if (!delivery.media().isEmpty()) {
        String[] file = delivery.media().get(i).split(":", 2);
        ObjectNode shown = JSON.createObjectNode().put("file_id", file[1]);
        message.set(file[0], file[0].equals("photo") ? JSON.createArrayNode().add(shown) : shown);
      }
      messages.add(message);
    }
    ObjectNode answer = JSON.createObjectNode().put("ok", true);
    answer.set("result", album ? JSON.valueToTree(messages) : messages.getFirst());
    return Reply.json(200, answer.toString());
  }

  public static Reply.Answer error(int code, String description) {
    return Reply.json(
        code,
        JSON.writeValueAsString(
            Map.of("ok", false, "error_code", code, "description", description)));
  }

  public static Reply.Answer tooManyRequests(int retryAfterSeconds) {
    return Reply.json(
            429,
            """
            {"ok":false,"error_code":429,"description":"Too Many Requests: retry after %1$d",\
            "parameters":{"retry_after":%1$d}}"""
                .formatted(retryAfterSeconds))
        .header("Retry-After", Integer.toString(retryAfterSeconds));
  }

  public static Reply.Answer migratedTo(long chat) {
    return Reply.json(
        400,
        """
        {"ok":false,"error_code":400,\
        "description":"Bad Request: group chat was upgraded to a supergroup chat",\
        "parameters":{"migrate_to_chat_id":%d}}"""
            .formatted(chat));
  }

  public static Reply.Answer blocked() {
    return error(403, "Forbidden: bot was blocked by the user");
  }

  public static Reply.Answer unparsable() {
    return error(400, "Bad Request: can't parse entities: Unsupported start tag \"x\"");
  }

  public static Reply.Answer unauthorized() {
    return error(401, "Unauthorized");
  }

  @Override
  public void close() {
    platform.close();
  }
}
