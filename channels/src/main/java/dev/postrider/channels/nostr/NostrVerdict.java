package dev.postrider.channels.nostr;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.throttled;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.verdict.ErrorTable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What one relay's answer means, and what the answers of several come to. */
final class NostrVerdict {
  static final String AUTH_REQUIRED = "auth-required";
  static final String RESTRICTED = "restricted";

  /** No relay says how long. */
  private static final Duration THROTTLE = Duration.ofSeconds(30);

  /** The first word of an answer (NIP-01, NIP-42), for an event that was not taken. */
  private static final ErrorTable PREFIXES =
      ErrorTable.of(
          throttled(ThrottleScope.CHAT, THROTTLE, "rate-limited"),
          notSent("error"),
          rejected(Blame.MESSAGE, "invalid", "pow"),
          rejected(Blame.TARGET, "blocked", "mute"),
          broken(RESTRICTED, AUTH_REQUIRED));

  private NostrVerdict() {}

  /** What stands before the colon. */
  static String prefix(String message) {
    int colon = message.indexOf(':');
    return colon < 0 ? "" : message.substring(0, colon).strip().toLowerCase(Locale.ROOT);
  }

  /** What one relay says of an event. */
  static Outcome read(boolean taken, String message, String host, String event) {
    String prefix = prefix(message);
    if (taken || prefix.equals("duplicate")) {
      return Outcome.delivered(event);
    }
    String cause = host + ": " + (message.isBlank() ? "not taken" : message.strip());
    Outcome known = PREFIXES.byCode(prefix, cause);
    return known == null ? new Outcome.NotSent(cause) : known;
  }

  /**
   * What the answers of several relays come to. Whatever is tried again is the same event, which a
   * relay that has it already knows; so what can still reach the quorum is tried again.
   *
   * @param receipt the id by which people know the message
   * @param ours whether these are the account's own relays
   */
  static Outcome of(List<Outcome> answers, int quorum, String receipt, boolean ours) {
    long taken = count(answers, Outcome.Delivered.class::isInstance);
    if (taken >= quorum) {
      return Outcome.delivered(receipt);
    }
    String cause = cause(answers, taken, quorum);
    if (taken + count(answers, NostrVerdict::mayPassLater) < quorum) {
      return refusal(answers, cause, ours);
    }
    if (answers.stream().anyMatch(Outcome.Throttled.class::isInstance)) {
      return new Outcome.Throttled(ThrottleScope.CHAT, THROTTLE, cause);
    }
    if (taken > 0 || answers.stream().anyMatch(Outcome.Unknown.class::isInstance)) {
      return new Outcome.Unknown(cause);
    }
    return answers.stream().anyMatch(Outcome.NotSent.class::isInstance)
        ? new Outcome.NotSent(cause)
        : new Outcome.Unreachable(cause);
  }

  private static boolean mayPassLater(Outcome answer) {
    return answer instanceof Outcome.Throttled
        || answer instanceof Outcome.Unknown
        || answer instanceof Outcome.NotSent
        || answer instanceof Outcome.Unreachable;
  }

  /** Too many relays will never take it. Whether that is the message's fault, most of them say. */
  private static Outcome refusal(List<Outcome> answers, String cause, boolean ours) {
    if (answers.stream()
        .anyMatch(a -> a instanceof Outcome.Rejected(Blame blame, _) && blame == Blame.MESSAGE)) {
      return new Outcome.Rejected(Blame.MESSAGE, cause);
    }
    boolean closed = answers.stream().anyMatch(Outcome.AccountBroken.class::isInstance);
    return ours && closed
        ? new Outcome.AccountBroken(
            cause + " (register the account's key with the relay, or name others in relays)")
        : new Outcome.Rejected(ours ? Blame.MESSAGE : Blame.TARGET, cause);
  }

  private static long count(List<Outcome> answers, Predicate<Outcome> which) {
    return answers.stream().filter(which).count();
  }

  private static String cause(List<Outcome> answers, long taken, int quorum) {
    String others =
        answers.stream()
            .map(NostrVerdict::cause)
            .filter(cause -> !cause.isEmpty())
            .sorted()
            .collect(Collectors.joining("; "));
    return answers.size() == 1
        ? others
        : "%d of %d relays took it, %d must: %s".formatted(taken, answers.size(), quorum, others);
  }

  private static String cause(Outcome answer) {
    return switch (answer) {
      case Outcome.Delivered _ -> "";
      case Outcome.Throttled it -> it.cause();
      case Outcome.Unreachable it -> it.cause();
      case Outcome.MediaUnreachable it -> it.cause();
      case Outcome.NotSent it -> it.cause();
      case Outcome.Unknown it -> it.cause();
      case Outcome.Hold it -> it.cause();
      case Outcome.Repairable it -> it.cause();
      case Outcome.Rejected it -> it.cause();
      case Outcome.AccountBroken it -> it.cause();
    };
  }
}
