package dev.postrider.server.api.message;

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
        Route.act("/v1/dead-letters/replay", this::replayMany),
        Route.get("/v1/dead-letters/{id}", this::show),
        Route.act("/v1/dead-letters/{id}/replay", this::replay),
        Route.delete("/v1/dead-letters/{id}", this::discard));
  }

  private ApiResponse list(ApiRequest call) {
    return MessagesApi.page(engineState.postrider(), dead(MessageFilters.of(call)), call);
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
    return MessagesApi.full(postrider, 202, postrider.replay(call.id()).message());
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

  /** Replays all that match in the order of their lanes. */
  private ApiResponse replayMany(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    JsonFields options = call.options(MessageFilters.options("limit", "dryRun"));
    MessageFilter filter = dead(MessageFilters.of(options));
    return new Replays<>(
            StoredMessage::id,
            letter -> letter.replayedAs() == null,
            id -> postrider.replay(id).id().toString())
        .run(options, cursor -> postrider.list(filter, cursor, PAGE));
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
