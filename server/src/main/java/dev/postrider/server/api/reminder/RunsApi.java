package dev.postrider.server.api.reminder;

import dev.postrider.reminder.csv.ResultsCsv;
import dev.postrider.reminder.csv.TargetResult;
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
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import io.helidon.http.HeaderNames;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of reminders: to look at, and to lead. */
public final class RunsApi {
  private static final int PAGE = 500;
  private static final String CSV = "text/csv";

  private final EngineState engineState;

  public RunsApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/runs", this::list, "reminder"),
        Route.get("/v1/runs/{id}", this::show),
        Route.list("/v1/runs/{id}/targets", this::targets, "status", "format"),
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
    Page<StoredRun> page = call.page((cursor, limit) -> runs.list(reminder, cursor, limit));
    return Json.page(page, (json, run) -> RunJson.members(json, runs.view(run)));
  }

  private RunView found(ApiRequest call) {
    return call.found(runs().find(id(call)), "run");
  }

  private ApiResponse show(ApiRequest call) {
    return RunJson.answer(200, found(call));
  }

  // ---- targets

  private ApiResponse targets(ApiRequest call) {
    Runs runs = runs();
    UUID id = found(call).run().id();
    @Nullable TargetStatus status = call.choice("status", TargetStatus.values());
    if (wantsCsv(call)) {
      return new ApiResponse.Streamed(
          CSV,
          Map.of("Content-Disposition", "attachment; filename=\"run-" + id + ".csv\""),
          out -> table(runs, id, status, out));
    }
    Page<RunTarget> page = call.page((cursor, limit) -> runs.targets(id, status, cursor, limit));
    return Json.page(page, RunJson::target);
  }

  private static boolean wantsCsv(ApiRequest call) {
    @Nullable String format = call.query("format");
    if (format == null) {
      return call.header(HeaderNames.ACCEPT).filter(accept -> accept.startsWith(CSV)).isPresent();
    }
    if (!format.equals("csv") && !format.equals("json")) {
      throw HttpProblem.invalid("format", "must be csv or json");
    }
    return format.equals("csv");
  }

  private static void table(Runs runs, UUID id, @Nullable TargetStatus status, OutputStream out)
      throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    ResultsCsv table = new ResultsCsv(writer);
    @Nullable String cursor = null;
    do {
      Page<RunTarget> page = runs.targets(id, status, cursor, PAGE);
      for (RunTarget target : page.items()) {
        table.write(result(target));
      }
      writer.flush();
      cursor = page.next();
    } while (cursor != null);
  }

  private static TargetResult result(RunTarget target) {
    return new TargetResult(
        target.target().to(),
        target.target().account(),
        target.target().name(),
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
    ResumeScope scope = call.options("scope").word("scope", ResumeScope.class, ResumeScope.PENDING);
    return RunJson.answer(200, runs().resume(id(call), scope));
  }

  private ApiResponse cancel(ApiRequest call) {
    call.options();
    return RunJson.answer(200, runs().cancel(id(call)));
  }
}
