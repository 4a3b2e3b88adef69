package dev.postrider.server.api.reminder;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.config.NearestName;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.ReminderId;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.csv.TargetTable;
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
import dev.postrider.store.reminder.StoredRun;
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
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reminders: to write, look at, try out and fire. */
public final class RemindersApi {
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
        Route.lead("/v1/reminders/{id}/enable", call -> enable(call, true)),
        Route.lead("/v1/reminders/{id}/disable", call -> enable(call, false)),
        Route.list("/v1/reminders/{id}/targets", this::targets, "format"),
        Route.lead("/v1/reminders/{id}/targets", this::retarget));
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
    Reminder created = engineState.reminders().create(draft(call));
    call.tell("id", created.id());
    call.tell("name", created.name());
    return changed(201, created, List.of());
  }

  private ApiResponse changed(int status, Reminder reminder, List<String> notes) {
    Reminders reminders = engineState.reminders();
    return ReminderViewJson.changed(
        status, reminder, now(), last(reminder.id()), reminders.firings(reminder), notes);
  }

  private @Nullable StoredRun last(ReminderId id) {
    return engineState.reminders().runs().lastOf(id.value()).orElse(null);
  }

  private ApiResponse list(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    Page<StoredReminder> page =
        call.page((cursor, limit) -> reminders.list(call.query("account"), cursor, limit));
    return Json.page(
        page,
        (json, reminder) ->
            ReminderViewJson.item(json, reminder, last(new ReminderId(reminder.id()))));
  }

  private ApiResponse show(ApiRequest call) {
    Reminder reminder = call.found(engineState.reminders().find(id(call)), "reminder");
    return ReminderViewJson.full(reminder, now(), last(reminder.id()));
  }

  private ApiResponse replace(ApiRequest call) {
    return changed(200, engineState.reminders().replace(id(call), draft(call)), List.of());
  }

  private ApiResponse enable(ApiRequest call, boolean enabled) {
    call.options();
    return changed(200, engineState.reminders().enable(id(call), enabled), List.of());
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
    options
        .map("variables")
        .forEach((name, value) -> variables.put(name, value == null ? "" : value.toString()));
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
    ReminderId id = id(call);
    if (TargetTables.areWanted(call)) {
      call.found(reminders.find(id), "reminder");
      return TargetTables.answer(
          "reminder-" + id,
          (cursor, limit) -> reminders.targets(id, cursor, limit),
          target -> target,
          TargetTable::ofTargets,
          TargetTable::write);
    }
    return Json.page(
        call.page((cursor, limit) -> reminders.targets(id, cursor, limit)),
        ReminderViewJson::target);
  }

  private ApiResponse retarget(ApiRequest call) {
    Reminders reminders = engineState.reminders();
    List<Target> table = table(call);
    UnaryOperator<List<Target>> mode = change(call.query("mode"), table);
    Set<String> foreign = new TreeSet<>();
    Reminder reminder =
        reminders.retarget(
            id(call),
            (before, accounts) ->
                mode.apply(before).stream().map(one -> own(one, accounts, foreign)).toList());
    return changed(200, reminder, foreign.isEmpty() ? List.of() : List.of(ignored(foreign)));
  }

  /** Leaves out an account that is none of the reminder's: the table came from another one. */
  private static Target own(Target target, List<String> accounts, Set<String> foreign) {
    @Nullable String account = target.account();
    if (account == null || accounts.contains(account)) {
      return accounts.size() > 1 ? target : target.by(null);
    }
    foreign.add(account);
    return target.by(null);
  }

  private static String ignored(Set<String> foreign) {
    return "The column account names %s, which this reminder does not send through; that was"
            .formatted(String.join(", ", foreign))
        + " ignored, and its own accounts are used.";
  }

  private List<Target> table(ApiRequest call) {
    byte[] body = call.body(bodyLimit, "http.batchLimit", List.of(TargetTables.CSV));
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
