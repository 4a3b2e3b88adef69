package dev.postrider.channels.xmpp;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server has of what we sent, and we of what it sent (XEP-0198). Both sides count stanzas
 * and tell each other how many they have handled; with these numbers a connection can go on where
 * another was cut off. Outlives its connection. Thread-safe.
 */
final class StreamAcks {
  private static final long NUMBERS = 1L << 32; // then they begin anew

  private final Deque<String> open = new ArrayDeque<>();
  private final @Nullable String id;
  private long acknowledged;
  private long handled;

  /**
   * @param id by which the stream can be resumed; null if it cannot
   */
  StreamAcks(@Nullable String id) {
    this.id = id;
  }

  @Nullable String id() {
    return id;
  }

  /** A stanza is about to be written. */
  synchronized void sent(String stanza) {
    open.add(stanza);
  }

  /**
   * The server has handled so many in all.
   *
   * @return the stanzas that it had not acknowledged before
   * @throws IOException if there never were so many
   */
  synchronized List<String> upTo(long count) throws IOException {
    long more = Math.floorMod(count - acknowledged, NUMBERS);
    if (count < 0 || more > open.size()) {
      throw new IOException("the server acknowledges what was not sent");
    }
    List<String> had = new ArrayList<>();
    for (long i = 0; i < more; i++) {
      had.add(open.remove());
    }
    acknowledged = count;
    return had;
  }

  /** What the server has not acknowledged counts no more: it was not sent. */
  synchronized List<String> withdrawRest() {
    List<String> rest = List.copyOf(open);
    open.clear();
    return rest;
  }

  /** A stanza of the server is stored, or of no interest. */
  synchronized void handledOne() {
    handled = (handled + 1) % NUMBERS;
  }

  synchronized long handled() {
    return handled;
  }
}
