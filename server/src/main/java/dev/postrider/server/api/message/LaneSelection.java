package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneState;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The lanes that a request is about: those that it names, or those that fit a filter. */
final class LaneSelection {
  private static final int MOST_NAMED = 1_000;

  private static final List<String> FILTERS =
      List.of("account", "to", "state", "waitingFor", "cause");

  private static final List<String> OTHERS = List.of("lanes", "all", "limit", "dryRun", "cursor");

  private final Postrider postrider;
  private final @Nullable List<Lane> named;
  private final LaneFilter filter;
  private final WaitingFilter waits;

  /**
   * Reads it.
   *
   * @throws HttpProblem if it names lanes and has a filter, or would be about everything unasked
   */
  LaneSelection(JsonFields options, Postrider postrider) {
    this.postrider = postrider;
    named = named(options);
    @Nullable String state = options.filled("state");
    filter =
        new LaneFilter(
            options.filled("account"),
            options.filled("to"),
            state == null ? null : ApiRequest.choice("state", state, LaneState.values()),
            false);
    waits = WaitingFilter.of(options::filled);
    boolean narrow = filter.state() != null || filter.chat() != null || !waits.isAny();
    if (named == null && !narrow && !options.flag("all", false)) {
      throw HttpProblem.invalid(
          "all",
          "must be true if no lane is named, and no chat, state or cause: then it is about all"
              + " lanes, or all of the account");
    }
  }

  /** What a body may hold, besides what is given. */
  static String[] options(String... besides) {
    return Stream.of(FILTERS, OTHERS, List.of(besides))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  private static @Nullable List<Lane> named(JsonFields options) {
    if (options.has("lanes")) {
      if (FILTERS.stream().anyMatch(options::has) || options.flag("all", false)) {
        throw HttpProblem.invalid("lanes", "name account and to each; leave these out beside them");
      }
      List<Lane> lanes =
          options.objects("lanes").stream()
              .map(lane -> lane.only(List.of("account", "to")))
              .map(lane -> new Lane(lane.required("account"), lane.required("to")))
              .toList();
      if (lanes.isEmpty() || lanes.size() > MOST_NAMED) {
        throw HttpProblem.invalid("lanes", "must be from 1 to " + MOST_NAMED);
      }
      return lanes;
    }
    return isOne(options)
        ? List.of(new Lane(options.required("account"), options.required("to")))
        : null;
  }

  /** Whether it is about the one lane that account and chat name. */
  static boolean isOne(JsonFields options) {
    boolean filtered =
        Stream.concat(FILTERS.stream().skip(2), OTHERS.stream()).anyMatch(options::has);
    return options.has("account") && options.has("to") && !filtered;
  }

  /** Those that are named; null if there is a filter. */
  @Nullable List<Lane> named() {
    return named;
  }

  /** A page of those that fit. */
  Page<LaneView> page(@Nullable String cursor, int limit) {
    try {
      return waits.lanes(postrider, filter, cursor, limit, new HashMap<>());
    } catch (IllegalArgumentException e) {
      throw HttpProblem.brokenCursor();
    }
  }
}
