package dev.postrider.server.api.reminder;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.config.NearestName;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.ReminderId;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.csv.TargetsCsv;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.MessagesApi;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.StoredReminder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reminders: to write, look at, try out and fire. */
public final class RemindersApi {
  private static final String CSV = "text/csv";

  private final EngineState engineState;
  private final long bodyLimit;

  /**
   * @param bodyLimit most bytes of a reminder with its targets
   */
  public RemindersApi(EngineState engineState, long bodyLimit) {
    this.engineState = engineState;
    this.bodyLimit = bodyLimit;
  }

  public List<Route> routes() {
    return List.of(
        Route.lead("/v1/reminders", this::create),
        Route.list("/v1/reminders", this::list, "account"),
        Route.send("/v1/reminders/preview", this::preview),
        Route.get("/v1/reminders/{id}", this::show),
        Route.put("/v1/reminders/{id}", this::replace),
        Route.withdraw("/v1/reminders/{id}", this::delete),
        Route.lead("/v1/reminders/{id}/fire", this::fire),
        Route.lead("/v1/reminders/{id}/test", this::test),
        Route.lead("/v1/reminders/{id}/targets", this::targets));
  }

  private Instant now() {
    return engineState.postrider().time().instant();
  }

  private Reminder.Builder draft(ApiRequest call) {
    return ReminderViewJson.read(
        call.body(bodyLimit, "http.batchLimit", List.of(Json.TYPE)), now());
  }

  private static ReminderId id(ApiRequest call) {
    return new ReminderId(call.uuid("reminder"));
  }

  private ApiResponse create(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    return ReminderViewJson.full(201, reminders.create(draft(call)), now());
  }

  private ApiResponse list(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    Page<StoredReminder> page =
        call.page((cursor, limit) -> reminders.list(call.query("account"), cursor, limit));
    return Json.page(page, ReminderViewJson::item);
  }

  private ApiResponse show(ApiRequest call) {
    Reminder reminder = call.found(engineState.reminders().find(id(call)), "reminder");
    return ReminderViewJson.full(200, reminder, now());
  }

  private ApiResponse replace(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    return ReminderViewJson.full(200, reminders.replace(id(call), draft(call)), now());
  }

  private ApiResponse delete(ApiRequest call) {
    engineState.reminders().delete(id(call));
    return ApiResponse.nothing();
  }

  private ApiResponse fire(ApiRequest call) {
    return RunJson.answer(202, engineState.reminders().fire(id(call)));
  }

  private ApiResponse preview(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    return ReminderViewJson.outlook(reminders.preview(draft(call)));
  }

  // ---- trying it out

  private ApiResponse test(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    JsonFields options = call.options("to", "account", "name", "variables");
    Map<String, String> variables = new LinkedHashMap<>();
    options.map("variables").forEach((name, value) -> variables.put(name, String.valueOf(value)));
    Target target =
        Target.to(options.required("to"))
            .by(options.filled("account"))
            .named(options.filled("name"))
            .with(variables);
    List<Delivery> sent = engineState.reminders().test(id(call), target);
    List<StoredMessage> messages = sent.stream().map(Delivery::message).toList();
    return ApiResponse.json(202, json -> MessagesApi.list(postrider, json, "messages", messages));
  }

  // ---- targets from a table

  private ApiResponse targets(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    UnaryOperator<List<Target>> change = change(call.query("mode"), table(call));
    return ReminderViewJson.full(200, reminders.retarget(id(call), change), now());
  }

  private List<Target> table(ApiRequest call) {
    byte[] body = call.body(bodyLimit, "http.batchLimit", List.of(CSV));
    try {
      return TargetsCsv.read(
          new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A table that is added has the last word on the chats it names. */
  private static UnaryOperator<List<Target>> change(@Nullable String mode, List<Target> table) {
    return switch (mode) {
      case null -> _ -> table;
      case "replace" -> _ -> table;
      case "add" ->
          before -> {
            Set<String> named = table.stream().map(Target::to).collect(Collectors.toSet());
            List<Target> all = new ArrayList<>(before);
            all.removeIf(target -> named.contains(target.to()));
            all.addAll(table);
            return all;
          };
      default ->
          throw HttpProblem.invalid(
              "mode", "must be replace or add" + NearestName.hint(mode, List.of("replace", "add")));
    };
  }
}
