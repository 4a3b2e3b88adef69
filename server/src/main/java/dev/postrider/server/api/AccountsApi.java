package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Probe;
import dev.postrider.problem.Refused;
import dev.postrider.view.AccountView;
import dev.postrider.view.ListeningView;
import dev.postrider.view.Outage;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The accounts and their health. */
public final class AccountsApi {
  private static final int MOST_OUTAGES = 50;

  public static final String BY_OPERATOR = "paused by an operator";

  private final EngineState engineState;
  private final ClusterPeers peers;

  public AccountsApi(EngineState engineState, ClusterPeers peers) {
    this.engineState = engineState;
    this.peers = peers;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/accounts", this::list),
        Route.act("/v1/accounts/{id}/pause", this::pause),
        Route.act("/v1/accounts/{id}/resume", this::resume),
        Route.act("/v1/accounts/{id}/check", this::check),
        Route.act("/v1/accounts/{id}/login", this::logIn));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return Json.page(postrider.accounts(), (json, account) -> members(postrider, json, account));
  }

  private ApiResponse pause(ApiRequest call) {
    String reason = ApiRequest.reason(call.options("reason"), BY_OPERATOR);
    AccountView account = at(postrider -> postrider.pauseAccount(call.path("id"), reason));
    return ApiResponse.json(200, json -> members(engineState.postrider(), json, account));
  }

  private ApiResponse resume(ApiRequest call) {
    AccountView account = at(postrider -> postrider.resumeAccount(call.path("id")));
    return ApiResponse.json(200, json -> members(engineState.postrider(), json, account));
  }

  private ApiResponse check(ApiRequest call) {
    @Nullable ApiResponse ofOwner = peers.ask(call, call.path("id"));
    if (ofOwner != null) {
      return ofOwner;
    }
    Probe probe = at(postrider -> postrider.checkAccount(call.path("id")));
    return ApiResponse.json(
        200,
        json -> {
          json.writeStringProperty("account", call.path("id"));
          switch (probe) {
            case Probe.Healthy healthy -> verdict(json, "healthy", healthy.identity(), "");
            case Probe.Broken broken -> verdict(json, "broken", "", broken.cause());
            case Probe.Unreachable gone -> verdict(json, "unreachable", "", gone.cause());
          }
        });
  }

  private static void verdict(JsonGenerator json, String result, String identity, String cause) {
    json.writeStringProperty("result", result);
    Json.text(json, "identity", identity.isEmpty() ? null : identity);
    Json.text(json, "cause", cause.isEmpty() ? null : cause);
  }

  /** Asked again every few seconds; in the audit trail it stands once for each step. */
  private ApiResponse logIn(ApiRequest call) {
    @Nullable String phone = phone(call.options("phone").text("phone"));
    byte[] body = Json.object(json -> Json.text(json, "phone", phone));
    @Nullable ApiResponse ofOwner = peers.ask(call, call.path("id"), body);
    if (ofOwner != null) {
      call.polled("passed on");
      return LoginJson.secret(ofOwner);
    }
    LoginState state = at(postrider -> postrider.logIn(call.path("id"), new LoginRequest(phone)));
    call.polled(LoginJson.word(state));
    return LoginJson.answer(call.path("id"), state);
  }

  /** People write phone numbers in many ways; what counts are the digits. */
  private static @Nullable String phone(@Nullable String given) {
    if (given == null) {
      return null;
    }
    String digits = given.replaceAll("[\\s()./-]", "").replaceFirst("^\\+", "");
    if (!digits.matches("[0-9]{6,15}")) {
      throw HttpProblem.invalid(
          "phone", "must be a number with its country's code, such as +49 151 23456789");
    }
    return digits;
  }

  /** In a path, an account that is not there is a path that is not there. */
  private <T> T at(Function<Postrider, T> action) {
    try {
      return action.apply(engineState.postrider());
    } catch (Refused e) {
      if (e.why() == Refused.Cause.UNKNOWN_ACCOUNT) {
        throw HttpProblem.notFound(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  static void members(Postrider postrider, JsonGenerator json, AccountView account) {
    json.writeStringProperty("id", account.id());
    json.writeStringProperty("channel", account.channel());
    Json.word(json, "health", account.health());
    Json.instant(json, "since", account.since());
    Json.text(json, "reason", account.reason());
    json.writeBooleanProperty("needsLogin", account.needsLogin());
    json.writeBooleanProperty("takesLogin", postrider.takesLogin(account.id()));
    Json.text(json, "node", account.node());
    outages(json, account.outages());
    listening(json, account.listening());
    json.writeNumberProperty("queued", account.queued());
    json.writeNumberProperty("sending", account.sending());
    json.writeNumberProperty("deadLetters", account.deadLetters());
    json.writeNumberProperty("share", account.share());
    Json.instant(json, "throttledUntil", account.throttledUntil());
    Json.instant(json, "nextProbeAt", account.nextProbeAt());
    Json.instant(json, "oldestDueAt", account.oldestDueAt());
    Json.instant(json, "oldestWaitingAt", account.oldestWaitingAt());
    WaitingJson.write(json, account.waitingFor());
    PaceJson.write(json, postrider.pace(account.id()).orElse(null));
  }

  /** Those that have lasted longest; how many there are is told besides. */
  private static void outages(JsonGenerator json, List<Outage> outages) {
    json.writeArrayPropertyStart("outages");
    for (Outage outage : outages.subList(0, Math.min(outages.size(), MOST_OUTAGES))) {
      json.writeStartObject();
      Json.text(json, "server", outage.server());
      Json.instant(json, "since", outage.since());
      json.writeStringProperty("cause", outage.cause());
      Json.instant(json, "nextProbeAt", outage.nextProbeAt());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberProperty("moreOutages", Math.max(0, outages.size() - MOST_OUTAGES));
  }

  /** A refusal is a failure to whoever does not know that word. */
  private static void listening(JsonGenerator json, ListeningView listening) {
    boolean refused = listening.status() == ListeningView.Status.REFUSED;
    json.writeObjectPropertyStart("listening");
    Json.word(json, "status", refused ? ListeningView.Status.FAILING : listening.status());
    json.writeBooleanProperty("refused", refused);
    Json.instant(json, "since", listening.since());
    Json.text(json, "cause", listening.cause());
    json.writeEndObject();
  }
}
