package dev.postrider.spring;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What Postrider told, to be waited for. */
final class HeardEvents implements Events.Listener {
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  @Override
  public void on(Event event) {
    events.add(event);
  }

  /** The next one of a type; those before it are passed by. */
  <T extends Event> T next(Class<T> type) throws InterruptedException {
    while (true) {
      Event event = events.poll(60, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no " + type.getSimpleName() + " was heard");
      }
      if (type.isInstance(event)) {
        return type.cast(event);
      }
    }
  }
}
