package dev.postrider.jdbc.message;

import dev.postrider.jdbc.message.MessageIndex.Place;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.PagePortion.Sized;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Status;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A page of messages in the making.
 *
 * <p>It walks the narrowest index that the filter has a value for, from its far end down, a stretch
 * at a time: the database finds where the stretch ends, and gives what in it fits the rest of the
 * filter. What does not fit never leaves the database, so that a message is found behind any number
 * of others; between two stretches the reader is free for others. The page ends when it is full, by
 * number or by bytes, and there is one more, or when the index ends.
 *
 * <p>What no index and no column knows (text, metadata, receipts) is looked for in the messages
 * themselves, so many for one page; the page says how far that went.
 *
 * <p>For one caller.
 */
public final class MessageWalk {
  /** Rows of an index passed with one question. */
  private static final int STRETCH = 5_000;

  /** Messages read for one page whose filter no index answers. */
  private static final int MOST_READ = 5_000;

  /** And how many bytes of them. */
  private static final long MOST_BYTES_READ = 64 << 20;

  /** Of those, how many are held in memory. */
  private static final int AT_ONCE = 500;

  /** Of cursors in a list that no index is walked for. */
  private static final char FEW = 'f';

  private static final Set<Status> DEAD = EnumSet.of(Status.FAILED, Status.EXPIRED, Status.HELD);

  /** What a walk asks a database. */
  public interface Messages {
    /** Whether the database has it; a broader one must do otherwise. */
    boolean has(MessageIndex index);

    /**
     * The place so many rows further down, or null if the index ends before. Whoever knows that
     * nothing in between fits may go further.
     */
    @Nullable Place skip(
        MessageIndex index, @Nullable Object key, Place from, int rows, MessageFilter filter)
        throws SQLException;

    /**
     * What the database itself can tell to fit, from below one place down to the other, up to the
     * bytes of a page.
     *
     * @param chat the name, of those in the filter, to look for; null for any chat
     */
    PagePortion<StoredMessage> between(
        MessageIndex index,
        @Nullable Object key,
        Place from,
        Place to,
        MessageFilter filter,
        @Nullable String chat,
        int limit)
        throws SQLException;

    /** The rows of all that are under way, in any order. */
    List<Long> sending() throws SQLException;

    /** Of this account, or of any, those with the key. */
    List<StoredMessage> keyed(@Nullable String account, String key) throws SQLException;

    /** Of this account, or of any, those on whose receipt the platform reports. */
    List<StoredMessage> claimed(@Nullable String account, String receipt) throws SQLException;

    /** The number of this account, or those of all. */
    List<Integer> numbers(@Nullable String account) throws SQLException;
  }

  private final MessageFilter filter;
  private final @Nullable String cursor;
  private final int limit;
  private final boolean reads;
  private final List<StoredMessage> items = new ArrayList<>();
  private final List<@Nullable Object> keys = new ArrayList<>();
  private MessageIndex index = MessageIndex.ROWS;
  private Place from = Place.FIRST;
  private Place end = Place.LAST;
  private long bytes; // of the items
  private int looked;
  private long lookedBytes;
  private @Nullable Instant lookedUntil;
  private @Nullable String next;
  private boolean begun;
  private boolean done;

  public MessageWalk(MessageFilter filter, @Nullable String cursor, int limit) {
    this.filter = filter;
    this.cursor = cursor;
    this.limit = limit;
    this.reads =
        filter.text() != null
            || filter.receipt() != null
            || !filter.metadata().isEmpty()
            || (filter.receiptStatus() != null && isTied(filter));
  }

  /** Whether it names what only other indexes know than the one by receipt status. */
  private static boolean isTied(MessageFilter filter) {
    return filter.turnId() != null
        || filter.sessionId() != null
        || filter.runId() != null
        || filter.idempotencyKey() != null;
  }

  public boolean isDone() {
    return done;
  }

  public Page<StoredMessage> page() {
    return new Page<>(items, next, reads ? new Page.Scanned(looked, lookedUntil) : null);
  }

  /** Goes on for one stretch. */
  public void step(Messages messages) throws SQLException {
    if (!begun) {
      begun = true;
      List<StoredMessage> few = few(messages);
      if (few != null) {
        pick(few);
        return;
      }
      if (isSendingOnly()) {
        pickSending(messages);
        return;
      }
      choose(messages);
    }
    if (keys.isEmpty()) {
      done = true; // an account nobody knows
      return;
    }
    Place to = end;
    for (Object key : keys) {
      Place reached = messages.skip(index, key, from, Math.max(STRETCH / keys.size(), 100), filter);
      to = reached != null && reached.compareTo(to) > 0 ? reached : to;
    }
    int wanted = reads ? Math.min(MOST_READ - looked, AT_ONCE) : limit - items.size() + 1;
    if (isFull()) {
      wanted = 1; // only to see whether there is more
    }
    Stretch stretch = new Stretch(to, wanted);
    for (Object key : keys) {
      for (String chat : chats(key)) {
        stretch.add(messages.between(index, key, from, stretch.to, filter, chat, wanted));
      }
    }
    take(stretch.found);
    if (!done && stretch.isWhole) {
      from = to;
      done = to.equals(end);
    }
  }

  private boolean isFull() {
    return items.size() == limit || bytes >= Page.MOST_BYTES;
  }

  /** What was found under several keys, put in one order, and no more of it than may be held. */
  private final class Stretch {
    private final int wanted;
    private List<Sized<StoredMessage>> found = new ArrayList<>();
    private Place to; // nothing below it is wanted any more
    private boolean isWhole = true;

    Stretch(Place to, int wanted) {
      this.to = to;
      this.wanted = wanted;
    }

    void add(PagePortion<StoredMessage> more) {
      if (more.mayGoOn(wanted)) {
        endAt(index.place(more.rows().getLast().item()));
      }
      List<Sized<StoredMessage>> all = new ArrayList<>(found);
      all.addAll(more.rows());
      all.sort(
          Comparator.comparing((Sized<StoredMessage> row) -> index.place(row.item())).reversed());
      found = new ArrayList<>();
      long held = 0;
      for (Sized<StoredMessage> row : all) {
        Place place = index.place(row.item());
        if (place.compareTo(to) < 0) {
          break;
        }
        found.add(row);
        held += row.bytes();
        if (found.size() == wanted || held >= Page.MOST_BYTES) {
          endAt(place);
        }
      }
    }

    private void endAt(Place place) {
      isWhole = false;
      to = place.compareTo(to) > 0 ? place : to;
    }
  }

  /** The names of the chat to look for under this key. */
  private List<@Nullable String> chats(@Nullable Object key) {
    if (filter.chat() == null) {
      return Collections.singletonList(null);
    }
    return index == MessageIndex.CHAT
        ? List.of(String.valueOf(key))
        : filter.chats().stream().<@Nullable String>map(name -> name).toList();
  }

  private void take(List<Sized<StoredMessage>> found) {
    for (Sized<StoredMessage> row : found) {
      StoredMessage message = row.item();
      boolean fits = filter.matches(message);
      if (fits && isFull()) {
        stop(index.place(items.getLast()).cursor(index.letter));
        return;
      }
      if (fits) {
        items.add(message);
        bytes += row.bytes();
      }
      from = index.place(message);
      lookedUntil = message.createdAt();
      looked++;
      lookedBytes += row.bytes();
      if (reads && (looked == MOST_READ || lookedBytes >= MOST_BYTES_READ)) {
        stop(from.cursor(index.letter));
        return;
      }
    }
  }

  private void stop(String goesOnAt) {
    next = goesOnAt;
    done = true;
  }

  // ---- which index

  private void choose(Messages messages) throws SQLException {
    if (filter.account() != null && messages.numbers(filter.account()).isEmpty()) {
      return;
    }
    boolean byTime = filter.since() != null || filter.until() != null;
    if (filter.receiptStatus() != null) {
      index = MessageIndex.RECEIPT_STATUS;
      for (int number : messages.numbers(filter.account())) {
        keys.add(List.of(number, Values.state(filter.receiptStatus())));
      }
    } else if (filter.turnId() != null) {
      walk(MessageIndex.TURN, filter.turnId());
    } else if (filter.sessionId() != null) {
      walk(MessageIndex.SESSION, filter.sessionId());
    } else if (filter.runId() != null) {
      walk(MessageIndex.RUN, filter.runId());
    } else if (filter.chat() != null) {
      index = MessageIndex.CHAT;
      keys.addAll(filter.chats());
    } else if (filter.reason() != null && messages.has(MessageIndex.REASON)) {
      walk(MessageIndex.REASON, filter.reason());
    } else if (filter.statuses().equals(Set.of(Status.QUEUED))) {
      walk(MessageIndex.EXPIRY, null);
    } else if (!filter.statuses().isEmpty() && DEAD.containsAll(filter.statuses())) {
      boolean ofAccount = filter.account() != null && messages.has(MessageIndex.DEAD_OF_ACCOUNT);
      walk(
          ofAccount ? MessageIndex.DEAD_OF_ACCOUNT : MessageIndex.DEAD,
          ofAccount ? messages.numbers(filter.account()).getFirst() : null);
    } else if ((filter.account() != null || byTime) && messages.has(MessageIndex.CREATED)) {
      index = MessageIndex.CREATED;
      keys.addAll(messages.numbers(filter.account()));
      from = filter.until() == null ? from : new Place(Values.micros(filter.until()), 0);
      end = filter.since() == null ? end : new Place(Values.micros(filter.since()), 0);
    } else if (filter.account() != null) {
      walk(MessageIndex.ACCOUNT, messages.numbers(filter.account()).getFirst());
    } else {
      walk(MessageIndex.ROWS, null);
    }
    from = cursor == null ? from : Place.parse(index.letter, cursor);
  }

  private void walk(MessageIndex chosen, @Nullable Object key) {
    index = chosen;
    keys.add(key);
  }

  /** All there can be, if that is a handful; else null. */
  private @Nullable List<StoredMessage> few(Messages messages) throws SQLException {
    if (filter.receiptStatus() != null) {
      return null;
    }
    if (filter.idempotencyKey() != null) {
      return messages.keyed(filter.account(), filter.idempotencyKey());
    }
    if (filter.receipt() != null) {
      List<StoredMessage> claimed = messages.claimed(filter.account(), filter.receipt());
      if (!claimed.isEmpty()) {
        return claimed;
      }
    }
    return null;
  }

  /** Those under way are as few as there are attempts. */
  private boolean isSendingOnly() {
    boolean anyNarrower =
        filter.turnId() != null
            || filter.sessionId() != null
            || filter.runId() != null
            || filter.chat() != null
            || filter.receiptStatus() != null;
    return filter.statuses().equals(Set.of(Status.SENDING)) && !anyNarrower;
  }

  /** Few as they are, they can be large: they are read one by one. */
  private void pickSending(Messages messages) throws SQLException {
    long before = cursor == null ? Long.MAX_VALUE : Place.parse(FEW, cursor).row();
    List<Long> rows = messages.sending().stream().sorted(Comparator.reverseOrder()).toList();
    done = true;
    for (long row : rows) {
      if (row >= before) {
        continue;
      }
      Place place = new Place(0, row);
      Place above = new Place(0, row + 1);
      PagePortion<StoredMessage> one =
          messages.between(MessageIndex.ROWS, null, above, place, filter, null, 1);
      for (Sized<StoredMessage> found : one.rows()) {
        looked++;
        if (!filter.matches(found.item())) {
          continue;
        }
        if (isFull()) {
          next = new Place(0, items.getLast().row()).cursor(FEW);
          return;
        }
        items.add(found.item());
        bytes += found.bytes();
      }
    }
  }

  private void pick(List<StoredMessage> few) {
    long before = cursor == null ? Long.MAX_VALUE : Place.parse(FEW, cursor).row();
    List<StoredMessage> fitting =
        few.stream()
            .filter(message -> message.row() < before && filter.matches(message))
            .sorted(Comparator.comparing(StoredMessage::row, Collections.reverseOrder()))
            .toList();
    items.addAll(fitting.subList(0, Math.min(limit, fitting.size())));
    looked = few.size();
    done = true;
    if (fitting.size() > limit) {
      next = new Place(0, items.getLast().row()).cursor(FEW);
    }
  }
}
