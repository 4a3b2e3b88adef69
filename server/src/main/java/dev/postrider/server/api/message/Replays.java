package dev.postrider.server.api.message;

import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Gives many dead letters another chance, the oldest first. The whole list is walked, whatever its
 * order, and the first that are wanted are kept; the answer says how many remain. Lanes are
 * replayed side by side, each in its order.
 *
 * @param <T> what is listed
 * @param <L> as much of it as is needed
 * @param open whether it was not replayed yet
 * @param order in which they were to be sent
 * @param lane that they belong to
 * @param replay gives the id of what it was replayed as
 */
public record Replays<T, L>(
    Function<T, L> letter,
    Predicate<T> open,
    Comparator<L> order,
    Function<L, String> id,
    Function<L, Object> lane,
    Function<L, String> replay) {
  private static final int MOST_AT_ONCE = 10_000;
  private static final int SIDE_BY_SIDE = 1_000;

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
    PriorityQueue<L> first = new PriorityQueue<>(order.reversed()); // the last of them is its head
    long matched = 0;
    @Nullable String cursor = null;
    do {
      Page<T> page = pages.from(cursor);
      for (T listed : page.items()) {
        if (open.test(listed)) {
          matched++;
          first.add(letter.apply(listed));
          if (first.size() > limit) {
            first.remove();
          }
        }
      }
      cursor = page.next();
    } while (cursor != null);
    Replayed replayed = new Replayed(dryRun, matched, refusals);
    if (!dryRun) {
      List<L> letters = first.stream().sorted(order).toList();
      for (int n = 0; n < letters.size() && replayed.goesOn; n += SIDE_BY_SIDE) {
        replay(letters.subList(n, Math.min(n + SIDE_BY_SIDE, letters.size())), replayed);
      }
    }
    call.tell("matched", matched);
    call.tell("replayed", replayed.ids.size());
    return ApiResponse.json(200, replayed::write);
  }

  private void replay(List<L> letters, Replayed replayed) {
    Map<Object, List<L>> lanes =
        letters.stream()
            .collect(Collectors.groupingBy(lane, LinkedHashMap::new, Collectors.toList()));
    AtOnce.each(List.copyOf(lanes.values()), letter -> replayLane(letter, replayed));
  }

  private boolean replayLane(List<L> letters, Replayed replayed) {
    for (L one : letters) {
      if (!replayed.goesOn) {
        return false;
      }
      try {
        replayed.is(replay.apply(one));
      } catch (Refused e) {
        replayed.refuse(id.apply(one), e);
      }
    }
    return true;
  }

  /** What has come of it. Thread-safe until it is written. */
  private static final class Replayed {
    private final boolean dryRun;
    private final long matched;
    private final Refusals refusals;
    private final List<String> ids = new ArrayList<>();
    private final Set<String> errors = new LinkedHashSet<>();
    private long tried;
    private volatile boolean goesOn = true;

    Replayed(boolean dryRun, long matched, Refusals refusals) {
      this.dryRun = dryRun;
      this.matched = matched;
      this.refusals = refusals;
    }

    synchronized void is(String replay) {
      tried++;
      ids.add(replay);
    }

    synchronized void refuse(String letter, Refused refused) {
      tried++;
      refusals.add(letter, refused);
      errors.add(String.valueOf(refused.getMessage()));
      if (refused.why() == Refused.Cause.QUEUE_FULL || refused.why() == Refused.Cause.STOPPING) {
        goesOn = false; // the others would fare no better
      }
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
