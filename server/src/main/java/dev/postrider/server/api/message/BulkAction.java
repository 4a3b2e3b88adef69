package dev.postrider.server.api.message;

import dev.postrider.message.MessageId;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Page;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does one thing to many messages: so many with one request, and the answer says where the next one
 * goes on. What was refused is behind, so that whoever repeats it until {@code more} is false comes
 * to an end. For one request.
 */
final class BulkAction {
  private static final int PAGE = 200;
  private static final int USUAL = 1_000;
  private static final int MOST = 10_000;

  /** Messages looked at for one request whose filter no index answers. */
  private static final int MOST_LOOKED_AT = 20_000;

  private final Refusals refusals = new Refusals();
  private final RefusableAction action;
  private boolean dryRun;
  private int matched;
  private int done;
  private @Nullable String next;

  BulkAction(Consumer<MessageId> action) {
    this.action = new RefusableAction(action, refusals);
  }

  ApiResponse run(ApiRequest call, JsonFields options, Selection selection) {
    dryRun = options.flag("dryRun", false);
    int limit = options.number("limit", 1, MOST, USUAL);
    if (selection.isNamed()) {
      List<Selection.Chosen> named = selection.named(refusals);
      matched = named.size();
      apply(named);
    } else {
      walk(selection, options.filled("cursor"), limit);
    }
    call.tell("matched", matched);
    call.tell("done", done);
    return ApiResponse.json(
        200,
        json -> {
          json.writeBooleanProperty("dryRun", dryRun);
          json.writeNumberProperty("matched", matched);
          json.writeNumberProperty("done", done);
          refusals.write(json);
          json.writeBooleanProperty("more", next != null);
          Json.text(json, "next", next);
        });
  }

  private void walk(Selection selection, @Nullable String from, int limit) {
    next = from;
    int looked = 0;
    do {
      Page<Selection.Chosen> page = selection.page(next, Math.min(PAGE, limit - matched));
      Page.@Nullable Scanned scanned = page.scanned();
      looked += scanned == null ? 0 : scanned.count();
      matched += page.items().size();
      apply(page.items());
      next = page.next();
    } while (next != null && matched < limit && looked < MOST_LOOKED_AT);
  }

  private void apply(List<Selection.Chosen> chosen) {
    if (!dryRun) {
      done += action.apply(chosen.stream().map(Selection.Chosen::id).toList());
    }
  }
}
