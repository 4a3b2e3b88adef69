package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.engine.Refused;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoredMessage;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Looking at messages that ended undelivered, and giving them another chance. */
final class DeadLettersApi {
  private static final int PAGE = 200;
  private static final int MOST_AT_ONCE = 10_000;
  private static final Set<Status> DEAD = EnumSet.of(Status.FAILED, Status.EXPIRED, Status.HELD);

  private final Life life;

  DeadLettersApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/dead-letters", this::list),
        Route.get("/v1/dead-letters/export", this::export),
        Route.act("/v1/dead-letters/replay", this::replayMany),
        Route.get("/v1/dead-letters/{id}", this::show),
        Route.act("/v1/dead-letters/{id}/replay", this::replay),
        Route.delete("/v1/dead-letters/{id}", this::discard));
  }

  private Answer list(Call call) {
    return MessagesApi.page(life.postrider(), filter(call), call);
  }

  private Answer show(Call call) {
    Postrider postrider = life.postrider();
    StoredMessage stored = MessagesApi.found(postrider, call.id());
    if (!stored.status().deadLetter()) {
      throw HttpProblem.notFound(
          "Message %s is no dead letter; it is %s."
              .formatted(stored.id(), Json.word(stored.status())));
    }
    return MessagesApi.full(postrider, 200, stored);
  }

  private Answer replay(Call call) {
    Postrider postrider = life.postrider();
    return MessagesApi.full(postrider, 202, postrider.replay(call.id()).message());
  }

  private Answer discard(Call call) {
    life.postrider().discard(call.id());
    return Answer.nothing();
  }

  private Answer export(Call call) {
    Postrider postrider = life.postrider();
    MessageFilter filter = filter(call);
    return new Answer.Streamed(
        Json.LINES,
        Map.of("Content-Disposition", "attachment; filename=\"dead-letters.ndjson\""),
        out -> each(postrider, filter, letter -> writeLine(postrider, out, letter)));
  }

  private static void writeLine(Postrider postrider, OutputStream out, StoredMessage letter) {
    try (JsonGenerator json = Json.generator(new Unclosed(out))) {
      MessagesApi.object(postrider, json, letter);
      json.writeRaw('\n');
    }
  }

  /** Lets a generator finish without ending the answer. */
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() {}
  }

  /**
   * Replays all that match and were not replayed yet, in the order they were first accepted: the
   * order of their lanes. Lists give the newest first, so the whole list is walked and the oldest
   * are kept; the answer says how many remain.
   */
  private Answer replayMany(Call call) {
    Postrider postrider = life.postrider();
    Map<String, Object> options =
        call.options(List.of("account", "to", "turnId", "status", "reason", "limit", "dryRun"));
    MessageFilter filter = filter(options);
    boolean dryRun = Boolean.TRUE.equals(options.get("dryRun"));
    int limit = limit(options.get("limit"));
    Deque<MessageId> oldest = new ArrayDeque<>();
    long[] matched = {0};
    each(
        postrider,
        filter,
        letter -> {
          if (letter.replayedAs() == null) {
            matched[0]++;
            oldest.addLast(letter.id());
            if (oldest.size() > limit) {
              oldest.removeFirst();
            }
          }
        });
    List<MessageId> replayed = new ArrayList<>();
    List<Refused> refused = new ArrayList<>();
    for (Iterator<MessageId> ids = oldest.descendingIterator(); ids.hasNext() && !dryRun; ) {
      try {
        replayed.add(postrider.replay(ids.next()).id());
      } catch (Refused e) {
        refused.add(e);
        if (e.why() == Refused.Cause.QUEUE_FULL || e.why() == Refused.Cause.STOPPING) {
          break; // the others would fare no better
        }
      }
    }
    return Answer.json(200, json -> summary(json, dryRun, matched[0], replayed, refused));
  }

  private static void summary(
      JsonGenerator json,
      boolean dryRun,
      long matched,
      List<MessageId> replayed,
      List<Refused> refused) {
    json.writeBooleanProperty("dryRun", dryRun);
    json.writeNumberProperty("matched", matched);
    json.writeNumberProperty("replayed", replayed.size());
    json.writeNumberProperty("remaining", matched - replayed.size());
    json.writeName("ids");
    Json.value(json, replayed);
    json.writeName("errors");
    Json.value(json, refused.stream().map(e -> String.valueOf(e.getMessage())).distinct().toList());
  }

  private static int limit(@Nullable Object given) {
    if (given == null) {
      return MOST_AT_ONCE;
    }
    if (given instanceof Integer limit && limit >= 1 && limit <= MOST_AT_ONCE) {
      return limit;
    }
    throw HttpProblem.invalid("limit", "must be a whole number from 1 to " + MOST_AT_ONCE);
  }

  private static void each(
      Postrider postrider, MessageFilter filter, Consumer<StoredMessage> action) {
    @Nullable String cursor = null;
    do {
      Page<StoredMessage> page = postrider.list(filter, cursor, PAGE);
      page.items().forEach(action);
      cursor = page.next();
    } while (cursor != null);
  }

  private static MessageFilter filter(Call call) {
    return filter(
        call.statuses(),
        call.query("account"),
        call.query("to"),
        call.query("turnId"),
        call.query("reason"));
  }

  private static MessageFilter filter(Map<String, Object> options) {
    @Nullable String status = textOrNull(options, "status");
    return filter(
        Call.statuses(status == null ? List.of() : List.of(status.split(","))),
        textOrNull(options, "account"),
        textOrNull(options, "to"),
        textOrNull(options, "turnId"),
        textOrNull(options, "reason"));
  }

  private static @Nullable String textOrNull(Map<String, Object> options, String name) {
    return options.containsKey(name) ? Call.text(options, name, null) : null;
  }

  private static MessageFilter filter(
      Set<Status> given,
      @Nullable String account,
      @Nullable String to,
      @Nullable String turnId,
      @Nullable String reason) {
    if (!DEAD.containsAll(given)) {
      throw HttpProblem.invalid("status", "must be failed, expired or held");
    }
    return new MessageFilter(given.isEmpty() ? DEAD : given, account, to, turnId, reason);
  }
}
