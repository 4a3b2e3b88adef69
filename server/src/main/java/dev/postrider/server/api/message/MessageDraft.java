package dev.postrider.server.api.message;

import dev.postrider.message.DispatchKind;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.server.api.FieldReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

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
          "metadata");

  private @Nullable String account;
  private @Nullable String to;
  private @Nullable String text;
  private Format format = Format.MARKDOWN;
  private List<Media> media = List.of();
  private @Nullable String threadId;
  private @Nullable String replyToId;
  private boolean silent;
  private Map<String, @Nullable Object> channelData = Map.of();
  private @Nullable String idempotencyKey;
  private Ordering ordering = Ordering.FIFO;
  private Priority priority = Priority.LIVE;
  private @Nullable Instant sendAt;
  private @Nullable Duration expiresIn;
  private @Nullable Integer maxAttempts;
  private boolean bestEffort;
  private @Nullable OnUnknown onUnknown;
  private @Nullable String sessionId;
  private @Nullable String turnId;
  private @Nullable UUID leaseId;
  private @Nullable DispatchKind dispatchKind;
  private Map<String, @Nullable Object> metadata = Map.of();

  private MessageDraft() {}

  /** Knows where a turn came from: a message to there, or nothing if there is no such turn. */
  @FunctionalInterface
  interface Turns {
    Optional<Message.Builder> replyTo(String turnId);
  }

  static MessageDraft text(String text) {
    MessageDraft draft = new MessageDraft();
    draft.text = text;
    return draft;
  }

  /** Reads an object whose beginning the parser has passed; the reader notes what is wrong. */
  static MessageDraft read(FieldReader reader) {
    MessageDraft draft = new MessageDraft();
    JsonParser parser = reader.parser;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      if (parser.nextToken() != JsonToken.VALUE_NULL || !FIELDS.contains(name)) { // null: not there
        draft.read(name, reader);
      }
    }
    return draft;
  }

  private void read(String name, FieldReader reader) {
    switch (name) {
      case "account" -> account = reader.text(name);
      case "to" -> to = reader.text(name);
      case "text" -> text = reader.text(name);
      case "format" -> format = reader.word(name, Format.class, format);
      case "media" -> media = MediaJson.read(reader);
      case "threadId" -> threadId = reader.text(name);
      case "replyToId" -> replyToId = reader.text(name);
      case "silent" -> silent = reader.flag(name);
      case "channelData" -> channelData = reader.map(name);
      case "idempotencyKey" -> idempotencyKey = reader.text(name);
      case "ordering" -> ordering = reader.word(name, Ordering.class, ordering);
      case "priority" -> priority = reader.word(name, Priority.class, priority);
      case "sendAt" -> sendAt = reader.instant(name);
      case "expiresIn" -> expiresIn = reader.duration(name);
      case "maxAttempts" -> maxAttempts = reader.count(name);
      case "bestEffort" -> bestEffort = reader.flag(name);
      case "onUnknown" -> onUnknown = reader.word(name, OnUnknown.class, OnUnknown.RESEND);
      case "sessionId" -> sessionId = reader.text(name);
      case "turnId" -> turnId = reader.text(name);
      case "leaseId" -> leaseId = reader.uuid(name);
      case "dispatchKind" ->
          dispatchKind = reader.word(name, DispatchKind.class, DispatchKind.FINAL);
      case "metadata" -> metadata = reader.map(name);
      default -> reader.unknown(name, name, FIELDS);
    }
  }

  /** The message, or null if something is missing, which the reader notes. */
  @Nullable Message complete(FieldReader reader, Turns turns) {
    Message.@Nullable Builder message = null;
    if (account != null && to != null) {
      message =
          Message.to(account, to)
              .threadId(threadId)
              .replyToId(replyToId)
              .sessionId(sessionId)
              .turnId(turnId);
    } else if (account == null && to == null && turnId != null) {
      message = turns.replyTo(turnId).map(this::inTurn).orElse(null);
      if (message == null) {
        reader.wrong("turnId", "is not known; give account and to, or the id of a turn");
      }
    } else {
      if (account == null) {
        reader.wrong("account", "is missing");
      }
      if (to == null) {
        reader.wrong("to", "is missing");
      }
    }
    return message == null || !reader.errors.isEmpty() ? null : onto(message).build();
  }

  /** The message as a reply, which goes to where its turn came from and nowhere else. */
  @Nullable Message replying(FieldReader reader, Message.Builder turn) {
    if (account != null || to != null || turnId != null || leaseId != null) {
      reader.wrong(
          account != null ? "account" : to != null ? "to" : turnId != null ? "turnId" : "leaseId",
          "must be left out: a reply goes to where its message came from; POST /v1/messages sends"
              + " elsewhere");
    }
    return reader.errors.isEmpty() ? onto(inTurn(turn)).build() : null;
  }

  /** What is said goes before what the turn says; what is said to be empty is left out. */
  private Message.Builder inTurn(Message.Builder turn) {
    if (threadId != null) {
      turn.threadId(threadId.isEmpty() ? null : threadId);
    }
    if (replyToId != null) {
      turn.replyToId(replyToId.isEmpty() ? null : replyToId);
    }
    if (sessionId != null) {
      turn.sessionId(sessionId.isEmpty() ? null : sessionId);
    }
    return turn;
  }

  private Message.Builder onto(Message.Builder message) {
    return message
        .text(text)
        .format(format)
        .media(media)
        .silent(silent)
        .channelData(channelData)
        .idempotencyKey(idempotencyKey)
        .ordering(ordering)
        .priority(priority)
        .sendAt(sendAt)
        .expiresIn(expiresIn)
        .maxAttempts(maxAttempts)
        .bestEffort(bestEffort)
        .onUnknown(onUnknown)
        .leaseId(leaseId)
        .dispatchKind(dispatchKind)
        .metadata(metadata);
  }
}
