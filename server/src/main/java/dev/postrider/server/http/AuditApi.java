package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.store.AuditEntry;
import dev.postrider.store.Page;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Tells what operators did. */
final class AuditApi {
  private final Life life;

  AuditApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(Route.adminList("/v1/audit", this::list));
  }

  private Answer list(Call call) {
    Postrider postrider = life.postrider();
    Page<AuditEntry> page = call.page(postrider::audit);
    return Json.page(page, AuditApi::write);
  }

  private static void write(JsonGenerator json, AuditEntry entry) {
    json.writeStartObject();
    json.writeStringProperty("at", entry.at().toString());
    json.writeStringProperty("operator", entry.operator());
    json.writeStringProperty("action", entry.action());
    json.writeStringProperty("target", entry.target());
    json.writeStringProperty("outcome", entry.outcome());
    json.writeEndObject();
  }
}
