package dev.postrider.server.openclaw;

/** An entry is left where it is; the message is the reason, half a sentence. */
public final class Unusable extends Exception {
  private static final long serialVersionUID = 1L;

  Unusable(String reason) {
    super(reason);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
