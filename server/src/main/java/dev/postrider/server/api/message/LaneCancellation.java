package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.message.Status;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what is queued in many lanes: so many messages with one request, and the answer says
 * where the next one goes on. A lane that is too long for one request is where the next goes on;
 * one of which nothing could be cancelled is passed, so that whoever repeats it comes to an end.
 * For one request.
 */
final class LaneCancellation {
  private static final int PAGE = 200;
  private static final int USUAL = 1_000;
  private static final int MOST = 10_000;

  /** Lanes looked at for one request. */
  private static final int MOST_LOOKED_AT = 20_000;

  private final Postrider postrider;
  private final Refusals refusals = new Refusals();
  private final RefusableAction action;
  private boolean dryRun;
  private int limit;
  private int lanes;
  private long matched;
  private int done;
  private boolean more;
  private @Nullable String next;

  LaneCancellation(Postrider postrider) {
    this.postrider = postrider;
    this.action = new RefusableAction(postrider::cancel, refusals);
  }

  ApiResponse run(ApiRequest call, JsonFields options, LaneSelection selection) {
    dryRun = options.flag("dryRun", false);
    limit = options.number("limit", 1, MOST, USUAL);
    List<Lane> named = selection.named();
    if (named == null) {
      walk(selection, options.filled("cursor"));
    } else {
      named.forEach(lane -> more |= !cancel(lane, queued(lane)));
    }
    call.tell("matched", matched);
    call.tell("done", done);
    return ApiResponse.json(
        200,
        json -> {
          json.writeBooleanProperty("dryRun", dryRun);
          json.writeNumberProperty("lanes", lanes);
          json.writeNumberProperty("matched", matched);
          json.writeNumberProperty("done", done);
          refusals.write(json);
          json.writeBooleanProperty("more", more);
          Json.text(json, "next", next);
        });
  }

  private void walk(LaneSelection selection, @Nullable String from) {
    next = from;
    int looked = 0;
    do {
      @Nullable String here = next;
      Page<LaneView> page = selection.page(here, PAGE);
      looked += page.scanned() == null ? page.items().size() : page.scanned().count();
      next = page.next();
      for (int i = 0; i < page.items().size(); i++) {
        LaneView lane = page.items().get(i);
        if (!cancel(WaitingFilter.name(lane), queued(lane))) {
          next = i == 0 ? here : selection.page(here, i).next();
          more = true;
          return;
        }
      }
    } while (next != null && matched < limit && looked < MOST_LOOKED_AT);
    more = next != null;
  }

  private static long queued(LaneView lane) {
    return lane.headStatus() == Status.SENDING ? lane.depth() - 1 : lane.depth();
  }

  private long queued(Lane lane) {
    LaneFilter one = new LaneFilter(lane.account(), lane.chat(), null, false);
    return postrider.lanes(one, null, 1).items().stream().mapToLong(LaneCancellation::queued).sum();
  }

  /** Whether the lane is done with; if not, there is more in it than one request may cancel. */
  private boolean cancel(Lane lane, long queued) {
    if (queued == 0) {
      return true;
    }
    lanes++;
    matched += queued;
    if (dryRun) {
      return true;
    }
    MessageFilter filter =
        new MessageFilter.Builder()
            .statuses(Set.of(Status.QUEUED))
            .account(lane.account())
            .chat(lane.chat())
            .build();
    int before = done;
    @Nullable String cursor = null;
    do {
      Page<StoredMessage> page = postrider.list(filter, cursor, PAGE);
      done += action.apply(page.items().stream().map(StoredMessage::id).toList());
      cursor = page.next();
    } while (cursor != null && done < limit);
    return cursor == null || done == before;
  }
}
