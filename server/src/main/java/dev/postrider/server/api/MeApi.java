package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.server.config.Build;
import dev.postrider.server.config.Role;
import dev.postrider.server.config.Token;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who asks, and what they may do. */
public final class MeApi {
  private final EngineState engineState;
  private final boolean tokensNeeded;

  public MeApi(EngineState engineState, boolean tokensNeeded) {
    this.engineState = engineState;
    this.tokensNeeded = tokensNeeded;
  }

  public List<Route> routes() {
    return List.of(Route.consume("/v1/me", this::show));
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    @Nullable Token token = call.token();
    List<String> roles =
        Arrays.stream(Role.values())
            .filter(role -> token == null || token.covers(role))
            .map(Json::word)
            .toList();
    return ApiResponse.json(
        200,
        json -> {
          Json.text(json, "name", token == null ? null : token.name());
          Json.value(json, "roles", roles);
          json.writeBooleanProperty("tokensNeeded", tokensNeeded);
          json.writeStringProperty("node", postrider.node());
          json.writeStringProperty("version", Build.version());
          Json.instant(json, "at", postrider.time().instant());
        });
  }
}
