package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.message.EndReason;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The messages that a request is about: those that it names, or those that fit a filter. */
final class Selection {
  private static final int MOST_NAMED = 1_000;

  private final Postrider postrider;
  private final Set<Status> possible;
  private final @Nullable List<String> ids;
  private final MessageFilter filter;
  private final WaitingFilter waits;

  /**
   * One of them, as little of it as is needed.
   *
   * @param replayed whether it was sent again already
   * @param turn when its lane had come to it: that is the order of a lane
   */
  record Chosen(MessageId id, Lane lane, boolean replayed, Instant turn, long row) {
    static final Comparator<Chosen> IN_ORDER =
        Comparator.comparing(Chosen::turn).thenComparingLong(Chosen::row);

    static Chosen of(StoredMessage message) {
      return new Chosen(
          message.id(),
          new Lane(message.message().account(), message.message().to()),
          message.replayedAs() != null,
          turnOf(message),
          message.row());
    }

    /** A lane ends one after the other, but for what its platform says later. */
    private static Instant turnOf(StoredMessage message) {
      Instant ended = Objects.requireNonNullElse(message.endedAt(), Instant.MAX);
      return EndReason.RECEIPT_FAILED.label().equals(message.reason())
          ? Objects.requireNonNullElse(message.triedAt(), ended)
          : ended;
    }
  }

  /**
   * Reads it.
   *
   * @param possible statuses of messages that something can be done to
   * @throws HttpProblem if other statuses are asked for, or ids and a filter
   */
  Selection(JsonFields options, Set<Status> possible, Postrider postrider) {
    this.postrider = postrider;
    this.possible = possible;
    ids = options.texts("ids");
    MessageFilter given = MessageFilters.of(options);
    if (!possible.containsAll(given.statuses())) {
      throw HttpProblem.invalid("status", "must be " + words(possible));
    }
    filter = given.statuses().isEmpty() ? given.with(possible) : given;
    waits = WaitingFilter.of(options::filled);
    if (ids != null && (anyFilter(options) || options.flag("all", false))) {
      throw HttpProblem.invalid("ids", "are all there is to say; leave the filter out");
    }
    if (ids != null && ids.size() > MOST_NAMED) {
      throw HttpProblem.invalid("ids", "must not be more than " + MOST_NAMED);
    }
  }

  /** What a body may hold, besides what is given. */
  static String[] options(String... besides) {
    List<String> all = new ArrayList<>(List.of(besides));
    all.addAll(List.of("all", "ids", "limit", "dryRun"));
    return MessageFilters.options(all.toArray(String[]::new));
  }

  /** Refuses to be about everything unless that is said. */
  Selection deliberate(JsonFields options) {
    if (ids == null && !anyFilter(options) && !options.flag("all", false)) {
      throw HttpProblem.invalid(
          "all", "must be true if there is neither a filter nor ids: then it is about everything");
    }
    return this;
  }

  private boolean anyFilter(JsonFields options) {
    return MessageFilters.anyOf(options) || !waits.isAny();
  }

  /**
   * The filter, for messages in one of these statuses only if what they wait for is asked for.
   *
   * @throws HttpProblem if it asks for others
   */
  static MessageFilter narrowed(MessageFilter filter, WaitingFilter waits, Set<Status> waiting) {
    if (waits.isAny()) {
      return filter;
    }
    if (!waiting.containsAll(filter.statuses())) {
      throw HttpProblem.invalid(
          "status", "must be " + words(waiting) + " where what messages wait for is asked for");
    }
    return filter.with(waiting);
  }

  boolean isNamed() {
    return ids != null;
  }

  /** A page of those that fit the filter, the newest first. */
  Page<Chosen> page(@Nullable String cursor, int limit) {
    Page<StoredMessage> page;
    try {
      page = waits.messages(postrider, filter, cursor, limit);
    } catch (IllegalArgumentException e) {
      throw HttpProblem.brokenCursor();
    }
    return new Page<>(page.items().stream().map(Chosen::of).toList(), page.next(), page.scanned());
  }

  /** Those that are named, the newest first; the others are refused. */
  List<Chosen> named(Refusals refusals) {
    List<Chosen> chosen = new ArrayList<>();
    for (String id : ids == null ? List.<String>of() : ids.stream().distinct().toList()) {
      Optional<StoredMessage> found = find(id);
      if (found.isEmpty()) {
        refusals.add(id, "there is no message " + id);
      } else if (!possible.contains(found.get().status())) {
        refusals.add(id, "message %s is %s".formatted(id, Json.word(found.get().status())));
      } else {
        chosen.add(Chosen.of(found.get()));
      }
    }
    chosen.sort(Comparator.comparing((Chosen one) -> one.id().toString()).reversed());
    return chosen;
  }

  private Optional<StoredMessage> find(String id) {
    try {
      return postrider.find(MessageId.parse(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String words(Set<Status> possible) {
    return possible.stream().map(Json::word).sorted().collect(Collectors.joining(" or "));
  }
}
