package dev.postrider.reminder.internal.run;

import dev.postrider.reminder.estimate.RunEstimate;
import dev.postrider.reminder.time.MomentWords;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Estimates in words.
 *
 * @param from the moment that they are made for
 * @param expires when the run is over, done or not
 */
record EstimateWords(RunEstimate estimate, Instant from, ZoneId zone, @Nullable Instant expires) {
  static final String MISSED =
      "The window is closed then: the firing is recorded as missed, and nothing is sent.";
  static final String OVERLAPS = "The run before it has not ended by then: the firing is skipped.";

  private String at(Instant moment) {
    return MomentWords.of(moment, from, zone);
  }

  /** A firing in a sentence or two. */
  String note() {
    Instant startsAt = estimate.startsAt();
    if (startsAt == null) {
      return "Its time is over before the window opens: nobody is reached.";
    }
    String begins =
        estimate.inWindow()
            ? ""
            : "The window is closed then, and opens at %s. ".formatted(at(startsAt));
    Instant doneAt = estimate.doneAt();
    if (estimate.fits() && doneAt != null) {
      return begins + "All %s are reached by %s.".formatted(count(estimate.total()), at(doneAt));
    }
    String reached =
        "about %s of %s are reached".formatted(count(estimate.reached()), count(estimate.total()));
    return begins + closing("The window closes at", "Its time is over at", reached) + rest();
  }

  private String closing(String window, String time, String reached) {
    Instant closesAt = estimate.closesAt();
    if (closesAt == null) {
      return "At this pace it takes years; " + reached;
    }
    return (closesAt.equals(expires) ? time : window) + " " + at(closesAt) + ": " + reached;
  }

  private String rest() {
    Instant doneAt = estimate.doneAt();
    if (doneAt != null) {
      return " by then, and the rest by " + at(doneAt) + ".";
    }
    return estimate.endsAt() == null ? "." : ", and the rest is skipped.";
  }

  /**
   * A run that goes on, in a phrase.
   *
   * @param sent how many it has reached before
   * @param total how many targets it has
   */
  String outlook(int sent, int total) {
    Instant startsAt = estimate.startsAt();
    String opens = estimate.inWindow() || startsAt == null ? "" : "opens " + at(startsAt) + ", ";
    Instant doneAt = estimate.doneAt();
    Instant closesAt = estimate.closesAt();
    String then = "about %s of %s".formatted(count(sent + estimate.reached()), count(total));
    if (closesAt == null || estimate.fits()) {
      return opens + (doneAt == null ? then : "done about " + at(doneAt) + ", " + then);
    }
    String word = closesAt.equals(expires) ? "over " : "closes ";
    return opens
        + word
        + at(closesAt)
        + ", "
        + then
        + (doneAt == null ? "" : ", all done about " + at(doneAt));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
