package dev.postrider.server.api.message;

import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
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
  public ApiResponse run(JsonFields options, Pages<T> pages) {
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
    return replay(dryRun ? new ArrayDeque<>() : oldest, dryRun, matched);
  }

  private ApiResponse replay(Deque<I> oldest, boolean dryRun, long matched) {
    List<String> replayed = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Iterator<I> ids = oldest.descendingIterator(); ids.hasNext(); ) {
      try {
        replayed.add(replay.apply(ids.next()));
      } catch (Refused e) {
        refused.add(String.valueOf(e.getMessage()));
        if (e.why() == Refused.Cause.QUEUE_FULL || e.why() == Refused.Cause.STOPPING) {
          break; // the others would fare no better
        }
      }
    }
    return ApiResponse.json(200, json -> summary(json, dryRun, matched, replayed, refused));
  }

  private static void summary(
      JsonGenerator json,
      boolean dryRun,
      long matched,
      List<String> replayed,
      List<String> refused) {
    json.writeBooleanProperty("dryRun", dryRun);
    json.writeNumberProperty("matched", matched);
    json.writeNumberProperty("replayed", replayed.size());
    json.writeNumberProperty("remaining", matched - replayed.size());
    Json.value(json, "ids", replayed);
    Json.value(json, "errors", refused.stream().distinct().toList());
  }
}
