package dev.postrider.server.push;

/** A push that did not come to a good end. Says why, without any secret. */
final class PushFailed extends Exception {
  private static final long serialVersionUID = 1L;

  PushFailed(String message) {
    super(message);
  }
}
