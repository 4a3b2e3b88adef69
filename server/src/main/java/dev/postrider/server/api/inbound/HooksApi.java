package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.channel.Hook;
import dev.postrider.problem.Refused;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.ConnectionLimits;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Where platforms deliver their webhooks. Whoever calls shows by the platform's own signature that
 * he may, so no token of ours is asked for; what he tells is stored before he is answered.
 */
public final class HooksApi {
  private final EngineState engineState;

  public HooksApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.signed("POST", "/hooks/{account}", this::receive),
        Route.signed("GET", "/hooks/{account}", this::receive)); // handshakes
  }

  private ApiResponse receive(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    if (!postrider.takesWebhooks(call.path("account"))) {
      throw noHook();
    }
    Hook.Request request =
        new Hook.Request(
            call.method(),
            call.headers(),
            call.queries(),
            call.body(ConnectionLimits.LARGEST_WEBHOOK, "what any platform sends", List.of()),
            Instant.now());
    return switch (stored(postrider, call.path("account"), request)) {
      case Hook.Answer.Genuine genuine ->
          new ApiResponse.Whole(
              genuine.reply().status(),
              genuine.reply().contentType(),
              genuine.reply().body(),
              Map.of());
      case Hook.Answer.Forged(String cause) -> throw HttpProblem.forged(cause);
      case Hook.Answer.Unverified(String cause) -> throw HttpProblem.unverified(cause);
      case Hook.Answer.Malformed(String cause) ->
          throw HttpProblem.malformed("The webhook cannot be read: " + cause + ".");
    };
  }

  /** Platforms take "too many" for their own fault, and "unavailable" for a reason to come back. */
  private static Hook.Answer stored(Postrider postrider, String account, Hook.Request request) {
    try {
      return postrider.receive(account, request);
    } catch (Refused e) {
      throw switch (e.why()) {
        case QUEUE_FULL -> HttpProblem.inboxFull(String.valueOf(e.getMessage()));
        case UNKNOWN_ACCOUNT, NOT_FOUND -> noHook();
        default -> e;
      };
    }
  }

  /** A stranger is not told which accounts there are. */
  private static HttpProblem noHook() {
    return HttpProblem.notFound("No webhooks are taken here.");
  }
}
