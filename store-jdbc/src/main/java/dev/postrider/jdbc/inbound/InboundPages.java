package dev.postrider.jdbc.inbound;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of inbound messages: which index to walk, where to go on, what to drop on the way. */
public final class InboundPages {
  private InboundPages() {}

  // ---- inbound messages

  /** The indexes that inbound messages can be walked by, the newest first. */
  public interface Events {
    PagePortion<StoredInbound> ofSession(String session, long beforeRow, int limit)
        throws SQLException;

    PagePortion<StoredInbound> ofAccount(String account, long beforeRow, int limit)
        throws SQLException;

    /** Those that have not ended. */
    PagePortion<StoredInbound> active(long beforeRow, int limit) throws SQLException;

    /** Those that somebody has. */
    PagePortion<StoredInbound> leased(long beforeRow, int limit) throws SQLException;

    /** Dead letters. */
    PagePortion<StoredInbound> deadEvents(long beforeRow, int limit) throws SQLException;

    PagePortion<StoredInbound> events(long beforeRow, int limit) throws SQLException;
  }

  /**
   * Inbound messages can be large, so no more are held at a time than were asked for or have the
   * bytes of a page; where the filter drops some that its index does not know apart, it reads on.
   */
  public static Page<StoredInbound> events(
      Events indexes, InboundFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    long before = cursor == null ? Long.MAX_VALUE : row(cursor);
    List<StoredInbound> items = new ArrayList<>();
    long bytes = 0;
    while (true) {
      int wanted = bytes < Page.MOST_BYTES ? limit : 1;
      PagePortion<StoredInbound> walked = walk(indexes, filter, before, wanted);
      for (PagePortion.Sized<StoredInbound> row : walked.rows()) {
        StoredInbound inbound = row.item();
        boolean fits =
            (filter.account() == null || filter.account().equals(inbound.account()))
                && (filter.status() == null || filter.status() == inbound.status());
        if (fits && (items.size() == limit || bytes >= Page.MOST_BYTES)) {
          return new Page<>(items, "0-" + items.getLast().row());
        }
        if (fits) {
          items.add(inbound);
          bytes += row.bytes();
        }
        before = inbound.row();
      }
      if (!walked.mayGoOn(wanted)) {
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

  private static PagePortion<StoredInbound> walk(
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
