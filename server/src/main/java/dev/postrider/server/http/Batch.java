package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.Submission;
import dev.postrider.message.Message;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Many messages at once, a line each. They are handed in together, so that one commit can hold many
 * of them; a line that is wrong is answered with its problem and does not disturb the others.
 */
final class Batch {
  private static final List<String> TYPES =
      List.of(Json.LINES, "application/ndjson", "application/jsonl");

  private final Life life;
  private final long bodyLimit;
  private final long batchLimit;

  Batch(Life life, long bodyLimit, long batchLimit) {
    this.life = life;
    this.bodyLimit = bodyLimit;
    this.batchLimit = batchLimit;
  }

  /** A line: its number, and either a message or what is wrong with it. */
  private record Line(int number, @Nullable Message message, @Nullable HttpProblem problem) {}

  Answer send(Call call) {
    Postrider postrider = life.postrider();
    byte[] body = call.body(batchLimit, "http.batchLimit", TYPES);
    List<Line> lines = lines(body, MessageJson.turns(postrider));
    List<Message> messages = new ArrayList<>(lines.size());
    for (Line line : lines) {
      if (line.message() != null) {
        messages.add(line.message());
      }
    }
    var results = postrider.sendAll(messages).iterator();
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 * lines.size() + 1);
    for (Line line : lines) {
      byte[] answer =
          line.problem() != null
              ? problem(line, line.problem())
              : switch (results.next()) {
                case Submission.Sent sent ->
                    Json.object(
                        json ->
                            MessageJson.write(
                                json, sent.delivery().message(), List.of(), postrider.durable()));
                case Submission.NotSent refused -> problem(line, HttpProblem.of(refused.refusal()));
              };
      out.writeBytes(answer);
      out.write('\n');
    }
    return new Answer.Whole(200, Json.LINES, out.toByteArray(), Map.of());
  }

  private static byte[] problem(Line line, HttpProblem problem) {
    return Json.object(
        json -> {
          json.writeNumberProperty("line", line.number());
          problem.write(json);
        });
  }

  private List<Line> lines(byte[] body, MessageDraft.Turns turns) {
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (int start = 0; start < body.length; ) {
      int end = start;
      while (end < body.length && body[end] != '\n') {
        end++;
      }
      number++;
      if (!isBlank(body, start, end)) {
        lines.add(line(number, body, start, end - start, turns));
      }
      start = end + 1;
    }
    return lines;
  }

  private static boolean isBlank(byte[] body, int start, int end) {
    for (int i = start; i < end; i++) {
      if (body[i] > ' ' || body[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private Line line(int number, byte[] body, int offset, int length, MessageDraft.Turns turns) {
    if (length > bodyLimit) {
      return new Line(number, null, HttpProblem.tooLarge("The line", bodyLimit, "http.bodyLimit"));
    }
    try {
      return new Line(number, MessageJson.read(body, offset, length, turns), null);
    } catch (HttpProblem e) {
      return new Line(number, null, e);
    }
  }
}
