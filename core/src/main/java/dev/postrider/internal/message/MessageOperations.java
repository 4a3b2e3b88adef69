package dev.postrider.internal.message;

import dev.postrider.event.Event;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.lane.AwaitedReceipts;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.StoredMessage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What people can do to single messages. Each throws {@link Refused} if it cannot be done.
 * Thread-safe.
 */
public final class MessageOperations {
  private static final Logger log = LoggerFactory.getLogger(MessageOperations.class);

  private final EngineContext context;
  private final Intake intake;
  private final Consumer<@Nullable Head> offer;

  /**
   * @param offer is told what may be sent now because of an operation
   */
  public MessageOperations(EngineContext context, Intake intake, Consumer<@Nullable Head> offer) {
    this.context = context;
    this.intake = intake;
    this.offer = offer;
  }

  public StoredMessage cancel(MessageId id) {
    OperationResult change = context.write(context.store().cancel(id, context.time().instant()));
    StoredMessage message = known(change, id, "only a queued message can be cancelled");
    context
        .events()
        .publish(
            new Event.Ended(
                context.time().instant(),
                message.message().account(),
                message.message().to(),
                id,
                Status.CANCELLED,
                null,
                null,
                Event.Ties.of(message.message())));
    offer.accept(change.next());
    return message;
  }

  public StoredMessage retry(MessageId id) {
    OperationResult change = context.write(context.store().retry(id, context.time().instant()));
    StoredMessage message =
        known(change, id, "only a queued message at the head of its lane can be tried now");
    offer.accept(change.next());
    return message;
  }

  /** Lets a message go on if it waits until the platform has sent a part of it, which it has. */
  public void partReported(MessageId id) {
    try {
      StoredMessage message = context.store().find(id).orElse(null);
      if (message != null
          && AwaitedReceipts.awaitedBy(message)
          && AwaitedReceipts.told(context.store().receipts(id))) {
        offer.accept(context.write(context.store().retry(id, context.time().instant())).next());
      }
    } catch (Refused | StoreUnavailable | StoreClosed e) {
      log.debug("Message {} goes on when its patience is over: {}", id, e.getMessage());
    }
  }

  private StoredMessage known(OperationResult change, MessageId id, String rule) {
    StoredMessage message = change.message();
    if (message == null) {
      throw new Refused(Refused.Cause.NOT_FOUND, "there is no message " + id);
    }
    if (!change.applied()) {
      String state =
          message.status() == Status.QUEUED
              ? "waits behind others of its lane"
              : "is " + message.status().label();
      throw new Refused(Refused.Cause.CONFLICT, "message " + id + " " + state + "; " + rule);
    }
    return message;
  }

  /** Hands a dead letter in again, as a new message that points to the old one. */
  public Admission replay(MessageId id) {
    StoredMessage dead = deadLetter(id);
    return context.write(intake.replay(dead));
  }

  /**
   * The same with changes.
   *
   * @param change makes the new message of the old one
   */
  public Admission replay(MessageId id, UnaryOperator<Message> change) {
    StoredMessage dead = deadLetter(id);
    if (dead.unreadable() != null) {
      return context.write(intake.replay(dead)); // which says why it cannot be
    }
    return context.write(intake.replay(dead, change.apply(dead.message())));
  }

  public void discard(MessageId id) {
    StoredMessage dead = deadLetter(id);
    if (context.write(context.store().discard(id))) {
      context.counts().discarded(dead.message().account());
    }
  }

  private StoredMessage deadLetter(MessageId id) {
    StoredMessage message =
        context
            .store()
            .find(id)
            .orElseThrow(() -> new Refused(Refused.Cause.NOT_FOUND, "there is no message " + id));
    if (!message.status().deadLetter()) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "message " + id + " is " + message.status().label() + ", no dead letter");
    }
    return message;
  }
}
