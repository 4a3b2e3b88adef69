package dev.postrider.channels.googlechat;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Remembered;
import java.time.Duration;
import java.time.Instant;

/**
 * Spaces that the app was removed from. It is remembered to explain a refusal, not to refuse by
 * ourselves: an event may have been missed, and Google knows better.
 */
final class SpaceMembership {
  private static final String REMOVED = "removed";
  private static final Duration KEPT = Duration.ofDays(90);

  private SpaceMembership() {}

  static Remembered left(String space, Instant at) {
    return Remembered.until(at.plus(KEPT), space, REMOVED, at.toString());
  }

  static Remembered joined(String space) {
    return Remembered.forget(space, REMOVED);
  }

  /** The outcome; if the space could not be reached, with what is known of it. */
  static Outcome explained(Outcome outcome, String space, Memory memory) {
    if (!(outcome instanceof Outcome.Rejected(Blame blame, String cause))
        || blame != Blame.TARGET) {
      return outcome;
    }
    try {
      return new Outcome.Rejected(
          blame,
          cause
              + memory
                  .read(space, REMOVED)
                  .map(at -> "; the app was removed from the space at " + at)
                  .orElse("; is the app a member of the space?"));
    } catch (NotSentException e) { // the store is away, but what was refused was refused
      return outcome;
    }
  }
}
