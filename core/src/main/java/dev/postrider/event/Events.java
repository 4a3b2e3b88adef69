package dev.postrider.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events to listeners, on the thread where they happen. A listener must be quick and must
 * not block; one that throws is logged and does not disturb the others. Thread-safe.
 */
public final class Events {
  private static final Logger log = LoggerFactory.getLogger(Events.class);

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** Takes events. */
  @FunctionalInterface
  public interface Listener {
    void on(Event event);
  }

  /** Ends a subscription. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  public Subscription subscribe(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  public void publish(Event event) {
    for (Listener listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException | Error e) {
        log.warn("A listener failed on {}", event.type(), e);
      }
    }
  }
}
