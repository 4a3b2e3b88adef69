package dev.postrider.internal.lane;

import dev.postrider.channel.Outcome;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.retry.Verdict;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells the world what happens to the messages of one account. Thread-safe. */
record MessageEvents(String account, Events events, Scheduler time) {

  void attempt(StoredMessage message, int part) {
    events.publish(
        new Event.Attempt(
            time.instant(),
            account,
            message.message().to(),
            message.id(),
            message.attempts(),
            part,
            Event.Ties.of(message.message())));
  }

  /** A chat has a new id, and its queue went along. */
  void moved(String from, String to, int messages) {
    events.publish(new Event.LaneMoved(time.instant(), account, from, to, messages));
  }

  /** A part of several has arrived. */
  void part(StoredMessage message, Outcome outcome, int part, Instant at) {
    if (outcome instanceof Outcome.Delivered(Receipt receipt, _, _, _)) {
      events.publish(
          new Event.PartDelivered(
              at, account, message.message().to(), message.id(), part, receipt.id()));
    }
  }

  void retrying(StoredMessage message, Outcome outcome, Verdict.Later later, Instant at) {
    events.publish(
        new Event.Retrying(
            at,
            account,
            message.message().to(),
            message.id(),
            outcome.label(),
            later.error(),
            later.dueAt()));
  }

  void throttled(
      String chat, Outcome.Throttled throttled, Instant at, Instant until, double share) {
    events.publish(new Event.Throttled(at, account, chat, throttled.scope().label(), until, share));
  }

  /**
   * @param failed the message as it ended, if the platform had said before that it failed
   */
  void end(StoredMessage message, Settlement settlement, @Nullable StoredMessage failed) {
    String chat = message.message().to();
    if (failed != null) {
      events.publish(
          new Event.Ended(
              settlement.at(),
              account,
              chat,
              message.id(),
              failed.status(),
              failed.reason(),
              failed.error(),
              Event.Ties.of(message.message())));
    } else if (settlement.status() == Status.DELIVERED) {
      events.publish(
          new Event.Delivered(
              settlement.at(),
              account,
              chat,
              message.id(),
              message.attempts(),
              Duration.between(message.createdAt(), settlement.at()),
              settlement.late(),
              settlement.possibleDuplicate(),
              Event.Ties.of(message.message())));
    } else {
      events.publish(
          new Event.Ended(
              settlement.at(),
              account,
              chat,
              message.id(),
              settlement.status(),
              settlement.reason(),
              settlement.error(),
              Event.Ties.of(message.message())));
    }
  }

  /** A completion came for an attempt that was over. */
  void stale(StoredMessage message) {
    events.publish(new Event.Stale(time.instant(), account, message.message().to(), message.id()));
  }
}
