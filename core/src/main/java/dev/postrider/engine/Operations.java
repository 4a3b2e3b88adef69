package dev.postrider.engine;

import dev.postrider.event.Event;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.Change;
import dev.postrider.store.Head;
import dev.postrider.store.StoredMessage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What people can do to single messages. Each throws {@link Refused} if it cannot be done.
 * Thread-safe.
 */
final class Operations {
  private final House house;
  private final Intake intake;
  private final Consumer<@Nullable Head> offer;

  /**
   * @param offer is told what may be sent now because of an operation
   */
  Operations(House house, Intake intake, Consumer<@Nullable Head> offer) {
    this.house = house;
    this.intake = intake;
    this.offer = offer;
  }

  StoredMessage cancel(MessageId id) {
    Change change = house.write(house.store().cancel(id, house.time().instant()));
    StoredMessage message = known(change, id, "only a queued message can be cancelled");
    house
        .events()
        .publish(
            new Event.Ended(
                house.time().instant(),
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

  StoredMessage retry(MessageId id) {
    Change change = house.write(house.store().hurry(id, house.time().instant()));
    StoredMessage message =
        known(change, id, "only a queued message at the head of its lane can be tried now");
    offer.accept(change.next());
    return message;
  }

  private StoredMessage known(Change change, MessageId id, String rule) {
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
  Admission replay(MessageId id) {
    StoredMessage dead = deadLetter(id);
    return house.write(intake.replay(dead));
  }

  void discard(MessageId id) {
    StoredMessage dead = deadLetter(id);
    if (house.write(house.store().discard(id))) {
      house.tally().discarded(dead.message().account());
    }
  }

  private StoredMessage deadLetter(MessageId id) {
    StoredMessage message =
        house
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
