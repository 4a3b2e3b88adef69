package dev.postrider.bench.peers;

import java.util.List;

/** A queue, used in the fastest way that its own documentation shows. */
public interface Queue extends AutoCloseable {

  /** What is done with items. Many threads may call it at once. */
  interface Worker {
    /** Handles the item; if it throws, the item has failed and is to be handled again. */
    void handle(Item item);

    /** The queue knows that an item was handled. */
    void ended();
  }

  /** Comes back when the queue says that it has the item. */
  void enqueue(Item item) throws Exception;

  /** The same for many, in one call if the queue has one. */
  void enqueueAll(List<Item> items) throws Exception;

  /** Hands out from now on. */
  void work(Worker worker) throws Exception;

  /** No item may be handed out before all of them are there. */
  default void pause() throws Exception {}
}
