package dev.postrider.message;

import java.util.Locale;

/** Why a message ended undelivered, in a word that programs tell apart and metrics count by. */
public enum EndReason {
  /** The platform refuses the message itself. */
  REJECTED_MESSAGE,
  /** The platform refuses the chat. */
  REJECTED_TARGET,
  ATTEMPTS_EXHAUSTED,
  /** It may have arrived, and is not to be sent again blindly. */
  OUTCOME_UNKNOWN,
  /** One of its parts did not arrive, and it was to be tried once. */
  BEST_EFFORT,
  /** It could have been sent, but too long after it was handed in. */
  LATE,
  /** Its time was over before it could be sent. */
  EXPIRED,
  /** Its account is not configured any more. */
  ACCOUNT_MISSING,
  /** What is stored of it is damaged. */
  UNREADABLE,
  /** The platform took it, and said later that it did not arrive. */
  RECEIPT_FAILED,
  /** Its store came back from a backup, and it may have been sent since that was taken. */
  RESTORED;

  /** The word in the API, in events and where it is stored: {@code rejected-target}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
