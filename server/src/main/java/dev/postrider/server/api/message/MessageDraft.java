package dev.postrider.server.api.message;

import dev.postrider.message.DispatchKind;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.problem.InvalidInput;
import dev.postrider.reminder.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message as it was written. One that names neither account nor chat goes to where its turn came
 * from; then what it says of thread, quote and session goes before what the turn says.
 */
public final class MessageDraft {
  public static final List<String> FIELDS =
      List.of(
          "account",
          "to",
          "text",
          "format",
          "media",
          "threadId",
          "replyToId",
          "silent",
          "channelData",
          "idempotencyKey",
          "ordering",
          "priority",
          "sendAt",
          "expiresIn",
          "maxAttempts",
          "bestEffort",
          "onUnknown",
          "sessionId",
          "turnId",
          "leaseId",
          "dispatchKind",
          "metadata",
          "traceparent");

  private final JsonFields fields;

  /** A message whose fields may be anything; what is wrong goes to their problems. */
  MessageDraft(JsonFields fields) {
    this.fields = fields.only(FIELDS);
  }

  /** Knows where a turn came from: a message to there, or nothing if there is no such turn. */
  @FunctionalInterface
  interface Turns {
    Optional<Message.Builder> replyTo(String turnId);
  }

  /**
   * The message.
   *
   * @throws InvalidInput naming every field that is wrong
   */
  Message complete(Turns turns) {
    String account = fields.text("account");
    String to = fields.text("to");
    String turnId = fields.text("turnId");
    if (account == null && to == null && turnId != null) {
      Optional<Message.Builder> reply = turns.replyTo(turnId);
      if (reply.isEmpty()) {
        fields.wrong("turnId", "is not known; give account and to, or the id of a turn");
      }
      return built(inTurn(reply.orElseGet(() -> Message.to("", ""))));
    }
    for (String needed : List.of("account", "to")) {
      if (!fields.has(needed)) {
        fields.wrong(needed, "is missing");
      }
    }
    return built(
        Message.to(String.valueOf(account), String.valueOf(to))
            .threadId(fields.text("threadId"))
            .replyToId(fields.text("replyToId"))
            .sessionId(fields.text("sessionId"))
            .turnId(turnId));
  }

  /**
   * The message as a reply, which goes to where its turn came from and nowhere else.
   *
   * @throws InvalidInput naming every field that is wrong
   */
  Message replying(Message.Builder turn) {
    Stream.of("account", "to", "turnId", "leaseId")
        .filter(fields::has)
        .findFirst()
        .ifPresent(
            field ->
                fields.wrong(
                    field,
                    "must be left out: a reply goes to where its message came from;"
                        + " POST /v1/messages sends elsewhere"));
    return built(inTurn(turn));
  }

  /**
   * Another message with the changes that are said: a field that is null, or empty, is taken away.
   * What belongs to the chat it was for (thread, quote) stays there if it goes to another one.
   *
   * @throws InvalidInput naming every field that is wrong
   */
  Message changed(Message old) {
    for (String field : List.of("turnId", "leaseId")) {
      if (fields.mentions(field)) {
        fields.wrong(field, "cannot be changed: what is sent again stays in its turn");
      }
    }
    String account = fields.filled("account", old.account());
    String to = fields.filled("to", old.to());
    Message.Builder message = old.toBuilder(account, to).idempotencyKey(null).sendAt(null);
    if (!account.equals(old.account()) || !to.equals(old.to())) {
      message.threadId(null).replyToId(null);
    }
    change("text", JsonFields::text, message::text);
    change("threadId", JsonFields::text, message::threadId);
    change("replyToId", JsonFields::text, message::replyToId);
    change("sessionId", JsonFields::text, message::sessionId);
    change("idempotencyKey", JsonFields::text, message::idempotencyKey);
    change("sendAt", JsonFields::instant, message::sendAt);
    change("expiresIn", JsonFields::duration, message::expiresIn);
    change("maxAttempts", JsonFields::number, message::maxAttempts);
    change("channelData", JsonFields::map, message::channelData);
    change("metadata", JsonFields::map, message::metadata);
    change("traceparent", JsonFields::text, message::traceparent);
    if (fields.mentions("media")) {
      message.media(files());
    }
    message
        .format(fields.word("format", Format.class, old.format()))
        .silent(fields.flag("silent", old.silent()))
        .ordering(fields.word("ordering", Ordering.class, old.ordering()))
        .priority(fields.word("priority", Priority.class, old.priority()))
        .bestEffort(fields.flag("bestEffort", old.bestEffort()));
    if (fields.mentions("onUnknown")) {
      message.onUnknown(fields.word("onUnknown", OnUnknown.class));
    }
    if (fields.mentions("dispatchKind")) {
      message.dispatchKind(fields.word("dispatchKind", DispatchKind.class));
    }
    fields.problems().refuse();
    return message.build();
  }

  private <T extends @Nullable Object> void change(
      String field, BiFunction<JsonFields, String, T> read, Consumer<T> set) {
    if (fields.mentions(field)) {
      set.accept(read.apply(fields, field));
    }
  }

  private List<Media> files() {
    List<Media> media = fields.media();
    JsonFields.noLocalFiles("", media, fields.problems());
    return media;
  }

  /** What is said goes before what the turn says; what is said to be empty is left out. */
  private Message.Builder inTurn(Message.Builder turn) {
    said("threadId", turn::threadId);
    said("replyToId", turn::replyToId);
    said("sessionId", turn::sessionId);
    return turn;
  }

  private void said(String field, Consumer<@Nullable String> set) {
    String text = fields.text(field);
    if (text != null) {
      set.accept(text.isEmpty() ? null : text);
    }
  }

  private Message built(Message.Builder message) {
    message
        .text(fields.text("text"))
        .format(fields.word("format", Format.class, Format.MARKDOWN))
        .media(files())
        .silent(fields.flag("silent", false))
        .channelData(fields.map("channelData"))
        .idempotencyKey(fields.text("idempotencyKey"))
        .ordering(fields.word("ordering", Ordering.class, Ordering.FIFO))
        .priority(fields.word("priority", Priority.class, Priority.LIVE))
        .sendAt(fields.instant("sendAt"))
        .expiresIn(fields.duration("expiresIn"))
        .maxAttempts(fields.number("maxAttempts"))
        .bestEffort(fields.flag("bestEffort", false))
        .onUnknown(fields.word("onUnknown", OnUnknown.class))
        .leaseId(fields.uuid("leaseId"))
        .dispatchKind(fields.word("dispatchKind", DispatchKind.class))
        .metadata(fields.map("metadata"))
        .traceparent(fields.text("traceparent"));
    fields.problems().refuse();
    return message.build();
  }
}
