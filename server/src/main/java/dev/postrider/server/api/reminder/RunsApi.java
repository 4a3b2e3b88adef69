package dev.postrider.server.api.reminder;

import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.csv.TargetResult;
import dev.postrider.reminder.csv.TargetTable;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.run.ResumeScope;
import dev.postrider.reminder.run.RunView;
import dev.postrider.reminder.run.Runs;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of reminders: to look at, and to lead. */
public final class RunsApi {
  /** A word that is reserved: it can be asked for, and no target is so far. */
  private static final String SUPPRESSED = "suppressed";

  private final EngineState engineState;

  public RunsApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/runs", this::list, "reminder", "status"),
        Route.get("/v1/runs/{id}", this::show),
        Route.list("/v1/runs/{id}/targets", this::targets, "status", "reason", "format"),
        Route.lead("/v1/runs/{id}/pause", this::pause),
        Route.lead("/v1/runs/{id}/resume", this::resume),
        Route.lead("/v1/runs/{id}/cancel", this::cancel));
  }

  private Runs runs() {
    return engineState.reminders().runs();
  }

  private static UUID id(ApiRequest call) {
    return call.uuid("run");
  }

  private ApiResponse list(ApiRequest call) {
    Runs runs = runs();
    @Nullable String given = call.query("reminder");
    @Nullable UUID reminder =
        given == null
            ? null
            : ApiRequest.parsed(given)
                .orElseThrow(() -> HttpProblem.invalid("reminder", "must be the id of a reminder"));
    RunFilter filter = new RunFilter(reminder, call.choices("status", RunStatus.values()));
    Page<StoredRun> page = call.page((cursor, limit) -> runs.list(filter, cursor, limit));
    return Json.page(page, (json, run) -> RunJson.members(json, runs.view(run)));
  }

  private RunView found(ApiRequest call) {
    return call.found(runs().find(id(call)), "run");
  }

  private ApiResponse show(ApiRequest call) {
    RunView run = found(call);
    return RunJson.full(run, runs().reasons(run.run().id()));
  }

  // ---- targets

  private ApiResponse targets(ApiRequest call) {
    Runs runs = runs();
    StoredRun run = found(call).run();
    UUID id = run.id();
    TargetTables.Pages<RunTarget> pages = pages(id, call.query("status"), call.query("reason"));
    if (TargetTables.areWanted(call)) {
      FrozenReminder script = ScriptJson.read(run.document());
      return TargetTables.answer(
          "run-" + id,
          pages,
          target -> Runs.target(script, target),
          TargetTable::ofResults,
          (table, target) -> table.write(result(script, target)));
    }
    return Json.page(call.page(pages::from), RunJson::target);
  }

  private TargetTables.Pages<RunTarget> pages(
      UUID run, @Nullable String status, @Nullable String reason) {
    if (SUPPRESSED.equals(status)) {
      return (_, _) -> new Page<>(List.of(), null);
    }
    RunTargetFilter filter =
        new RunTargetFilter(
            status == null ? null : ApiRequest.choice("status", status, TargetStatus.values()),
            reason);
    return (cursor, limit) -> runs().targets(run, filter, cursor, limit);
  }

  private static TargetResult result(FrozenReminder script, RunTarget target) {
    return new TargetResult(
        Runs.target(script, target),
        target.status(),
        target.error(),
        target.endedAt(),
        target.messages());
  }

  // ---- leading

  private ApiResponse pause(ApiRequest call) {
    String reason = ApiRequest.reason(call.options("reason"), "paused by hand");
    return RunJson.answer(200, runs().pause(id(call), reason));
  }

  private ApiResponse resume(ApiRequest call) {
    JsonFields options = call.options("scope", "account");
    ResumeScope scope = options.word("scope", ResumeScope.class, ResumeScope.PENDING);
    return RunJson.answer(200, runs().resume(id(call), scope, options.filled("account")));
  }

  private ApiResponse cancel(ApiRequest call) {
    call.options();
    return RunJson.answer(200, runs().cancel(id(call)));
  }
}
