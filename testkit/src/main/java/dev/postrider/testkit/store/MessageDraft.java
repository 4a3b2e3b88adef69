package dev.postrider.testkit.store;

import dev.postrider.message.ContentHash;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes messages to be stored: accepted at noon, due at once, expiring a day later. */
final class MessageDraft {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Ids IDS = new Ids(InstantSource.fixed(NOON), new SplittableRandom(7));

  private final MessageId id = IDS.nextMessageId();
  private final Message.Builder content;
  private @Nullable Plan plan;
  private @Nullable Progress progress;
  private Instant createdAt = NOON;
  private @Nullable Instant dueAt;
  private @Nullable Instant expiresAt;
  private long maxLaneDepth = Long.MAX_VALUE;
  private @Nullable Reservation reservation;
  private @Nullable MessageId replayOf;
  private boolean possibleDuplicate;

  private MessageDraft(Message.Builder content) {
    this.content = content;
  }

  static MessageDraft to(String account, String chat) {
    return new MessageDraft(Message.to(account, chat).text("hello"));
  }

  static MessageDraft of(Message message) {
    return new MessageDraft(message.toBuilder());
  }

  static MessageId nextId() {
    return IDS.nextMessageId();
  }

  MessageId id() {
    return id;
  }

  Instant createdAt() {
    return createdAt;
  }

  MessageDraft text(String value) {
    content.text(value);
    return this;
  }

  MessageDraft with(Consumer<Message.Builder> change) {
    change.accept(content);
    return this;
  }

  MessageDraft bulk() {
    content.priority(Priority.BULK);
    return this;
  }

  MessageDraft unordered() {
    content.ordering(Ordering.NONE);
    return this;
  }

  MessageDraft key(String value) {
    content.idempotencyKey(value);
    return this;
  }

  MessageDraft lease(@Nullable UUID value) {
    content.leaseId(value);
    return this;
  }

  MessageDraft plan(Part... parts) {
    plan = new Plan(id, List.of(parts));
    return this;
  }

  MessageDraft plan(Plan value) {
    plan = value;
    return this;
  }

  MessageDraft progress(Progress value) {
    progress = value;
    return this;
  }

  MessageDraft at(Instant value) {
    createdAt = value;
    return this;
  }

  MessageDraft due(Instant value) {
    dueAt = value;
    return this;
  }

  MessageDraft expires(Instant value) {
    expiresAt = value;
    return this;
  }

  MessageDraft laneHolds(long most) {
    maxLaneDepth = most;
    return this;
  }

  MessageDraft reserve(Reservation value) {
    reservation = value;
    return this;
  }

  MessageDraft replays(MessageId dead) {
    replayOf = dead;
    return this;
  }

  MessageDraft inDoubt() {
    possibleDuplicate = true;
    return this;
  }

  NewMessage build() {
    Message message = content.build();
    Plan parts =
        plan == null
            ? new Plan(id, List.of(new Part(message.text(), null, List.of(), List.of())))
            : plan;
    return new NewMessage(
        id,
        message,
        parts,
        progress == null ? Progress.none(parts.parts().size()) : progress,
        createdAt,
        dueAt == null ? createdAt : dueAt,
        expiresAt == null ? createdAt.plus(Duration.ofDays(1)) : expiresAt,
        message.idempotencyKey() == null ? null : ContentHash.of(message),
        maxLaneDepth,
        reservation,
        replayOf,
        possibleDuplicate);
  }
}
