package dev.postrider.jdbc.inbound;

import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.PrintableNames;
import dev.postrider.jdbc.session.Values;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pages of sessions, and of what was heard and said in one. */
public final class SessionPages {
  private static final UUID LOWEST = new UUID(0, 0);
  private static final UUID HIGHEST = new UUID(-1, -1);

  private SessionPages() {}

  private static IllegalArgumentException unknown(String cursor) {
    return new IllegalArgumentException("'" + cursor + "' is not a cursor of this list");
  }

  // ---- sessions

  /** Sessions in the order of their last word, and of their names, from the far end down. */
  @FunctionalInterface
  public interface Sessions {
    List<SessionView> before(long lastTime, String name, int limit) throws SQLException;
  }

  public static Page<SessionView> sessions(Sessions index, @Nullable String cursor, int limit)
      throws SQLException {
    long time = Long.MAX_VALUE;
    String name = "";
    if (cursor != null) {
      int split = cursor.indexOf('-', 1);
      try {
        time = Long.parseLong(cursor, 0, Math.max(split, 0), 10);
        name = PrintableNames.decode(cursor.substring(split + 1), 1).getFirst();
      } catch (IllegalArgumentException e) {
        throw unknown(cursor);
      }
    }
    List<SessionView> items = index.before(time, name, limit);
    SessionView last = items.size() < limit ? null : items.getLast();
    return new Page<>(
        items,
        last == null
            ? null
            : Values.micros(last.lastAt()) + "-" + PrintableNames.encode(last.id()));
  }

  // ---- history

  /** What was heard and said in a session, each in its order, from the far end down. */
  public interface History {
    /** By time and row. */
    PagePortion<StoredInbound> heard(long beforeTime, long beforeRow, int limit)
        throws SQLException;

    /** By time and id. */
    PagePortion<SessionReply> said(long beforeTime, UUID beforeId, int limit) throws SQLException;
  }

  /** Puts both in one order, the newest first; of the same moment, what was said is the newer. */
  public static Page<SessionEntry> history(History session, @Nullable String cursor, int limit)
      throws SQLException {
    Place from = cursor == null ? Place.END : Place.parse(cursor);
    PagePortion<StoredInbound> heard = session.heard(from.time, from.row, limit);
    PagePortion<SessionReply> said = session.said(from.time, from.id, limit);
    List<SessionEntry> items = new ArrayList<>();
    long bytes = 0;
    int h = 0;
    int s = 0;
    while (items.size() < limit && bytes < Page.MOST_BYTES) {
      boolean heardAll = h == heard.rows().size();
      boolean saidAll = s == said.rows().size();
      if ((heardAll && saidAll) || (heardAll && heard.cut()) || (saidAll && said.cut())) {
        break; // what comes next is not known
      }
      if (heardAll || (!saidAll && !said.at(s).at().isBefore(heard.at(h).receivedAt()))) {
        bytes += said.rows().get(s).bytes();
        items.add(new SessionEntry.Said(said.at(s++)));
      } else {
        bytes += heard.rows().get(h).bytes();
        items.add(new SessionEntry.Heard(heard.at(h++)));
      }
    }
    boolean more =
        heard.rows().size() + said.rows().size() > items.size()
            || heard.mayGoOn(limit)
            || said.mayGoOn(limit);
    return new Page<>(items, more ? Place.after(items.getLast()).toString() : null);
  }

  /** Goes before whatever it names: a time, then ids of that time, then rows of that time. */
  private record Place(long time, long row, UUID id) {
    static final Place END = new Place(Long.MAX_VALUE, Long.MAX_VALUE, HIGHEST);

    static Place after(SessionEntry last) {
      long time = Values.micros(last.at());
      return switch (last) {
        case SessionEntry.Heard heard -> new Place(time, heard.inbound().row(), LOWEST);
        case SessionEntry.Said said -> new Place(time, Long.MAX_VALUE, said.message().id().value());
      };
    }

    static Place parse(String cursor) {
      String[] fields = cursor.split("-", 3);
      try {
        return new Place(
            Long.parseLong(fields[0]), Long.parseLong(fields[1]), UUID.fromString(fields[2]));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw unknown(cursor);
      }
    }

    @Override
    public String toString() {
      return time + "-" + row + "-" + id;
    }
  }
}
