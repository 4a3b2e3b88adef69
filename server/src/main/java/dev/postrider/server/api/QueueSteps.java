package dev.postrider.server.api;

import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.history.QueueMinute.Flow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The history of the queues in steps of some minutes: what happened is added up, of depths the
 * highest is kept. Minutes are read a day at a time, so that as many rows are in memory as are
 * answered. For one request.
 */
final class QueueSteps {
  private static final int MOST_ROWS = 2_000;
  private static final int AT_ONCE = 24 * 60;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final long step; // in seconds
  private final List<QueueMinute> rows = new ArrayList<>();
  private @Nullable Instant next;

  QueueSteps(Duration step) {
    this.step = step.toSeconds();
  }

  /** The steps from the one that the first instant is in, up to the second. */
  void read(BiFunction<Instant, Integer, List<QueueMinute>> minutes, Instant since, Instant until) {
    Instant from = beginning(since);
    while (true) {
      List<QueueMinute> some = minutes.apply(from, AT_ONCE);
      for (QueueMinute minute : some) {
        if (!minute.at().isBefore(until) || !add(minute)) {
          return;
        }
      }
      if (some.size() < AT_ONCE) {
        return;
      }
      from = some.getLast().at().plus(MINUTE);
    }
  }

  List<QueueMinute> rows() {
    return rows;
  }

  /** Where the list goes on; null at its end. */
  @Nullable Instant next() {
    return next;
  }

  private Instant beginning(Instant at) {
    return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), step) * step);
  }

  /** False if there is no room for it. */
  private boolean add(QueueMinute minute) {
    Instant at = beginning(minute.at());
    if (!rows.isEmpty() && rows.getLast().at().equals(at)) {
      QueueMinute row = rows.removeLast();
      rows.add(
          new QueueMinute(
              at,
              together(row.inbound(), minute.inbound()),
              together(row.outbound(), minute.outbound())));
      return true;
    }
    if (rows.size() == MOST_ROWS) {
      next = at;
      return false;
    }
    rows.add(new QueueMinute(at, minute.inbound(), minute.outbound()));
    return true;
  }

  private static Flow together(Flow one, Flow other) {
    return new Flow(
        Math.max(one.waiting(), other.waiting()),
        Math.max(one.underWay(), other.underWay()),
        Math.max(one.deadLetters(), other.deadLetters()),
        one.taken() + other.taken(),
        one.done() + other.done(),
        one.errors() + other.errors(),
        one.lost() + other.lost());
  }
}
