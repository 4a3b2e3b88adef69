package dev.postrider.jdbc.message;

import dev.postrider.jdbc.session.PrintableNames;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneState;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.PausedLane;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Pages of lanes: those that hold messages, and those that are paused. */
public final class LanePages {
  /** Lanes read at once in the order of their age. */
  private static final int AT_ONCE = 500;

  private static final Comparator<String> CODE_POINTS =
      (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

  private LanePages() {}

  public record Name(String account, String chat) {}

  /** A lane by the moment its oldest message was accepted, and the account's number. */
  public record Aged(long oldest, int account, String chat) {
    static final Aged FIRST = new Aged(Long.MIN_VALUE, 0, "");
  }

  /** What a list of lanes is made of. Chats come in the order of their code points. */
  public interface Lanes {
    List<PausedLane> paused() throws SQLException;

    List<String> accounts() throws SQLException;

    /** The first lane after this one that holds messages. */
    @Nullable String after(String account, String chat) throws SQLException;

    /** Whether the lane holds messages, be it outside its order. */
    boolean holds(String account, String chat) throws SQLException;

    /** Lanes with a message under way. */
    List<Name> sendingLanes() throws SQLException;

    /** Lanes that hold messages, the oldest first. */
    List<Aged> byAge(@Nullable String account, Aged after, int limit) throws SQLException;

    String nameOf(int account) throws SQLException;

    LaneView view(String account, String chat, @Nullable PausedLane paused) throws SQLException;
  }

  private static Map<String, TreeMap<String, PausedLane>> paused(Lanes lanes) throws SQLException {
    Map<String, TreeMap<String, PausedLane>> paused = new HashMap<>();
    for (PausedLane lane : lanes.paused()) {
      paused
          .computeIfAbsent(lane.account(), _ -> new TreeMap<>(CODE_POINTS))
          .put(lane.chat(), lane);
    }
    return paused;
  }

  // ---- by account and chat

  /** Finds the first lane of an account after a chat. */
  @FunctionalInterface
  private interface Next {
    @Nullable String after(String account, String chat) throws SQLException;
  }

  public static Page<LaneView> byName(
      Lanes lanes, LaneFilter filter, @Nullable String cursor, int limit) throws SQLException {
    Map<String, TreeMap<String, PausedLane>> paused = paused(lanes);
    Next next = next(lanes, filter, paused);
    String account = filter.account();
    List<String> names =
        account != null ? List.of(account) : lanes.accounts().stream().sorted(CODE_POINTS).toList();
    List<String> from = cursor == null ? List.of("", "") : PrintableNames.decode(cursor, 2);
    List<LaneView> items = new ArrayList<>();
    for (String name : names) {
      int place = CODE_POINTS.compare(name, from.getFirst());
      if (place < 0) {
        continue;
      }
      TreeMap<String, PausedLane> stopped = paused.getOrDefault(name, new TreeMap<>(CODE_POINTS));
      for (String chat = next.after(name, place == 0 ? from.getLast() : "");
          chat != null;
          chat = next.after(name, chat)) {
        LaneView view = fitting(lanes, filter, name, chat, stopped.get(chat));
        if (view != null && items.size() == limit) {
          LaneView last = items.getLast();
          return new Page<>(items, PrintableNames.encode(last.account(), last.chat()));
        }
        if (view != null) {
          items.add(view);
        }
      }
    }
    return new Page<>(items, null);
  }

  /** The lane, if it fits; one that is paused is not read for nothing. */
  private static @Nullable LaneView fitting(
      Lanes lanes, LaneFilter filter, String account, String chat, @Nullable PausedLane paused)
      throws SQLException {
    LaneState wanted = filter.state();
    if (wanted != null && (wanted == LaneState.PAUSED) != (paused != null)) {
      return null;
    }
    LaneView view = lanes.view(account, chat, paused);
    return wanted == null || view.state() == wanted ? view : null;
  }

  private static Next next(
      Lanes lanes, LaneFilter filter, Map<String, TreeMap<String, PausedLane>> paused)
      throws SQLException {
    String wanted = filter.chat();
    if (wanted != null) {
      return (account, chat) ->
          CODE_POINTS.compare(chat, wanted) < 0
                  && (lanes.holds(account, wanted)
                      || paused.getOrDefault(account, new TreeMap<>()).containsKey(wanted))
              ? wanted
              : null;
    }
    Next stopped =
        (account, chat) -> {
          TreeMap<String, PausedLane> ofAccount = paused.get(account);
          return ofAccount == null ? null : ofAccount.higherKey(chat);
        };
    return switch (filter.state()) {
      case PAUSED -> stopped;
      case WAITING -> lanes::after;
      case SENDING -> {
        Map<String, TreeSet<String>> sending = new HashMap<>();
        for (Name lane : lanes.sendingLanes()) {
          sending.computeIfAbsent(lane.account(), _ -> new TreeSet<>(CODE_POINTS)).add(lane.chat());
        }
        yield (account, chat) -> {
          TreeSet<String> ofAccount = sending.get(account);
          return ofAccount == null ? null : ofAccount.higher(chat);
        };
      }
      case null ->
          (account, chat) -> {
            String stored = lanes.after(account, chat);
            String other = stopped.after(account, chat);
            return stored == null || (other != null && CODE_POINTS.compare(other, stored) < 0)
                ? other
                : stored;
          };
    };
  }

  // ---- by age

  public static Page<LaneView> byAge(
      Lanes lanes, LaneFilter filter, @Nullable String cursor, int limit) throws SQLException {
    Map<String, TreeMap<String, PausedLane>> paused = paused(lanes);
    Aged from = cursor == null ? Aged.FIRST : parse(cursor);
    List<LaneView> items = new ArrayList<>();
    String last = null;
    while (true) {
      List<Aged> walked = lanes.byAge(filter.account(), from, AT_ONCE);
      for (Aged lane : walked) {
        from = lane;
        String account = lanes.nameOf(lane.account);
        TreeMap<String, PausedLane> stopped = paused.get(account);
        LaneView view =
            fitting(
                lanes, filter, account, lane.chat, stopped == null ? null : stopped.get(lane.chat));
        if (view != null && items.size() == limit) {
          return new Page<>(items, last);
        }
        if (view != null) {
          items.add(view);
          last =
              PrintableNames.encode(
                  Long.toString(lane.oldest), Integer.toString(lane.account), lane.chat);
        }
      }
      if (walked.size() < AT_ONCE) {
        return new Page<>(items, null);
      }
    }
  }

  private static Aged parse(String cursor) {
    List<String> names = PrintableNames.decode(cursor, 3);
    try {
      return new Aged(Long.parseLong(names.get(0)), Integer.parseInt(names.get(1)), names.get(2));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list", e);
    }
  }
}
