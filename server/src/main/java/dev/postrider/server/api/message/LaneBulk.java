package dev.postrider.server.api.message;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Does one thing to many lanes: so many with one request, and the answer says where the next one
 * goes on. For one request.
 */
final class LaneBulk {
  private static final int PAGE = 200;
  private static final int USUAL = 1_000;
  private static final int MOST = 10_000;

  /** Lanes looked at for one request. */
  private static final int MOST_LOOKED_AT = 20_000;

  private final Predicate<LaneView> fits;
  private final Consumer<Lane> action;
  private final List<Lane> done = new ArrayList<>();
  private final List<Outcome> refused = new ArrayList<>();
  private boolean dryRun;
  private int matched;
  private long messages;
  private @Nullable String next;

  private record Outcome(Lane lane, @Nullable String refusal) {}

  /**
   * @param fits whether there is something to do, of those that a filter finds
   * @param action does it, or throws why not
   */
  LaneBulk(Predicate<LaneView> fits, Consumer<Lane> action) {
    this.fits = fits;
    this.action = action;
  }

  ApiResponse run(ApiRequest call, JsonFields options, LaneSelection selection) {
    return run(call, options, selection, LaneBulk::write);
  }

  /**
   * @param item writes a lane that was changed
   */
  ApiResponse run(
      ApiRequest call,
      JsonFields options,
      LaneSelection selection,
      BiConsumer<JsonGenerator, Lane> item) {
    dryRun = options.flag("dryRun", false);
    int limit = options.number("limit", 1, MOST, USUAL);
    List<Lane> named = selection.named();
    if (named == null) {
      walk(selection, options.filled("cursor"), limit);
    } else {
      matched = named.size();
      apply(named);
    }
    call.tell("matched", matched);
    call.tell("done", done.size());
    return ApiResponse.json(200, json -> write(json, item));
  }

  private void walk(LaneSelection selection, @Nullable String from, int limit) {
    next = from;
    int looked = 0;
    do {
      Page<LaneView> page = selection.page(next, Math.min(PAGE, limit - matched));
      looked += page.scanned() == null ? page.items().size() : page.scanned().count();
      List<LaneView> fitting = page.items().stream().filter(fits).toList();
      matched += fitting.size();
      messages += fitting.stream().mapToLong(LaneView::depth).sum();
      apply(fitting.stream().map(WaitingFilter::name).toList());
      next = page.next();
    } while (next != null && matched < limit && looked < MOST_LOOKED_AT);
  }

  private void apply(List<Lane> lanes) {
    if (!dryRun) {
      for (Outcome outcome : AtOnce.each(lanes, this::applied)) {
        if (outcome.refusal == null) {
          done.add(outcome.lane);
        } else {
          refused.add(outcome);
        }
      }
    }
  }

  private Outcome applied(Lane lane) {
    try {
      action.accept(lane);
      return new Outcome(lane, null);
    } catch (Refused | InvalidInput e) {
      return new Outcome(lane, String.valueOf(e.getMessage()));
    }
  }

  private static void write(JsonGenerator json, Lane lane) {
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
  }

  private void write(JsonGenerator json, BiConsumer<JsonGenerator, Lane> item) {
    json.writeBooleanProperty("dryRun", dryRun);
    json.writeNumberProperty("matched", matched);
    json.writeNumberProperty("messages", messages);
    Json.objects(json, "items", done, lane -> item.accept(json, lane));
    json.writeNumberProperty("done", done.size());
    Json.objects(
        json,
        "refused",
        refused,
        each -> {
          write(json, each.lane);
          Json.text(json, "reason", each.refusal);
        });
    json.writeBooleanProperty("more", next != null);
    Json.text(json, "next", next);
  }
}
