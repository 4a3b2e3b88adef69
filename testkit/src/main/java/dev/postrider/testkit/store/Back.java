package dev.postrider.testkit.store;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.HandBack;
import dev.postrider.store.InboundNote;
import dev.postrider.store.NewMessage;
import dev.postrider.store.StoredInbound;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives events back: handled at noon, unless told otherwise. */
final class Back {
  private final StoredInbound event;
  private UUID lease;
  private InboundStatus status = InboundStatus.HANDLED;
  private Instant at = Draft.NOON;
  private @Nullable Instant dueAt;
  private boolean died;
  private @Nullable String error;
  private List<NewMessage> answers = List.of();

  private Back(StoredInbound event, UUID lease) {
    this.event = event;
    this.lease = lease;
  }

  /** Under the lease it was handed out with. */
  static Back of(StoredInbound event) {
    return new Back(event, StoreBehaviour.present(event.handling().lease()));
  }

  Back lease(UUID other) {
    lease = other;
    return this;
  }

  Back at(Instant value) {
    at = value;
    return this;
  }

  /** To be handed out again then, since something went wrong. */
  Back again(Instant when, String why) {
    status = InboundStatus.PENDING;
    dueAt = when;
    error = why;
    return this;
  }

  Back failed(String why) {
    status = InboundStatus.FAILED;
    error = why;
    return this;
  }

  Back died() {
    died = true;
    return this;
  }

  Back answer(Draft... messages) {
    answers = Arrays.stream(messages).map(Draft::build).toList();
    return this;
  }

  HandBack build() {
    InboundNote note =
        error == null ? null : new InboundNote(at, event.handling().attempts(), error, dueAt);
    return new HandBack(event, lease, status, at, dueAt == null ? at : dueAt, died, note, answers);
  }
}
