package dev.postrider.store.message;

import dev.postrider.inbound.DeliveryReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part that the platform has accepted, and what it has said of it since.
 *
 * @param furthest null as long as nothing was heard
 */
public record ReceiptState(int part, String receipt, @Nullable DeliveryReport furthest) {

  /**
   * How far a message got by the platform's word: failed if one of its parts failed, else as far as
   * the part that got least far. A part of which nothing was heard is sent: the platform has it.
   *
   * @param parts the accepted ones; if there are none, the platform reports nothing, and the answer
   *     is null
   */
  public static DeliveryReport.@Nullable State of(List<ReceiptState> parts) {
    DeliveryReport.State nearest = null;
    for (ReceiptState part : parts) {
      DeliveryReport word = part.furthest;
      DeliveryReport.State state = word == null ? DeliveryReport.State.SENT : word.state();
      if (state == DeliveryReport.State.FAILED) {
        return state;
      }
      nearest = nearest == null || nearest.beats(state) ? state : nearest;
    }
    return nearest;
  }
}
