package dev.postrider.server.api.message;

import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Gives many dead letters another chance, the oldest first. Lists give the newest first, so the
 * whole list is walked and the oldest are kept; the answer says how many remain.
 *
 * @param open whether it was not replayed yet
 * @param replay gives the id of what it was replayed as
 */
public record Replays<T, I>(Function<T, I> id, Predicate<T> open, Function<I, String> replay) {
  private static final int MOST_AT_ONCE = 10_000;

  /** Where one page of a list goes on. */
  @FunctionalInterface
  public interface Pages<T> {
    Page<T> from(@Nullable String cursor);
  }

  /** Replays what is listed, with the options {@code limit} and {@code dryRun}. */
  public ApiResponse run(ApiRequest call, JsonFields options, Pages<T> pages) {
    return run(call, options, pages, new Refusals());
  }

  /** The same, where some were refused before. */
  ApiResponse run(ApiRequest call, JsonFields options, Pages<T> pages, Refusals refusals) {
    boolean dryRun = options.flag("dryRun", false);
    int limit = options.number("limit", 1, MOST_AT_ONCE, MOST_AT_ONCE);
    Deque<I> oldest = new ArrayDeque<>();
    long matched = 0;
    @Nullable String cursor = null;
    do {
      Page<T> page = pages.from(cursor);
      for (T letter : page.items()) {
        if (open.test(letter)) {
          matched++;
          oldest.addLast(id.apply(letter));
          if (oldest.size() > limit) {
            oldest.removeFirst();
          }
        }
      }
      cursor = page.next();
    } while (cursor != null);
    Replayed replayed = new Replayed(dryRun, matched, refusals);
    if (!dryRun) {
      replay(oldest, replayed);
    }
    call.tell("matched", matched);
    call.tell("replayed", replayed.ids.size());
    return ApiResponse.json(200, replayed::write);
  }

  private void replay(Deque<I> oldest, Replayed replayed) {
    for (Iterator<I> ids = oldest.descendingIterator(); ids.hasNext(); ) {
      I letter = ids.next();
      replayed.tried++;
      try {
        replayed.ids.add(replay.apply(letter));
      } catch (Refused e) {
        replayed.refuse(letter, e);
        if (e.why() == Refused.Cause.QUEUE_FULL || e.why() == Refused.Cause.STOPPING) {
          break; // the others would fare no better
        }
      }
    }
  }

  /** What has come of it. */
  private static final class Replayed {
    private final boolean dryRun;
    private final long matched;
    private final Refusals refusals;
    private final List<String> ids = new ArrayList<>();
    private final Set<String> errors = new LinkedHashSet<>();
    private long tried;

    Replayed(boolean dryRun, long matched, Refusals refusals) {
      this.dryRun = dryRun;
      this.matched = matched;
      this.refusals = refusals;
    }

    void refuse(Object letter, Refused refused) {
      refusals.add(letter, refused);
      errors.add(String.valueOf(refused.getMessage()));
    }

    void write(JsonGenerator json) {
      json.writeBooleanProperty("dryRun", dryRun);
      json.writeNumberProperty("matched", matched);
      json.writeNumberProperty("replayed", ids.size());
      json.writeNumberProperty("done", ids.size());
      json.writeNumberProperty("remaining", matched - ids.size());
      json.writeBooleanProperty("more", !dryRun && tried < matched);
      refusals.write(json);
      Json.value(json, "ids", ids);
      Json.value(json, "errors", errors);
    }
  }
}
