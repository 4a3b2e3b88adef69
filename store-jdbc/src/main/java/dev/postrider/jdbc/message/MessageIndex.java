package dev.postrider.jdbc.message;

import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The indexes that messages can be walked by, each from its far end down. */
public enum MessageIndex {
  /** All, the last accepted first. */
  ROWS('a', ReadQuery.LIST_ALL, ReadQuery.SKIP_ALL, null),
  CHAT('c', ReadQuery.LIST_CHAT, ReadQuery.SKIP_CHAT, null),
  ACCOUNT('n', ReadQuery.LIST_ACCOUNT, ReadQuery.SKIP_ACCOUNT, null),
  TURN('t', ReadQuery.LIST_TURN, ReadQuery.SKIP_TURN, null),
  SESSION('s', ReadQuery.LIST_SESSION, ReadQuery.SKIP_SESSION, null),
  RUN('r', ReadQuery.LIST_RUN, ReadQuery.SKIP_RUN, null),
  REASON('w', ReadQuery.LIST_REASON, ReadQuery.SKIP_REASON, null),
  /** Of one account, those that got so far by the platform's word. */
  RECEIPT_STATUS('p', ReadQuery.LIST_RECEIPT_STATUS, ReadQuery.SKIP_RECEIPT_STATUS, null),
  /** Of one account, by when they were accepted. */
  CREATED('b', ReadQuery.LIST_CREATED, ReadQuery.SKIP_CREATED, StoredMessage::createdAt),
  /** Queued ones by expiry. */
  EXPIRY('q', ReadQuery.LIST_QUEUED, ReadQuery.SKIP_QUEUED, StoredMessage::expiresAt),
  /** Dead letters by their end. */
  DEAD('d', ReadQuery.LIST_DEAD, ReadQuery.SKIP_DEAD, StoredMessage::endedAt),
  DEAD_OF_ACCOUNT(
      'e', ReadQuery.LIST_DEAD_OF_ACCOUNT, ReadQuery.SKIP_DEAD_OF_ACCOUNT, StoredMessage::endedAt);

  final char letter;
  public final ReadQuery list;
  public final ReadQuery skip;
  private final @Nullable Function<StoredMessage, @Nullable Instant> time;

  MessageIndex(
      char letter,
      ReadQuery list,
      ReadQuery skip,
      @Nullable Function<StoredMessage, @Nullable Instant> time) {
    this.letter = letter;
    this.list = list;
    this.skip = skip;
    this.time = time;
  }

  /** Whether a time leads, and rows only part what is of the same time. */
  public boolean byTime() {
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
