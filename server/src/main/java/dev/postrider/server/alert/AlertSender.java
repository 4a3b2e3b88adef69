package dev.postrider.server.alert;

import java.time.Instant;
import java.util.List;

/** Brings alerts to people. */
interface AlertSender extends AutoCloseable {

  /** Where it brings them, for the log; without any secret. */
  String name();

  /** Whether it can carry this one. */
  boolean takes(Alert alert);

  /**
   * Brings them as one message. Called again with the same values if it could not be done.
   *
   * @param id the same whenever it is tried again, so that it arrives once
   * @throws CannotCarry if it should be tried again
   */
  void carry(String id, Instant at, List<Alert> alerts) throws CannotCarry;

  @Override
  default void close() {}

  /** Says why, without any secret. */
  final class CannotCarry extends Exception {
    private static final long serialVersionUID = 1L;

    CannotCarry(String message) {
      super(message);
    }
  }
}
