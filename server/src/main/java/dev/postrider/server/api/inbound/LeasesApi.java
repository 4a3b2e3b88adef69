package dev.postrider.server.api.inbound;

import static java.util.Objects.requireNonNullElse;

import dev.postrider.Inbox;
import dev.postrider.Postrider;
import dev.postrider.SendResult;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.MessageJson;
import dev.postrider.server.api.message.ReplyDrafts;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.StoredInbound;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Handing out what came in to programs that ask for it, and hearing from them the result. */
public final class LeasesApi {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
  private static final Duration USUAL_LEASE = Duration.ofSeconds(60);
  private static final Duration LONGEST_LEASE = Duration.ofHours(12);
  private static final Duration LONGEST_DELAY = Duration.ofHours(24);
  private static final int USUAL_NUMBER = 10;
  private static final int LARGEST_NUMBER = 1_000;
  private static final int MOST_WAITING = 256;
  private static final int LONGEST_ERROR = 1_000;

  /** How often whoever waits gets a sign of life, which shows whether they are still there. */
  private static final Duration PULSE = Duration.ofSeconds(2);

  private static final byte[] SPACE = {' '};

  private final EngineState engineState;
  private final AtomicInteger waiting = new AtomicInteger();

  public LeasesApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.send("/v1/inbound/lease", this::lease),
        Route.send("/v1/inbound/leases/{leaseId}/ack", this::ack),
        Route.send("/v1/inbound/leases/{leaseId}/nack", this::nack),
        Route.send("/v1/inbound/leases/{leaseId}/extend", this::extend));
  }

  // ---- handing out

  /** What somebody wants. */
  private record Wish(Set<String> accounts, int max, Duration leaseFor) {
    List<StoredInbound> from(Inbox inbox, Duration patience) {
      return inbox.lease(accounts, max, leaseFor, patience);
    }
  }

  private ApiResponse lease(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    JsonFields options = call.options("max", "wait", "leaseFor", "accounts");
    Wish wish =
        new Wish(
            Set.copyOf(requireNonNullElse(options.texts("accounts"), List.of())),
            options.number("max", 1, LARGEST_NUMBER, USUAL_NUMBER),
            leaseFor(options));
    @Nullable Duration wait = options.duration("wait", Duration.ZERO, LONGEST_WAIT);
    List<StoredInbound> events = wish.from(postrider.inbox(), Duration.ZERO);
    if (!events.isEmpty() || wait == null || wait.isZero()) {
      try {
        return new ApiResponse.Whole(200, Json.TYPE, items(events, engineState), Map.of());
      } catch (RuntimeException e) {
        takeBack(events, postrider, "the answer could not be written");
        throw e;
      }
    }
    if (waiting.get() >= MOST_WAITING) {
      throw HttpProblem.notReady("Too many wait for messages already; the limit is 256.");
    }
    return new ApiResponse.Streamed(
        Json.TYPE,
        Map.of(),
        out -> {
          waiting.incrementAndGet();
          try {
            new Waiting(engineState, postrider, wish, wait, out).go();
          } finally {
            waiting.decrementAndGet();
          }
        });
  }

  private static Duration leaseFor(JsonFields options) {
    return requireNonNullElse(
        options.duration("leaseFor", SHORTEST_LEASE, LONGEST_LEASE), USUAL_LEASE);
  }

  private static byte[] items(List<StoredInbound> events, EngineState engineState) {
    InboundJson written = new InboundJson(engineState.postrider(), events);
    return Json.object(
        json ->
            Json.objects(
                json,
                "items",
                events,
                inbound -> item(json, inbound, engineState.traceparent(inbound.id()), written)));
  }

  /** Nobody got them: they are for the next who asks. */
  private static void takeBack(List<StoredInbound> events, Postrider postrider, String why) {
    events.forEach(inbound -> postrider.inbox().nack(leaseOf(inbound), why, Duration.ZERO));
  }

  private static void item(
      JsonGenerator json,
      StoredInbound inbound,
      @Nullable String traceparent,
      InboundJson written) {
    json.writeStringProperty("leaseId", leaseOf(inbound).toString());
    Json.instant(json, "expiresAt", inbound.handling().dueAt());
    json.writeNumberProperty("attempt", inbound.handling().attempts());
    json.writeStringProperty("turnId", inbound.id().toString());
    Json.text(json, "traceparent", traceparent);
    written.message(json, inbound);
  }

  private static UUID leaseOf(StoredInbound inbound) {
    return Objects.requireNonNull(inbound.handling().lease(), "not handed out");
  }

  /**
   * Somebody who waits for a message. The answer begins at once and goes on with spaces, which mean
   * nothing in JSON: a write fails when nobody is there to read it any more, and then no message is
   * handed out to nobody.
   */
  private record Waiting(
      EngineState engineState,
      Postrider postrider,
      Wish wish,
      Duration patience,
      OutputStream out) {
    void go() throws IOException {
      Duration until = postrider.time().elapsed().plus(patience);
      List<StoredInbound> events = List.of();
      for (Duration left = patience; events.isEmpty() && left.isPositive(); ) {
        write(SPACE);
        try {
          events = wish.from(postrider.inbox(), left.compareTo(PULSE) < 0 ? left : PULSE);
        } catch (Refused | StoreUnavailable | StoreClosed e) {
          break; // whoever asks again is told why
        }
        left = until.minus(postrider.time().elapsed());
      }
      handOver(events);
    }

    private void handOver(List<StoredInbound> events) throws IOException {
      try {
        write(items(events, engineState));
      } catch (IOException | RuntimeException e) {
        takeBack(events, postrider, "whoever asked hung up");
        throw e;
      }
    }

    private void write(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }
  }

  // ---- hearing from them

  private ApiResponse ack(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    UUID lease = leaseIn(call);
    byte[] body = call.json();
    List<Message> replies = body.length == 0 ? List.of() : replies(body, lease, postrider.inbox());
    List<Message> traced = replies.stream().map(call::traced).toList();
    return replies(postrider.inbox().ack(lease, traced), postrider);
  }

  /** What became of the replies to a message that is handled. */
  static ApiResponse replies(List<SendResult> sent, Postrider postrider) {
    return ApiResponse.json(
        200, json -> Json.objects(json, "replies", sent, reply -> write(json, reply, postrider)));
  }

  private static List<Message> replies(byte[] body, UUID lease, Inbox inbox) {
    StoredInbound inbound = inbox.leased(lease).orElseThrow(() -> unknown(lease.toString()));
    return ReplyDrafts.read(body, () -> inbox.replyTo(inbound), false);
  }

  private static void write(JsonGenerator json, SendResult reply, Postrider postrider) {
    switch (reply) {
      case SendResult.Sent sent ->
          MessageJson.write(json, sent.delivery().message(), List.of(), postrider.durable());
      case SendResult.NotSent refused -> HttpProblem.of(refused.refusal()).write(json);
    }
  }

  private ApiResponse nack(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    UUID lease = leaseIn(call);
    JsonFields options = call.options("delay", "error");
    String error = options.filled("error", "given back without a reason");
    @Nullable Duration delay = options.duration("delay", Duration.ZERO, LONGEST_DELAY);
    postrider
        .inbox()
        .nack(lease, error.substring(0, Math.min(error.length(), LONGEST_ERROR)), delay);
    return ApiResponse.nothing();
  }

  private ApiResponse extend(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Duration leaseFor = leaseFor(call.options("leaseFor"));
    Instant until = postrider.inbox().extend(leaseIn(call), leaseFor);
    return ApiResponse.json(200, json -> Json.instant(json, "expiresAt", until));
  }

  private static UUID leaseIn(ApiRequest call) {
    try {
      return UUID.fromString(call.path("leaseId"));
    } catch (IllegalArgumentException e) {
      throw unknown(call.path("leaseId"));
    }
  }

  private static HttpProblem unknown(String lease) {
    return HttpProblem.of(
        new Refused(
            Refused.Cause.CONFLICT,
            "no message is handed out under lease "
                + lease
                + ": it was given back, or ran out and somebody else has the message now"));
  }
}
