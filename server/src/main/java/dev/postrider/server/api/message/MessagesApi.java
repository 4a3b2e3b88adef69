package dev.postrider.server.api.message;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.ConnectionTraffic;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.view.Preview;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Sending messages and seeing where they stand. */
public final class MessagesApi {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final int MOST_WAITING = 256;

  private static final Set<Status> QUEUED = Set.of(Status.QUEUED);

  /** Filters that only messages have which wait. */
  private static final String[] WAITS = {"waitingFor", "cause"};

  private final EngineState engineState;
  private final MessageBatch batch;
  private final AtomicInteger waiting = new AtomicInteger();

  public MessagesApi(EngineState engineState, MessageBatch batch) {
    this.engineState = engineState;
    this.batch = batch;
  }

  public List<Route> routes() {
    return List.of(
        Route.send("/v1/messages", this::send),
        Route.send("/v1/messages/batch", batch::send),
        Route.send("/v1/messages/preview", this::preview),
        Route.list("/v1/messages", this::list, MessageFilters.parameters(WAITS)),
        Route.get("/v1/messages/{id}", this::show),
        Route.get("/v1/messages/{id}/parts", this::parts),
        Route.get("/v1/receipts", this::countReceipts, "account"),
        Route.act("/v1/messages/cancel", this::cancelMany),
        Route.act("/v1/messages/retry", this::retryMany),
        Route.act("/v1/messages/{id}/cancel", this::cancel),
        Route.act("/v1/messages/{id}/retry", this::retry));
  }

  private ApiResponse send(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    @Nullable Duration wait = call.duration("wait", LONGEST_WAIT);
    if (wait != null) {
      return sendAndWait(call, postrider, wait);
    }
    Delivery delivery = postrider.send(message(call, postrider));
    if (delivery.duplicate()) {
      return full(postrider, 200, delivery.status());
    }
    boolean durable = postrider.durable();
    return ApiResponse.json(
        202, json -> MessageJson.write(json, delivery.message(), List.of(), durable));
  }

  /** Whoever is one too many is told before the message is taken. */
  private ApiResponse sendAndWait(ApiRequest call, Postrider postrider, Duration wait) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      throw HttpProblem.notReady(
          ("Too many wait for the end of a message already; the limit is %d. Send it"
                  + " without 'wait', or ask again.")
              .formatted(MOST_WAITING));
    }
    try {
      // Only its id is kept: those who wait could hold a lot of memory otherwise.
      MessageId id = postrider.send(message(call, postrider)).id();
      ConnectionTraffic.current().passedOn();
      StoredMessage stands =
          postrider
              .await(id, wait)
              .orElseThrow(
                  () -> HttpProblem.notFound("Message " + id + " was discarded meanwhile."));
      return full(postrider, stands.status().ended() ? 200 : 202, stands);
    } finally {
      waiting.decrementAndGet();
    }
  }

  private static Message message(ApiRequest call, Postrider postrider) {
    if (MultipartForm.isForm(call)) {
      return call.traced(
          MultipartForm.read(call, postrider).attached(MessageJson.turns(postrider)));
    }
    byte[] body = call.json();
    return call.traced(MessageJson.read(body, 0, body.length, MessageJson.turns(postrider)));
  }

  /** The parts a message would become; nothing is sent. */
  private ApiResponse preview(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Message message = message(call, postrider);
    Preview preview = postrider.preview(message);
    return ApiResponse.json(
        200,
        json -> {
          json.writeStringProperty("account", message.account());
          json.writeStringProperty("to", message.to());
          MediaJson.write(json, preview);
        });
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    WaitingFilter waits = WaitingFilter.of(call::query);
    MessageFilter filter = Selection.narrowed(MessageFilters.of(call), waits, QUEUED);
    return page(
        postrider, call, (cursor, limit) -> waits.messages(postrider, filter, cursor, limit));
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(postrider, 200, found(postrider, call.id()));
  }

  /** What the platform is given, part by part. */
  private ApiResponse parts(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    StoredMessage stored = found(postrider, call.id());
    List<ReceiptState> receipts = receipts(postrider, stored);
    return ApiResponse.json(200, json -> MessageJson.writeParts(json, stored, receipts));
  }

  private ApiResponse countReceipts(ApiRequest call) {
    @Nullable String account = call.query("account");
    ReceiptCounts counts = engineState.postrider().countReceipts(account);
    return ApiResponse.json(
        200,
        json -> {
          Json.text(json, "account", account);
          for (DeliveryReport.State state : DeliveryReport.State.values()) {
            json.writeNumberProperty(state.label(), counts.of(state));
          }
          json.writeBooleanProperty("more", counts.more());
        });
  }

  private ApiResponse cancel(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(postrider, 200, postrider.cancel(call.id()));
  }

  private ApiResponse retry(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(postrider, 200, postrider.retry(call.id()));
  }

  private ApiResponse cancelMany(ApiRequest call) {
    return many(call, engineState.postrider()::cancel);
  }

  private ApiResponse retryMany(ApiRequest call) {
    return many(call, engineState.postrider()::retry);
  }

  /** Does it to those that are queued. */
  private ApiResponse many(ApiRequest call, Consumer<MessageId> action) {
    JsonFields options = call.options(Selection.options("cursor", "waitingFor", "cause"));
    Selection selection =
        new Selection(options, QUEUED, engineState.postrider()).deliberate(options);
    return new BulkAction(action).run(call, options, selection);
  }

  static StoredMessage found(Postrider postrider, MessageId id) {
    return postrider
        .find(id)
        .orElseThrow(() -> HttpProblem.notFound("There is no message " + id + "."));
  }

  static ApiResponse page(
      Postrider postrider,
      ApiRequest call,
      BiFunction<@Nullable String, Integer, Page<StoredMessage>> list) {
    Page<StoredMessage> page = call.page(list);
    Map<MessageId, WaitingFor> waits = postrider.waitingFor(page.items());
    return Json.page(page, (json, item) -> members(postrider, json, item, waits.get(item.id())));
  }

  static ApiResponse full(Postrider postrider, int status, StoredMessage stored) {
    @Nullable WaitingFor waits = postrider.waitingFor(stored);
    return ApiResponse.json(status, json -> members(postrider, json, stored, waits));
  }

  /** Messages under a name. */
  public static void list(
      Postrider postrider, JsonGenerator json, String name, List<StoredMessage> messages) {
    Json.objects(json, name, messages, message -> members(postrider, json, message));
  }

  static void members(Postrider postrider, JsonGenerator json, StoredMessage stored) {
    members(postrider, json, stored, postrider.waitingFor(stored));
  }

  /**
   * Of a message that has not ended, the last entry says when the next try comes: not if that has
   * passed, or something else must happen first.
   */
  private static List<HistoryEntry> promised(
      StoredMessage stored, List<HistoryEntry> history, @Nullable WaitingFor waits, Instant now) {
    boolean again = waits instanceof WaitingFor.Retry || waits instanceof WaitingFor.Pace;
    if (history.isEmpty() || stored.status().ended() || (again && history.getLast().isAhead(now))) {
      return history;
    }
    List<HistoryEntry> kept = new ArrayList<>(history);
    kept.add(kept.removeLast().withoutNext());
    return kept;
  }

  /** Only of a part that the platform queued can there be more to tell. */
  private static List<ReceiptState> receipts(Postrider postrider, StoredMessage stored) {
    boolean queued =
        stored.progress().parts().stream()
            .anyMatch(part -> part.receipt() != null && part.receipt().accepted());
    return queued ? postrider.receipts(stored.id()) : List.of();
  }

  private static void members(
      Postrider postrider, JsonGenerator json, StoredMessage stored, @Nullable WaitingFor waits) {
    // Something that was never reserved and has not ended has no history to look up.
    boolean untouched = stored.reservation() == 0 && !stored.status().ended();
    List<HistoryEntry> history = untouched ? List.of() : postrider.history(stored.id());
    MessageJson.write(
        json,
        stored,
        promised(stored, history, waits, postrider.time().instant()),
        postrider.durable());
    WaitingJson.write(json, waits);
    MessageJson.writeReceipts(json, receipts(postrider, stored));
    MessageJson.writeContent(json, stored.message());
  }
}
