package dev.postrider.jdbc;

import dev.postrider.store.StoredMessage;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The indexes that messages can be walked by, each from its far end down. */
public enum MessageIndex {
  /** All, the last accepted first. */
  ROWS('a', Question.LIST_ALL, Question.SKIP_ALL, null),
  CHAT('c', Question.LIST_CHAT, Question.SKIP_CHAT, null),
  ACCOUNT('n', Question.LIST_ACCOUNT, Question.SKIP_ACCOUNT, null),
  TURN('t', Question.LIST_TURN, Question.SKIP_TURN, null),
  SESSION('s', Question.LIST_SESSION, Question.SKIP_SESSION, null),
  RUN('r', Question.LIST_RUN, Question.SKIP_RUN, null),
  REASON('w', Question.LIST_REASON, Question.SKIP_REASON, null),
  /** Of one account, by when they were accepted. */
  CREATED('b', Question.LIST_CREATED, Question.SKIP_CREATED, StoredMessage::createdAt),
  /** Queued ones by expiry. */
  EXPIRY('q', Question.LIST_QUEUED, Question.SKIP_QUEUED, StoredMessage::expiresAt),
  /** Dead letters by their end. */
  DEAD('d', Question.LIST_DEAD, Question.SKIP_DEAD, StoredMessage::endedAt),
  DEAD_OF_ACCOUNT(
      'e', Question.LIST_DEAD_OF_ACCOUNT, Question.SKIP_DEAD_OF_ACCOUNT, StoredMessage::endedAt);

  final char letter;
  final Question list;
  final Question skip;
  private final @Nullable Function<StoredMessage, @Nullable Instant> time;

  MessageIndex(
      char letter,
      Question list,
      Question skip,
      @Nullable Function<StoredMessage, @Nullable Instant> time) {
    this.letter = letter;
    this.list = list;
    this.skip = skip;
    this.time = time;
  }

  /** Whether a time leads, and rows only part what is of the same time. */
  boolean byTime() {
    return time != null;
  }

  Place place(StoredMessage message) {
    Instant at = time == null ? null : time.apply(message);
    return new Place(at == null ? 0 : Values.micros(at), message.row());
  }

  /** A place in an index: a time, if the index leads with one, and a row. */
  public record Place(long time, long row) implements Comparable<Place> {
    static final Place FIRST = new Place(Long.MAX_VALUE, Long.MAX_VALUE);
    static final Place LAST = new Place(Long.MIN_VALUE, Long.MIN_VALUE);

    @Override
    public int compareTo(Place other) {
      return time == other.time ? Long.compare(row, other.row) : Long.compare(time, other.time);
    }

    /** As clients are given it. */
    String cursor(char letter) {
      return letter + Long.toString(time) + "-" + row;
    }

    static Place parse(char letter, String cursor) {
      int split = cursor.lastIndexOf('-');
      try {
        if (!cursor.isEmpty() && cursor.charAt(0) == letter) {
          return new Place(
              Long.parseLong(cursor, 1, Math.max(split, 1), 10),
              Long.parseLong(cursor, split + 1, cursor.length(), 10));
        }
      } catch (NumberFormatException e) {
        // said below
      }
      throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list");
    }
  }
}
