package dev.postrider.channel;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.Report;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a link that listens by itself (long polling, a socket, IMAP) hands in what it hears.
 * Thread-safe; handing in blocks.
 */
public interface Inlet {

  /** How far the platform's stream was read when it was last handed in; null at the beginning. */
  @Nullable String cursor();

  /**
   * Stores what arrived together with how far the stream was read, and returns once both are
   * durable. What is already known is recognised and stored once. Waits while the store is away.
   *
   * @param cursor null to leave it as it is
   * @throws dev.postrider.time.Scheduler.Interrupted if the account stops; nothing was stored
   */
  void take(List<Arrival> arrivals, List<Report> reports, @Nullable String cursor);

  /** Waits; false if the account stops meanwhile. */
  boolean pause(Duration duration);
}
