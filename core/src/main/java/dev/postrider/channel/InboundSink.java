package dev.postrider.channel;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a link that listens by itself (long polling, a socket, IMAP) hands in what it hears.
 * Thread-safe; handing in blocks.
 */
public interface InboundSink {

  /** How far the platform's stream was read when it was last handed in; null at the beginning. */
  @Nullable String cursor();

  /**
   * Stores what arrived together with how far the stream was read, and returns once both are
   * durable. What is already known is recognised and stored once. Waits while the store is away.
   *
   * @param cursor null to leave it as it is
   * @throws dev.postrider.time.Scheduler.Interrupted if the account stops; nothing was stored
   */
  default void take(
      List<InboundMessage> arrivals, List<DeliveryReport> reports, @Nullable String cursor) {
    take(arrivals, reports, cursor, List.of());
  }

  /**
   * The same, with what to know again when sending: stored in the same write as the arrivals, and
   * not again if all of those are known already.
   */
  void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String cursor,
      List<Remembered> memory);

  /**
   * The same, with names of chats that the platform uses besides; these may be told again and
   * again.
   */
  default void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> aliases) {
    if (!aliases.isEmpty()) {
      throw new UnsupportedOperationException("this sink takes no names of chats");
    }
    take(arrivals, reports, cursor, memory);
  }

  /**
   * Says that the platform is listened to now, whether or not it has anything to tell: a connection
   * stands, or a poll was answered. Handing something in says the same.
   */
  void connected();

  /**
   * Says that the platform is not heard, while the link itself goes on trying. A link that gives up
   * throws an {@link java.io.IOException} with the cause instead.
   *
   * @param cause in a sentence, without secrets
   */
  void failing(String cause);

  /** Waits; false if the account stops meanwhile. */
  boolean pause(Duration duration);
}
