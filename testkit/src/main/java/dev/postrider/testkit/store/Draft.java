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
import dev.postrider.store.NewMessage;
import dev.postrider.store.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes messages to be stored: accepted at noon, due at once, expiring a day later. */
final class Draft {
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

  private Draft(Message.Builder content) {
    this.content = content;
  }

  static Draft to(String account, String chat) {
    return new Draft(Message.to(account, chat).text("hello"));
  }

  static Draft of(Message message) {
    return new Draft(message.toBuilder());
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

  Draft text(String value) {
    content.text(value);
    return this;
  }

  Draft with(Consumer<Message.Builder> change) {
    change.accept(content);
    return this;
  }

  Draft bulk() {
    content.priority(Priority.BULK);
    return this;
  }

  Draft unordered() {
    content.ordering(Ordering.NONE);
    return this;
  }

  Draft key(String value) {
    content.idempotencyKey(value);
    return this;
  }

  Draft lease(@Nullable UUID value) {
    content.leaseId(value);
    return this;
  }

  Draft plan(Part... parts) {
    plan = new Plan(id, List.of(parts));
    return this;
  }

  Draft plan(Plan value) {
    plan = value;
    return this;
  }

  Draft progress(Progress value) {
    progress = value;
    return this;
  }

  Draft at(Instant value) {
    createdAt = value;
    return this;
  }

  Draft due(Instant value) {
    dueAt = value;
    return this;
  }

  Draft expires(Instant value) {
    expiresAt = value;
    return this;
  }

  Draft laneHolds(long most) {
    maxLaneDepth = most;
    return this;
  }

  Draft reserve(Reservation value) {
    reservation = value;
    return this;
  }

  Draft replays(MessageId dead) {
    replayOf = dead;
    return this;
  }

  Draft inDoubt() {
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
