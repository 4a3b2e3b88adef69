package dev.postrider.testkit.store;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.NewMessage;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives events back: handled at noon, unless told otherwise. */
final class CompletionDraft {
  private final StoredInbound inbound;
  private UUID lease;
  private InboundStatus status = InboundStatus.HANDLED;
  private Instant at = MessageDraft.NOON;
  private @Nullable Instant dueAt;
  private boolean died;
  private @Nullable String error;
  private List<NewMessage> answers = List.of();

  private CompletionDraft(StoredInbound inbound, UUID lease) {
    this.inbound = inbound;
    this.lease = lease;
  }

  /** Under the lease it was handed out with. */
  static CompletionDraft of(StoredInbound inbound) {
    return new CompletionDraft(inbound, StoreBehaviour.present(inbound.handling().lease()));
  }

  CompletionDraft lease(UUID other) {
    lease = other;
    return this;
  }

  CompletionDraft at(Instant value) {
    at = value;
    return this;
  }

  /** To be handed out again then, since something went wrong. */
  CompletionDraft again(Instant when, String why) {
    status = InboundStatus.PENDING;
    dueAt = when;
    error = why;
    return this;
  }

  CompletionDraft failed(String why) {
    status = InboundStatus.FAILED;
    error = why;
    return this;
  }

  CompletionDraft died() {
    died = true;
    return this;
  }

  CompletionDraft answer(MessageDraft... messages) {
    answers = Arrays.stream(messages).map(MessageDraft::build).toList();
    return this;
  }

  Completion build() {
    InboundNote note =
        error == null ? null : new InboundNote(at, inbound.handling().attempts(), error, dueAt);
    return new Completion(
        inbound, lease, status, at, dueAt == null ? at : dueAt, died, note, answers);
  }
}
