package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.OnClose;
import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowOpening;
import java.time.Instant;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends of one account that go out in the same hours.
 *
 * @param window null for any hour
 * @param only those of the opening that ends first after this moment; null for all openings
 */
public record Share(long sends, @Nullable Window window, @Nullable Instant only) {

  /** Sends that go on in later openings until none is left. */
  public static Share of(long sends, @Nullable Window window) {
    return new Share(sends, window, null);
  }

  /**
   * Sends as a run makes them, which ends with its opening or goes on, as the window says.
   *
   * @param began when it began to send
   */
  public static Share ofRun(long sends, @Nullable Window window, Instant began) {
    boolean stops = window != null && window.onClose() == OnClose.STOP;
    return new Share(sends, window, stops ? began : null);
  }

  /** The openings that end after {@code from}, none beginning at {@code end} or later. */
  Iterator<WindowOpening> openings(Instant from, Instant end) {
    Stream<WindowOpening> all =
        window == null
            ? Stream.of(new WindowOpening(from, end))
            : only == null ? window.openings(from) : window.openings(only).limit(1);
    return all.filter(span -> span.closes().isAfter(from))
        .takeWhile(span -> span.opens().isBefore(end))
        .map(span -> span.closes().isAfter(end) ? new WindowOpening(span.opens(), end) : span)
        .iterator();
  }
}
