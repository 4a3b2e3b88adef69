package dev.postrider.testkit.platform;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Telegram that gives every chat its own rising message ids and keeps what it delivered. A
 * message counts as delivered the moment its request was read, even if the answer then gets lost.
 * Thread-safe.
 */
public final class FakeTelegram implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final FakePlatform platform;
  private final Journal<Delivery> deliveries = new Journal<>();
  private final Map<String, AtomicLong> lastIds = new ConcurrentHashMap<>();
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private volatile Script script = (_, _) -> null;

  /** One message that a user of the platform can see. */
  public record Delivery(String chat, String text, long messageId, Instant at) {}

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

  private Reply reply(Request request) {
    String method = request.path().substring(request.path().lastIndexOf('/') + 1);
    return switch (method) {
      case "sendMessage" -> send(request);
      case "getMe" ->
          Reply.json(
              200, "{\"ok\":true,\"result\":{\"id\":1,\"is_bot\":true,\"username\":\"fake_bot\"}}");
      default -> error(404, "Not Found");
    };
  }

  private Reply send(Request request) {
    JsonNode body;
    try {
      body = JSON.readTree(request.body());
    } catch (JacksonException e) {
      return error(400, "Bad Request: can't parse request JSON");
    }
    String chat = body.path("chat_id").asString("");
    String text = body.path("text").asString("");
    Step queued = steps.poll();
    return switch (queued == null ? script.next(chat, text) : queued) {
      case null -> delivered(deliver(chat, text, request.arrived()));
      case Step.Refuse(Reply answer) -> answer;
      case Step.Lose(Reply answer) -> {
        deliver(chat, text, request.arrived());
        yield answer;
      }
    };
  }

  private Delivery deliver(String chat, String text, Instant at) {
    long id = lastIds.computeIfAbsent(chat, _ -> new AtomicLong()).incrementAndGet();
    Delivery delivery = new Delivery(chat, text, id, at);
    deliveries.add(delivery);
    return delivery;
  }

  private static Reply delivered(Delivery delivery) {
    return Reply.json(
        200,
        "{\"ok\":true,\"result\":{\"message_id\":%d,\"date\":%d}}"
            .formatted(delivery.messageId(), delivery.at().getEpochSecond()));
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
