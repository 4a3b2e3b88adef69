package dev.postrider.message;

/** What to do when nobody can tell whether a part arrived. */
public enum OnUnknown {
  /** Send it again and mark the message {@code possibleDuplicate}: at least once. */
  RESEND,
  /** End the message as {@link Status#HELD} for a person to decide: at most once. */
  HOLD
}
