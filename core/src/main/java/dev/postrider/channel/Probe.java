package dev.postrider.channel;

/** What a cheap call without visible effect told about an account. */
public sealed interface Probe {
  /**
   * The platform knows the account; {@code identity} is what it calls it, and empty only if nobody
   * was asked.
   */
  record Healthy(String identity) implements Probe {}

  /** The platform refuses the account. */
  record Broken(String cause) implements Probe {}

  /** The platform could not be asked. */
  record Unreachable(String cause) implements Probe {}

  /**
   * What an answer read as an outcome tells of the account.
   *
   * @param identity what the platform calls it, if it took the question
   */
  static Probe of(Outcome outcome, String identity) {
    return switch (outcome) {
      case Outcome.Delivered _ -> new Healthy(identity);
      case Outcome.AccountBroken(String cause) -> new Broken(cause);
      case Outcome.Throttled(_, _, String cause) -> new Unreachable(cause);
      case Outcome.Unreachable(String cause, _) -> new Unreachable(cause);
      case Outcome.MediaUnreachable(_, String cause) -> new Unreachable(cause);
      case Outcome.NotSent(String cause) -> new Unreachable(cause);
      case Outcome.Unknown(String cause) -> new Unreachable(cause);
      case Outcome.Hold(String cause) -> new Unreachable(cause);
      case Outcome.Repairable(_, String cause) -> new Unreachable(cause);
      case Outcome.Rejected(_, String cause) -> new Unreachable(cause);
    };
  }
}
