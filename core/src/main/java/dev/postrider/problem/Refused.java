package dev.postrider.problem;

/** A request that was not carried out. Says why, and what to do; nothing was changed. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why, for programs. */
  public enum Cause {
    /** A field is wrong. */
    INVALID,
    /** No such account is configured. */
    UNKNOWN_ACCOUNT,
    /** No such message, lane or dead letter. */
    NOT_FOUND,
    /** The thing is in a state that does not allow it. */
    CONFLICT,
    /** The idempotency key was used for other content. */
    KEY_REUSED,
    /** The queue, the account or the lane holds too many messages. */
    QUEUE_FULL,
    /** The store cannot write at the moment. */
    UNAVAILABLE,
    /** The engine is stopping. */
    STOPPING
  }

  private final Cause why;
  private final String field;

  public Refused(Cause why, String field, String message) {
    super(message);
    this.why = why;
    this.field = field;
  }

  public Refused(Cause why, String message) {
    this(why, "", message);
  }

  public Cause why() {
    return why;
  }

  /** The field at fault, or empty. */
  public String field() {
    return field;
  }
}
