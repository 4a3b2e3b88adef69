package dev.postrider.server.api.reminder;

import dev.postrider.message.MessageId;
import dev.postrider.reminder.estimate.RestForecast;
import dev.postrider.reminder.run.RunView;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.store.reminder.ReasonCount;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Runs and their targets as JSON. */
final class RunJson {
  private RunJson() {}

  static ApiResponse answer(int status, RunView view) {
    return ApiResponse.json(status, json -> members(json, view));
  }

  /** A run, and why targets of it were not reached. */
  static ApiResponse full(RunView view, List<ReasonCount> reasons) {
    return ApiResponse.json(
        200,
        json -> {
          members(json, view);
          Json.value(
              json,
              "byReason",
              reasons.stream()
                  .map(one -> Map.of("reason", one.reason(), "count", one.count()))
                  .toList());
        });
  }

  /** How many targets stand where. */
  private static Map<String, Integer> byStatus(RunView view) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    view.byStatus().forEach((status, count) -> counts.put(status.label(), count));
    return counts;
  }

  static void members(JsonGenerator json, RunView view) {
    StoredRun run = view.run();
    json.writeStringProperty("id", run.id().toString());
    json.writeStringProperty("reminderId", run.reminder().toString());
    json.writeStringProperty("name", run.name());
    json.writeStringProperty("account", run.account());
    Json.word(json, "status", run.status());
    Json.text(json, "reason", run.reason());
    Json.instant(json, "until", run.until());
    WaitingJson.write(json, view.waitingFor());
    json.writeNumberProperty("total", view.total());
    json.writeNumberProperty("sent", view.sent());
    json.writeNumberProperty("delivered", view.delivered());
    json.writeNumberProperty("read", view.read());
    json.writeNumberProperty("failed", view.failed());
    json.writeNumberProperty("skipped", view.skipped());
    json.writeNumberProperty("cancelled", view.cancelled());
    json.writeNumberProperty("pending", view.pending());
    json.writeNumberProperty("sending", view.sending());
    Json.instant(json, "instant", run.instant());
    Json.instant(json, "createdAt", run.createdAt());
    Json.instant(json, "startedAt", run.startedAt());
    Json.instant(json, "resumedAt", run.resumedAt());
    Json.instant(json, "endedAt", run.endedAt());
    Json.instant(json, "windowEndsAt", view.windowEndsAt());
    Json.instant(json, "eta", view.eta());
    Json.text(json, "outlook", view.outlook());
    expected(json, view.expected());
    Json.value(json, "byStatus", byStatus(view));
    Json.text(json, "summary", run.summary());
    Json.text(json, "errorSummary", run.status() == RunStatus.SUCCESS ? null : run.summary());
  }

  private static void expected(JsonGenerator json, @Nullable RestForecast expected) {
    if (expected == null) {
      json.writeNullProperty("expected");
      return;
    }
    Json.object(
        json,
        "expected",
        () -> {
          Json.instant(json, "startsAt", expected.startsAt());
          json.writeNumberProperty("reached", expected.reached());
          Json.instant(json, "closesAt", expected.closesAt());
          Json.instant(json, "doneAt", expected.doneAt());
        });
  }

  static void target(JsonGenerator json, RunTarget target) {
    json.writeStringProperty("to", target.target().to());
    Json.text(json, "name", target.target().name());
    json.writeStringProperty("account", target.target().account());
    Json.word(json, "status", target.status());
    Json.value(json, "messageIds", target.messages().stream().map(MessageId::toString).toList());
    Json.text(json, "error", target.error());
    Json.instant(json, "endedAt", target.endedAt());
  }
}
