package dev.postrider.channel;

import java.io.IOException;

/**
 * Thrown by {@link Link#listen} when the platform does not let this account listen, and will not
 * until a person changes something: a permission is missing, a token is unknown, a switch is off.
 * The account says so and goes on sending; listening is tried again after some minutes, and when
 * the account is checked or its configuration changes.
 */
public final class ListeningRefused extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param cause what is refused and what to do about it, in a sentence, without secrets
   */
  public ListeningRefused(String cause) {
    super(cause);
  }
}
