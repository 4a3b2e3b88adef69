package dev.postrider.channels.process;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.PendingAnswers;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * JSON-RPC 2.0, a message a line, over anything that carries lines: a child process or a socket.
 * Whoever reads the lines hands each to {@link #heard}, which gives back what nobody has asked for.
 * Thread-safe.
 */
public final class JsonRpc {

  /** Writes one line. */
  @FunctionalInterface
  public interface Wire {
    void say(String line) throws IOException;
  }

  /** The result of a call. */
  public sealed interface Answer {
    record Result(JsonNode value) implements Answer {}

    /** The other side refused; it has said why. */
    record Refused(int code, String message, JsonNode data) implements Answer {}

    /** Nothing was asked. */
    record NotAsked(String cause) implements Answer {}

    /** It was asked and no answer came: it may have been done. */
    record Unknown(String cause) implements Answer {}
  }

  /** What the other side tells by itself. */
  public record Notification(String method, JsonNode params) {}

  private final Wire wire;
  private final Scheduler time;
  private final PendingAnswers<JsonNode> pending;

  public JsonRpc(Wire wire, Scheduler time) {
    this.wire = wire;
    this.time = time;
    this.pending = new PendingAnswers<>(time);
  }

  /** Asks, and waits for the answer. */
  public Answer call(String method, Map<String, ?> params, Duration patience) {
    PendingAnswers.Question<JsonNode> question = pending.ask(patience);
    if (question.end().getNow(null) instanceof End.Lost<JsonNode>(String cause)) {
      return new Answer.NotAsked(cause);
    }
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("id", question.id());
    message.put("method", method);
    message.put("params", params);
    try {
      wire.say(Json.write(message));
    } catch (IOException e) {
      // Part of the line may have gone out, but a line without its end asks nothing.
      question.end().complete(new End.Lost<>("not asked"));
      return new Answer.NotAsked(String.valueOf(e.getMessage()));
    }
    return switch (time.await(question.end())) {
      case End.Answered<JsonNode>(JsonNode answer) -> read(answer);
      case End.TimedOut<JsonNode>(Duration waited) ->
          new Answer.Unknown("no answer to " + method + " within " + waited.toMillis() + " ms");
      case End.Lost<JsonNode>(String cause) -> new Answer.Unknown(cause);
    };
  }

  private static Answer read(JsonNode answer) {
    JsonNode error = answer.path("error");
    return error.isObject()
        ? new Answer.Refused(
            error.path("code").asInt(0), error.path("message").asString(""), error.path("data"))
        : new Answer.Result(answer.path("result"));
  }

  /**
   * Takes a line: an answer goes to whoever waits for it, a notification is given back. Null for
   * everything else, and for what is no JSON, as programs write when they start.
   */
  public @Nullable Notification heard(String line) {
    JsonNode message = Json.readObject(line);
    if (message == null) {
      return null;
    }
    String method = message.path("method").asString("");
    if (!method.isEmpty()) {
      return new Notification(method, message.path("params"));
    }
    pending.answered(message.path("id").asString(""), message);
    return null;
  }

  /** The connection is gone: whoever waits, waits in vain, and nothing more can be asked. */
  public void lost(String cause) {
    pending.lost(cause);
  }
}
