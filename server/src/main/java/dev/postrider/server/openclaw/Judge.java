package dev.postrider.server.openclaw;

import dev.postrider.config.Durations;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides what becomes of an entry that has not arrived: what is old or in doubt is not sent.
 *
 * @param maxAge older ones are not sent
 * @param resendUnknown whether those are sent that may have arrived
 */
record Judge(Instant now, Duration maxAge, boolean resendUnknown) {
  /**
   * @param why what is told of the messages; null if there is nothing to tell
   */
  record Verdict(Fate fate, @Nullable String why) {}

  Verdict of(QueueEntry entry, EntryQueue.Standing standing) {
    String lastError = QueueEntry.text(entry.fields(), "lastError");
    if (standing == EntryQueue.Standing.FAILED) {
      return new Verdict(
          Fate.FAILED, lastError == null ? "it had failed before it was imported" : lastError);
    }
    Instant enqueued = enqueued(entry);
    if (enqueued == null) {
      return new Verdict(Fate.UNDATED, "its enqueuedAt is " + wrong(entry));
    }
    Duration age = Duration.between(enqueued, now);
    if (age.compareTo(maxAge) > 0) {
      return new Verdict(
          Fate.TOO_OLD,
          "it was %d h old when it was imported; --max-age was %s"
              .formatted(age.toHours(), Durations.format(maxAge)));
    }
    if (entry.outcomeUnknown() && !resendUnknown) {
      Instant began = entry.moment("platformSendStartedAt");
      return new Verdict(
          Fate.HELD,
          "its sending had begun%s, and nobody noted how it ended"
              .formatted(began == null ? "" : " at " + began));
    }
    return new Verdict(entry.outcomeUnknown() ? Fate.RESENT : Fate.QUEUED, lastError);
  }

  /** Null if it is not there, or cannot be right. */
  @Nullable Instant enqueued(QueueEntry entry) {
    Instant enqueued = entry.moment("enqueuedAt");
    return enqueued == null || enqueued.isAfter(now) ? null : enqueued;
  }

  private static String wrong(QueueEntry entry) {
    JsonNode given = entry.fields().path("enqueuedAt");
    if (given.isMissingNode() || given.isNull()) {
      return "missing";
    }
    if (!given.isNumber()) {
      return "not a number";
    }
    return given.asDouble() < 0
        ? "negative"
        : entry.moment("enqueuedAt") == null ? "not a moment in milliseconds" : "in the future";
  }
}
