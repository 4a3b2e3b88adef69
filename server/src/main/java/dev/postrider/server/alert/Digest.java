package dev.postrider.server.alert;

import dev.postrider.server.alert.AlertSender.CannotCarry;
import dev.postrider.server.log.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one message of several alerts: the first goes out at once, and whatever comes within the
 * interval after it waits and goes out together. What could not be brought is tried again with
 * growing pauses, for as long as the server runs; meanwhile others gather. For one thread.
 */
final class Digest implements AutoCloseable {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Beyond, the oldest are left out, and their number is told. */
  static final int MOST = 50;

  private final AlertSender carrier;
  private final Duration interval;
  private final Supplier<String> ids;
  private final List<Alert> gathered = new ArrayList<>();
  private int leftOut;
  private @Nullable Batch outgoing;
  private @Nullable Duration notBefore;
  private Duration pause = SHORTEST_PAUSE;

  private record Batch(String id, Instant at, List<Alert> alerts) {}

  Digest(AlertSender carrier, Duration interval, Supplier<String> ids) {
    this.carrier = carrier;
    this.interval = interval;
    this.ids = ids;
  }

  void add(List<Alert> alerts) {
    for (Alert alert : alerts) {
      if (carrier.takes(alert)) {
        gathered.add(alert);
      }
    }
    while (gathered.size() > MOST) {
      gathered.removeFirst();
      leftOut++;
    }
  }

  /** Sends what is due; to be called every few seconds. */
  void send(Instant now, Duration elapsed) {
    if (notBefore != null && elapsed.compareTo(notBefore) < 0) {
      return;
    }
    if (outgoing == null) {
      if (gathered.isEmpty()) {
        return;
      }
      outgoing = new Batch(ids.get(), now, told());
      gathered.clear();
      leftOut = 0;
    }
    try {
      carrier.carry(outgoing.id(), outgoing.at(), outgoing.alerts());
      outgoing = null;
      pause = SHORTEST_PAUSE;
      notBefore = elapsed.plus(interval);
    } catch (CannotCarry e) {
      Line.warn(
              "alert.not-sent",
              "An alert cannot be sent to %s, and is tried again: %s"
                  .formatted(carrier.name(), e.getMessage()))
          .write();
      notBefore = elapsed.plus(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private List<Alert> told() {
    List<Alert> all = new ArrayList<>(gathered);
    if (leftOut > 0) {
      all.add(
          new Alert(
              Alert.Kind.DEAD_LETTERS, "", false, leftOut + " older alerts are left out here"));
    }
    return List.copyOf(all);
  }

  @Override
  public void close() {
    carrier.close();
  }
}
