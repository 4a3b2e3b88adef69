package dev.postrider.internal.lane;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets messages go on whose next part waits until the platform has sent the one before. A report
 * may come to any node; what is stored says whether its message waits for it. Should a report be
 * lost, or the process stop, the message goes on when its patience is over, which is its due time.
 */
public final class AwaitedReceipts implements Events.Listener {
  /** What a message is queued for that waits so; it stands where the error of an attempt would. */
  public static final String AWAITED = "the platform has not yet sent the part before";

  private final Consumer<MessageId> look;

  /**
   * @param look looks, in a task of its own, whether this message waits, and lets it go on
   */
  public AwaitedReceipts(Consumer<MessageId> look) {
    this.look = look;
  }

  /** Whether a message waits for a report. */
  public static boolean awaitedBy(StoredMessage message) {
    return message.status() == Status.QUEUED && AWAITED.equals(message.error());
  }

  /**
   * Whether the platform has said what became of the part that was accepted last. Word on an
   * earlier part is no reason to go on; word that this one failed is: it will be overtaken by
   * nothing.
   *
   * @param accepted the parts of the message that were accepted, in order
   */
  public static boolean told(List<ReceiptState> accepted) {
    return !accepted.isEmpty() && accepted.getLast().furthest() != null;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.ReceiptUpdated report && report.id() != null) {
      look.accept(report.id());
    }
  }
}
