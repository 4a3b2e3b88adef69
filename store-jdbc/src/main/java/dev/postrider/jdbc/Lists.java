package dev.postrider.jdbc;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.message.Status;
import dev.postrider.store.InboundFilter;
import dev.postrider.store.LaneView;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.PausedLane;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages of messages, events and lanes: which index to walk, where to go on, what to drop on the
 * way.
 */
public final class Lists {
  /** Rows looked at for one page of messages, whatever the filter. */
  private static final int PAGE_WORK = 2_000;

  private static final Comparator<String> CODE_POINTS =
      (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

  private Lists() {}

  // ---- messages

  /** The indexes that messages can be walked by, each from its far end down. */
  public interface Messages {
    List<StoredMessage> ofTurn(String turn, long beforeRow, int limit) throws SQLException;

    /** Queued ones by expiry. */
    List<StoredMessage> queued(long beforeTime, long beforeRow, int limit) throws SQLException;

    /** All that are under way, in any order. */
    List<StoredMessage> sending() throws SQLException;

    /** Dead letters by their end. */
    List<StoredMessage> dead(long beforeTime, long beforeRow, int limit) throws SQLException;

    List<StoredMessage> all(long beforeRow, int limit) throws SQLException;
  }

  /**
   * Walks the index that fits the filter best, and drops what the filter does not want on the way.
   */
  public static Page<StoredMessage> messages(
      Messages indexes, MessageFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    Cursor from = Cursor.parse(cursor);
    int work = Math.max(PAGE_WORK, limit);
    Set<Status> wanted = filter.statuses();
    List<StoredMessage> walked;
    boolean byEnd = false;
    boolean byExpiry = false;
    if (filter.turnId() != null) {
      walked = indexes.ofTurn(filter.turnId(), from.row, work);
    } else if (wanted.equals(Set.of(Status.QUEUED))) {
      byExpiry = true;
      walked = indexes.queued(from.time, from.row, work);
    } else if (wanted.equals(Set.of(Status.SENDING))) {
      walked =
          indexes.sending().stream()
              .filter(found -> found.row() < from.row)
              .sorted(Comparator.comparing(StoredMessage::row).reversed())
              .toList();
    } else if (!wanted.isEmpty()
        && EnumSet.of(Status.FAILED, Status.EXPIRED, Status.HELD).containsAll(wanted)) {
      byEnd = true;
      walked = indexes.dead(from.time, from.row, work);
    } else {
      walked = indexes.all(from.row, work);
    }
    List<StoredMessage> items = new ArrayList<>(limit);
    StoredMessage last = null;
    int seen = 0;
    for (StoredMessage candidate : walked) {
      if (items.size() == limit) {
        break;
      }
      seen++;
      last = candidate;
      if (matches(filter, candidate)) {
        items.add(candidate);
      }
    }
    boolean more = seen < walked.size() || walked.size() == work;
    return new Page<>(items, last == null || !more ? null : Cursor.after(last, byEnd, byExpiry));
  }

  private static boolean matches(MessageFilter filter, StoredMessage message) {
    return (filter.statuses().isEmpty() || filter.statuses().contains(message.status()))
        && (filter.account() == null || filter.account().equals(message.message().account()))
        && (filter.chat() == null || filter.chat().equals(message.message().to()))
        && (filter.turnId() == null || filter.turnId().equals(message.message().turnId()))
        && (filter.reason() == null || filter.reason().equals(message.reason()));
  }

  /** Where a list goes on: a time, if the index walked leads with one, and a row. */
  private record Cursor(long time, long row) {
    static Cursor parse(@Nullable String text) {
      if (text == null) {
        return new Cursor(Long.MAX_VALUE, Long.MAX_VALUE);
      }
      String[] numbers = text.split("-", -1);
      try {
        return new Cursor(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException("'" + text + "' is not a cursor of this list", e);
      }
    }

    static String after(StoredMessage last, boolean byEnd, boolean byExpiry) {
      Instant ended = last.endedAt();
      long time =
          byEnd && ended != null
              ? Values.micros(ended)
              : byExpiry ? Values.micros(last.expiresAt()) : 0;
      return time + "-" + last.row();
    }
  }

  // ---- events

  /** The indexes that events can be walked by, the newest first. */
  public interface Events {
    List<StoredInbound> ofSession(String session, long beforeRow, int limit) throws SQLException;

    List<StoredInbound> ofAccount(String account, long beforeRow, int limit) throws SQLException;

    /** Those that have not ended. */
    List<StoredInbound> active(long beforeRow, int limit) throws SQLException;

    /** Those that somebody has. */
    List<StoredInbound> leased(long beforeRow, int limit) throws SQLException;

    /** Dead letters. */
    List<StoredInbound> deadEvents(long beforeRow, int limit) throws SQLException;

    List<StoredInbound> events(long beforeRow, int limit) throws SQLException;
  }

  /**
   * Events can be large, so no more are read than were asked for; a page holds fewer where the
   * filter drops some that its index does not know apart.
   */
  public static Page<StoredInbound> events(
      Events indexes, InboundFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    long before = Cursor.parse(cursor).row;
    List<StoredInbound> walked = walk(indexes, filter, before, limit);
    List<StoredInbound> items =
        walked.stream()
            .filter(event -> filter.account() == null || filter.account().equals(event.account()))
            .filter(event -> filter.status() == null || filter.status() == event.status())
            .toList();
    return new Page<>(items, walked.size() < limit ? null : "0-" + walked.getLast().row());
  }

  private static List<StoredInbound> walk(
      Events indexes, InboundFilter filter, long before, int limit) throws SQLException {
    if (filter.sessionId() != null) {
      return indexes.ofSession(filter.sessionId(), before, limit);
    }
    InboundStatus status = filter.status();
    if (status == InboundStatus.PENDING) {
      return indexes.active(before, limit);
    }
    if (status == InboundStatus.LEASED) {
      return indexes.leased(before, limit);
    }
    if (status == InboundStatus.FAILED) {
      return indexes.deadEvents(before, limit);
    }
    return filter.account() != null
        ? indexes.ofAccount(filter.account(), before, limit)
        : indexes.events(before, limit);
  }

  // ---- lanes

  /** What a list of lanes is made of. Chats come in the order of their code points. */
  public interface Lanes {
    List<PausedLane> paused() throws SQLException;

    List<String> accounts() throws SQLException;

    /** The first lane after this one that holds messages. */
    @Nullable String after(String account, String chat) throws SQLException;

    LaneView view(String account, String chat, @Nullable PausedLane paused) throws SQLException;
  }

  /** Lanes by account and chat: those that hold messages, and those that are paused. */
  public static Page<LaneView> lanes(
      Lanes lanes, @Nullable String account, @Nullable String cursor, int limit)
      throws SQLException {
    Map<String, TreeMap<String, PausedLane>> paused = new HashMap<>();
    for (PausedLane lane : lanes.paused()) {
      paused
          .computeIfAbsent(lane.account(), _ -> new TreeMap<>(CODE_POINTS))
          .put(lane.chat(), lane);
    }
    List<String> names =
        account != null ? List.of(account) : lanes.accounts().stream().sorted(CODE_POINTS).toList();
    List<String> from = cursor == null ? List.of("", "") : PrintableNames.decode(cursor, 2);
    String fromAccount = from.getFirst();
    String fromChat = from.getLast();
    List<LaneView> items = new ArrayList<>();
    for (String name : names) {
      int place = CODE_POINTS.compare(name, fromAccount);
      if (place < 0) {
        continue;
      }
      TreeMap<String, PausedLane> stopped = paused.getOrDefault(name, new TreeMap<>(CODE_POINTS));
      for (String chat = next(lanes, name, place == 0 ? fromChat : "", stopped);
          chat != null;
          chat = next(lanes, name, chat, stopped)) {
        if (items.size() == limit) {
          LaneView last = items.getLast();
          return new Page<>(items, PrintableNames.encode(last.account(), last.chat()));
        }
        items.add(lanes.view(name, chat, stopped.get(chat)));
      }
    }
    return new Page<>(items, null);
  }

  private static @Nullable String next(
      Lanes lanes, String account, String chat, TreeMap<String, PausedLane> paused)
      throws SQLException {
    String stored = lanes.after(account, chat);
    String stopped = paused.higherKey(chat);
    if (stored == null || stopped == null) {
      return stored == null ? stopped : stored;
    }
    return CODE_POINTS.compare(stored, stopped) <= 0 ? stored : stopped;
  }
}
