package dev.postrider.store.message;

import dev.postrider.inbound.DeliveryReport;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many messages got how far by their platforms' word.
 *
 * @param more whether some were not counted: there are too many
 */
public record ReceiptCounts(Map<DeliveryReport.State, Long> counts, boolean more) {
  public static final ReceiptCounts NONE = new ReceiptCounts(Map.of(), false);

  public ReceiptCounts {
    counts = Map.copyOf(counts);
  }

  public long of(DeliveryReport.State state) {
    return counts.getOrDefault(state, 0L);
  }

  /** With so many more of a state; as many as were looked for means that there may be others. */
  public ReceiptCounts plus(DeliveryReport.State state, long count, long most) {
    Map<DeliveryReport.State, Long> sum = new EnumMap<>(DeliveryReport.State.class);
    sum.putAll(counts);
    sum.merge(state, count, Long::sum);
    return new ReceiptCounts(sum, more || count == most);
  }
}
