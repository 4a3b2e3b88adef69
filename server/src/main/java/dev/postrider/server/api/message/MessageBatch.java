package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.SendResult;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Many messages at once, a line each. Lines are handed in by groups, so that one commit can hold
 * many of them, and only one group is in memory beside the body, as messages and as answers; a line
 * that is wrong is answered with its problem and does not disturb the others.
 */
public final class MessageBatch {
  private static final List<String> TYPES =
      List.of(Json.LINES, "application/ndjson", "application/jsonl");

  /** A group ends with the line that brings it to so many bytes, or to so many lines. */
  private static final int GROUP_BYTES = 1 << 20;

  private static final int GROUP_LINES = 2_000;

  private final EngineState engineState;
  private final long bodyLimit;
  private final long batchLimit;

  public MessageBatch(EngineState engineState, long bodyLimit, long batchLimit) {
    this.engineState = engineState;
    this.bodyLimit = bodyLimit;
    this.batchLimit = batchLimit;
  }

  /** A line: its number, and either a message or what is wrong with it. */
  private record Line(int number, @Nullable Message message, @Nullable HttpProblem problem) {}

  ApiResponse send(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Lines lines =
        new Lines(
            call.body(batchLimit, "http.batchLimit", TYPES),
            MessageJson.turns(postrider),
            call::traced);
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    handIn(postrider, lines.group(), first);
    if (lines.isAtEnd()) {
      return new ApiResponse.Whole(200, Json.LINES, first.toByteArray(), Map.of());
    }
    return new ApiResponse.Streamed(
        Json.LINES, Map.of(), out -> rest(postrider, lines, first, out));
  }

  /** Whoever hangs up while the answer is written has handed in all of it nevertheless. */
  private static void rest(
      Postrider postrider, Lines lines, ByteArrayOutputStream first, OutputStream out)
      throws IOException {
    ByteArrayOutputStream answers = first;
    @Nullable Exception hungUp = null;
    while (true) {
      if (hungUp == null) {
        try {
          answers.writeTo(out);
        } catch (IOException | RuntimeException e) {
          hungUp = e;
        }
      }
      if (lines.isAtEnd()) {
        break;
      }
      answers = new ByteArrayOutputStream();
      handIn(postrider, lines.group(), answers);
    }
    switch (hungUp) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(hungUp);
    }
  }

  private static void handIn(Postrider postrider, List<Line> lines, ByteArrayOutputStream out) {
    List<Message> messages = new ArrayList<>(lines.size());
    for (Line line : lines) {
      if (line.message() != null) {
        messages.add(line.message());
      }
    }
    Iterator<SendResult> results = sendAll(postrider, messages).iterator();
    for (Line line : lines) {
      byte[] answer =
          line.problem() != null
              ? problem(line, line.problem())
              : switch (results.next()) {
                case SendResult.Sent sent ->
                    Json.object(
                        json ->
                            MessageJson.write(
                                json, sent.delivery().message(), List.of(), postrider.durable()));
                case SendResult.NotSent refused -> problem(line, HttpProblem.of(refused.refusal()));
              };
      out.writeBytes(answer);
      out.write('\n');
    }
  }

  /** What befalls a whole group is said of each of its lines; those before it are answered. */
  private static List<SendResult> sendAll(Postrider postrider, List<Message> messages) {
    try {
      return postrider.sendAll(messages);
    } catch (StoreUnavailable e) {
      return refused(messages, Refused.Cause.UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (StoreClosed e) {
      return refused(messages, Refused.Cause.STOPPING, "The server is stopping.");
    }
  }

  private static List<SendResult> refused(List<Message> all, Refused.Cause cause, String why) {
    Refused refusal = new Refused(cause, why);
    return all.stream().<SendResult>map(_ -> new SendResult.NotSent(refusal)).toList();
  }

  private static byte[] problem(Line line, HttpProblem problem) {
    return Json.object(
        json -> {
          json.writeNumberProperty("line", line.number());
          problem.write(json);
        });
  }

  /** The lines of a body, read as they are wanted. */
  private final class Lines {
    private final byte[] body;
    private final MessageDraft.Turns turns;
    private final UnaryOperator<Message> traced;
    private int at;
    private int number;

    Lines(byte[] body, MessageDraft.Turns turns, UnaryOperator<Message> traced) {
      this.body = body;
      this.turns = turns;
      this.traced = traced;
    }

    boolean isAtEnd() {
      return at >= body.length;
    }

    List<Line> group() {
      List<Line> lines = new ArrayList<>();
      int began = at;
      while (!isAtEnd() && at - began < GROUP_BYTES && lines.size() < GROUP_LINES) {
        int end = at;
        while (end < body.length && body[end] != '\n') {
          end++;
        }
        number++;
        if (!isBlank(at, end)) {
          lines.add(line(at, end - at));
        }
        at = end + 1;
      }
      return lines;
    }

    private boolean isBlank(int start, int end) {
      for (int i = start; i < end; i++) {
        if (body[i] > ' ' || body[i] < 0) {
          return false;
        }
      }
      return true;
    }

    private Line line(int offset, int length) {
      if (length > bodyLimit) {
        return new Line(
            number, null, HttpProblem.tooLarge("The line", bodyLimit, "http.bodyLimit"));
      }
      try {
        Message message = MessageJson.read(body, offset, length, turns);
        return new Line(number, traced.apply(message), null);
      } catch (HttpProblem e) {
        return new Line(number, null, e);
      }
    }
  }
}
