package dev.postrider.jdbc;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.InboundFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoredInbound;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of events: which index to walk, where to go on, what to drop on the way. */
public final class Lists {
  private Lists() {}

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
   * Events can be large, so no more are held at a time than were asked for; where the filter drops
   * some that its index does not know apart, it reads on.
   */
  public static Page<StoredInbound> events(
      Events indexes, InboundFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    long before = cursor == null ? Long.MAX_VALUE : row(cursor);
    List<StoredInbound> items = new ArrayList<>();
    while (true) {
      List<StoredInbound> walked = walk(indexes, filter, before, limit);
      for (StoredInbound event : walked) {
        boolean fits =
            (filter.account() == null || filter.account().equals(event.account()))
                && (filter.status() == null || filter.status() == event.status());
        if (fits && items.size() == limit) {
          return new Page<>(items, "0-" + items.getLast().row());
        }
        if (fits) {
          items.add(event);
        }
        before = event.row();
      }
      if (walked.size() < limit) {
        return new Page<>(items, null);
      }
    }
  }

  private static long row(String cursor) {
    try {
      if (cursor.startsWith("0-")) {
        return Long.parseLong(cursor, 2, cursor.length(), 10);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list");
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
}
