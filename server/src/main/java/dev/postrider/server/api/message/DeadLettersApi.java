package dev.postrider.server.api.message;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.message.Status;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.PageRoom;
import dev.postrider.server.api.Route;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Looking at messages that ended undelivered, and giving them another chance. */
public final class DeadLettersApi {
  private static final int PAGE = 200;
  private static final Set<Status> DEAD = EnumSet.of(Status.FAILED, Status.EXPIRED, Status.HELD);

  private static final String[] FILTERS = MessageFilters.parameters();

  private final EngineState engineState;

  /** A slow reader of an export keeps nobody from reading lists. */
  private final PageRoom exports = new PageRoom();

  public DeadLettersApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/dead-letters", this::list, FILTERS),
        Route.get("/v1/dead-letters/export", this::export, FILTERS),
        Route.get("/v1/dead-letters/groups", this::groups, "account", "status", "since", "until"),
        Route.act("/v1/dead-letters/replay", this::replayMany),
        Route.act("/v1/dead-letters/discard", this::discardMany),
        Route.get("/v1/dead-letters/{id}", this::show),
        Route.act("/v1/dead-letters/{id}/replay", this::replay),
        Route.delete("/v1/dead-letters/{id}", this::discard));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    MessageFilter filter = dead(MessageFilters.of(call));
    return MessagesApi.page(
        postrider, call, (cursor, limit) -> postrider.list(filter, cursor, limit));
  }

  private ApiResponse groups(ApiRequest call) {
    Set<Status> statuses = dead(MessageFilter.ALL.with(call.statuses())).statuses();
    DeadLetterGroups groups =
        engineState
            .postrider()
            .deadLetterGroups(
                call.query("account"),
                statuses,
                ApiRequest.instant("since", call.query("since")),
                ApiRequest.instant("until", call.query("until")));
    return ApiResponse.json(
        200,
        json -> {
          Json.objects(json, "items", groups.groups(), group -> write(json, group));
          json.writeBooleanProperty("complete", groups.complete());
        });
  }

  private static void write(JsonGenerator json, DeadLetterGroups.Group group) {
    json.writeStringProperty("account", group.account());
    Json.word(json, "status", group.status());
    Json.text(json, "reason", group.reason());
    Json.text(json, "error", group.error());
    json.writeNumberProperty("messages", group.messages());
    json.writeNumberProperty("replayed", group.replayed());
    Json.instant(json, "oldestAt", group.oldestAt());
    Json.instant(json, "newestAt", group.newestAt());
    json.writeStringProperty("exampleId", group.example().toString());
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    StoredMessage stored = MessagesApi.found(postrider, call.id());
    if (!stored.status().deadLetter()) {
      throw HttpProblem.notFound(
          "Message %s is no dead letter; it is %s."
              .formatted(stored.id(), Json.word(stored.status())));
    }
    return MessagesApi.full(postrider, 200, stored);
  }

  private ApiResponse replay(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Delivery again =
        MessageJson.changes(call)
            .map(change -> postrider.replay(call.id(), change))
            .orElseGet(() -> postrider.replay(call.id()));
    return MessagesApi.full(postrider, 202, again.message());
  }

  private ApiResponse discard(ApiRequest call) {
    engineState.postrider().discard(call.id());
    return ApiResponse.nothing();
  }

  private ApiResponse export(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    MessageFilter filter = dead(MessageFilters.of(call));
    return new ApiResponse.Streamed(
        Json.LINES,
        Map.of("Content-Disposition", "attachment; filename=\"dead-letters.ndjson\""),
        out -> each(postrider, filter, letter -> writeLine(postrider, out, letter)));
  }

  private static void writeLine(Postrider postrider, OutputStream out, StoredMessage letter) {
    try (JsonGenerator json = Json.generator(new Unclosed(out))) {
      json.writeStartObject();
      MessagesApi.members(postrider, json, letter);
      json.writeEndObject();
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

  /** Replays all that match in the order of their lanes; those that are named also once more. */
  private ApiResponse replayMany(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    JsonFields options = call.options(Selection.options());
    Selection selection = new Selection(options, DEAD, postrider);
    Refusals refusals = new Refusals();
    Page<Selection.Chosen> named = new Page<>(selection.named(refusals), null);
    return new Replays<Selection.Chosen, Selection.Chosen>(
            Function.identity(),
            letter -> selection.isNamed() || !letter.replayed(),
            Selection.Chosen.IN_ORDER,
            letter -> letter.id().toString(),
            letter -> laneNow(postrider, letter.lane()),
            letter -> postrider.replay(letter.id()).id().toString())
        .run(
            call,
            options,
            cursor -> selection.isNamed() ? named : selection.page(cursor, PAGE),
            refusals);
  }

  /** A chat that has moved is one lane, whatever it was called. */
  private static Lane laneNow(Postrider postrider, Lane lane) {
    return new Lane(lane.account(), postrider.chatName(lane.account(), lane.chat()));
  }

  private ApiResponse discardMany(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    JsonFields options = call.options(Selection.options("cursor"));
    Selection selection = new Selection(options, DEAD, postrider).deliberate(options);
    return new BulkAction(postrider::discard).run(call, options, selection);
  }

  private void each(Postrider postrider, MessageFilter filter, Consumer<StoredMessage> action) {
    @Nullable String cursor = null;
    do {
      exports.enter();
      try {
        Page<StoredMessage> page = postrider.list(filter, cursor, PAGE);
        page.items().forEach(action);
        cursor = page.next();
      } finally {
        exports.leave();
      }
    } while (cursor != null);
  }

  /** Dead letters only. */
  private static MessageFilter dead(MessageFilter filter) {
    if (!DEAD.containsAll(filter.statuses())) {
      throw HttpProblem.invalid("status", "must be failed, expired or held");
    }
    return filter.statuses().isEmpty() ? filter.with(DEAD) : filter;
  }
}
