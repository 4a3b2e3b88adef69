package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.message.Page;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Tells what operators did. */
public final class AuditApi {
  private final EngineState engineState;

  public AuditApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.adminList("/v1/audit", this::list));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Page<AuditEntry> page = call.page(postrider::audit);
    return Json.page(page, AuditApi::write);
  }

  private static void write(JsonGenerator json, AuditEntry entry) {
    json.writeStringProperty("at", entry.at().toString());
    json.writeStringProperty("operator", entry.operator());
    json.writeStringProperty("action", entry.action());
    json.writeStringProperty("target", entry.target());
    json.writeStringProperty("outcome", entry.outcome());
  }
}
