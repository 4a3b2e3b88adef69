package dev.postrider.channel;

/** Thrown by an adapter when it failed before anything can have gone out. */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotSentException(String message) {
    super(message);
  }
}
