package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.message.MessageId;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.view.WaitingFor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Chooses by what messages and lanes wait for. Nothing of that is stored, so no index knows: those
 * that the other filters leave are looked at, so many for one page, and the page says how far that
 * went.
 *
 * @param kind one of {@link WaitingJson#KINDS}; null for any
 * @param cause to the letter; null for any
 */
record WaitingFilter(@Nullable String kind, @Nullable String cause) {
  static final WaitingFilter ANY = new WaitingFilter(null, null);

  /** Lanes or messages looked at for one page. */
  private static final int MOST_LOOKED_AT = 2_000;

  private static final int AT_ONCE = 500;

  /** As it is asked for under the names {@code waitingFor} and {@code cause}. */
  static WaitingFilter of(Function<String, @Nullable String> value) {
    @Nullable String kind = value.apply("waitingFor");
    return new WaitingFilter(
        kind == null ? null : ApiRequest.known("waitingFor", kind, WaitingJson.KINDS),
        value.apply("cause"));
  }

  boolean isAny() {
    return kind == null && cause == null;
  }

  private boolean fits(@Nullable WaitingFor wait) {
    return wait != null
        && (kind == null || kind.equals(wait.kind()))
        && (cause == null || cause.equals(wait.cause()));
  }

  /** A page of lanes; what each of them waits for is added to the map. */
  Page<LaneView> lanes(
      Postrider postrider,
      LaneFilter filter,
      @Nullable String cursor,
      int limit,
      Map<Lane, WaitingFor> waits) {
    Pages<LaneView> pages =
        (from, most) -> {
          Page<LaneView> page = postrider.lanes(filter, from, most);
          waits.putAll(
              postrider.waitingForLanes(page.items().stream().map(WaitingFilter::name).toList()));
          return page;
        };
    return isAny()
        ? pages.from(cursor, limit)
        : look(pages, lane -> waits.get(name(lane)), _ -> null, cursor, limit);
  }

  /** A page of messages. */
  Page<StoredMessage> messages(
      Postrider postrider, MessageFilter filter, @Nullable String cursor, int limit) {
    if (isAny()) {
      return postrider.list(filter, cursor, limit);
    }
    Map<MessageId, WaitingFor> waits = new HashMap<>();
    Pages<StoredMessage> pages =
        (from, most) -> {
          Page<StoredMessage> page = postrider.list(filter, from, most);
          waits.putAll(postrider.waitingFor(page.items()));
          return page;
        };
    return look(pages, message -> waits.get(message.id()), StoredMessage::createdAt, cursor, limit);
  }

  static Lane name(LaneView lane) {
    return new Lane(lane.account(), lane.chat());
  }

  @FunctionalInterface
  private interface Pages<T> {
    Page<T> from(@Nullable String cursor, int limit);
  }

  private <T> Page<T> look(
      Pages<T> pages,
      Function<T, @Nullable WaitingFor> waits,
      Function<T, @Nullable Instant> made,
      @Nullable String from,
      int limit) {
    List<T> found = new ArrayList<>();
    @Nullable String next = from;
    @Nullable Instant until = null;
    int looked = 0;
    do {
      Page<T> some = pages.from(next, AT_ONCE);
      int taken = 0;
      while (taken < some.items().size() && found.size() < limit) {
        T item = some.items().get(taken++);
        until = made.apply(item);
        if (fits(waits.apply(item))) {
          found.add(item);
        }
      }
      looked += Math.max(taken, some.scanned() == null ? 0 : some.scanned().count());
      // Whoever stops in the middle of a page asks where that is.
      next = taken == some.items().size() ? some.next() : pages.from(next, taken).next();
    } while (next != null && looked < MOST_LOOKED_AT && found.size() < limit);
    return new Page<>(found, next, new Page.Scanned(looked, until));
  }
}
