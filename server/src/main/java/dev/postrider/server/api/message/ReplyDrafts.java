package dev.postrider.server.api.message;

import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is said in return to an inbound message: {@code {"replies": […]}}, where a reply is a text,
 * or a message that names neither account nor chat.
 */
public final class ReplyDrafts {
  private static final String FIELD = "replies";

  private ReplyDrafts() {}

  /**
   * Reads an object.
   *
   * @param turn begins a message to where the inbound message came from
   * @param othersToo whether it may hold other fields, which mean nothing
   * @throws HttpProblem if it is not JSON
   * @throws InvalidInput naming every field that is wrong
   */
  public static List<Message> read(byte[] body, Supplier<Message.Builder> turn, boolean othersToo) {
    JsonNode json = Json.read(body, 0, body.length, "{\"replies\": [\"hello\"]}");
    Problems problems = new Problems();
    if (!othersToo) {
      new JsonFields(json, "", problems).only(List.of(FIELD));
    }
    JsonNode list = json.path(FIELD);
    if (!list.isArray() && !list.isNull() && !list.isMissingNode()) {
      problems.add(FIELD, "must be a list, such as [\"hello\"]");
    }
    List<Message> replies = new ArrayList<>();
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      try {
        replies.add(reply(list.get(i), turn.get()));
      } catch (InvalidInput e) {
        problems.addUnder(FIELD + "[" + i + "]", e);
      }
    }
    problems.refuse();
    return replies;
  }

  private static Message reply(JsonNode reply, Message.Builder turn) {
    JsonNode message =
        reply.isString() ? JsonMapper.shared().createObjectNode().set("text", reply) : reply;
    if (!message.isObject()) {
      throw new InvalidInput("", "must be a text, or a message such as {\"text\": \"hello\"}");
    }
    return new MessageDraft(new JsonFields(message, "", new Problems())).replying(turn);
  }
}
