package dev.postrider;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.MessageId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Those who wait for a message to end: one listener for all of them, so that an event costs one
 * look-up however many wait. Thread-safe.
 */
final class Waiters implements Events.Listener {
  private record Entry(CompletableFuture<Boolean> ended, int count) {}

  private final Map<MessageId, Entry> waiting = new ConcurrentHashMap<>();

  /** A future that completes when the message ends; to be given back with {@link #leave}. */
  CompletableFuture<Boolean> join(MessageId id) {
    return waiting.merge(
            id,
            new Entry(new CompletableFuture<>(), 1),
            (known, _) -> new Entry(known.ended, known.count + 1))
        .ended;
  }

  void leave(MessageId id) {
    waiting.computeIfPresent(
        id, (_, known) -> known.count == 1 ? null : new Entry(known.ended, known.count - 1));
  }

  @Override
  public void on(Event event) {
    if (!waiting.isEmpty()) {
      switch (event) {
        case Event.Delivered delivered -> ended(delivered.id());
        case Event.Ended other -> ended(other.id());
        default -> {} // ends nothing
      }
    }
  }

  private void ended(MessageId id) {
    Entry entry = waiting.get(id);
    if (entry != null) {
      entry.ended.complete(true);
    }
  }
}
