package dev.postrider.server.api.message;

import dev.postrider.message.InvalidMessage;
import dev.postrider.message.Message;
import dev.postrider.server.api.FieldError;
import dev.postrider.server.api.FieldReader;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What is said in return to an inbound message: {@code {"replies": […]}}, where a reply is a text,
 * or a message that names neither account nor chat.
 */
public final class ReplyDrafts {
  private static final String FIELD = "replies";

  private final Supplier<Message.Builder> turn;
  private final boolean othersToo;
  private final List<Message> replies = new ArrayList<>();
  private final List<FieldError> errors = new ArrayList<>();

  private ReplyDrafts(Supplier<Message.Builder> turn, boolean othersToo) {
    this.turn = turn;
    this.othersToo = othersToo;
  }

  /**
   * Reads an object.
   *
   * @param turn begins a message to where the inbound message came from
   * @param othersToo whether it may hold other fields, which mean nothing
   * @throws HttpProblem if it is not JSON, or naming every field that is wrong
   */
  public static List<Message> read(byte[] body, Supplier<Message.Builder> turn, boolean othersToo) {
    ReplyDrafts reading = new ReplyDrafts(turn, othersToo);
    try (JsonParser parser = Json.parser(body, 0, body.length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw HttpProblem.malformed(
            "The body is not a JSON object; send one like {\"replies\": [\"hello\"]}.");
      }
      reading.object(parser);
      if (parser.nextToken() != null) {
        throw HttpProblem.malformed("The body goes on after the end of the JSON object.");
      }
    } catch (JacksonException e) {
      throw HttpProblem.malformed(e);
    }
    if (!reading.errors.isEmpty()) {
      throw HttpProblem.invalid(reading.errors);
    }
    return reading.replies;
  }

  private void object(JsonParser parser) {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken token = parser.nextToken();
      if (name.equals(FIELD) && token == JsonToken.START_ARRAY) {
        list(parser);
      } else {
        if (name.equals(FIELD) && token != JsonToken.VALUE_NULL) {
          errors.add(new FieldError(name, "must be a list, such as [\"hello\"]"));
        } else if (!name.equals(FIELD) && !othersToo) {
          errors.add(new FieldError(name, "is not known; there is 'replies'"));
        }
        parser.skipChildren();
      }
    }
  }

  private void list(JsonParser parser) {
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      FieldReader reader = new FieldReader(parser);
      String at = FIELD + "[" + i + "]";
      try {
        @Nullable Message reply = reply(reader);
        if (reply != null) {
          replies.add(reply);
        }
      } catch (InvalidMessage e) {
        reader.errors.add(new FieldError(e.field(), String.valueOf(e.getMessage())));
      }
      reader.errors.forEach(
          error ->
              errors.add(
                  new FieldError(
                      error.field().isEmpty() ? at : at + "." + error.field(), error.message())));
    }
  }

  private @Nullable Message reply(FieldReader reader) {
    @Nullable MessageDraft draft =
        switch (reader.parser.currentToken()) {
          case VALUE_STRING -> MessageDraft.text(reader.parser.getString());
          case START_OBJECT -> MessageDraft.read(reader);
          default -> {
            reader.wrong("", "must be a text, or a message such as {\"text\": \"hello\"}");
            yield null;
          }
        };
    return draft == null ? null : draft.replying(reader, turn.get());
  }
}
