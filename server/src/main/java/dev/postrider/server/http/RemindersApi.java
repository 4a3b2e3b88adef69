package dev.postrider.server.http;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.config.Nearest;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.ReminderId;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.csv.TargetsCsv;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.store.Page;
import dev.postrider.store.StoredReminder;
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
final class RemindersApi {
  private static final String CSV = "text/csv";

  private final Life life;
  private final long bodyLimit;

  /**
   * @param bodyLimit most bytes of a reminder with its targets
   */
  RemindersApi(Life life, long bodyLimit) {
    this.life = life;
    this.bodyLimit = bodyLimit;
  }

  List<Route> routes() {
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
    return life.postrider().time().instant();
  }

  private Reminder.Builder draft(Call call) {
    return ReminderView.read(call.body(bodyLimit, "http.batchLimit", List.of(Json.TYPE)), now());
  }

  private static ReminderId id(Call call) {
    return new ReminderId(call.uuid("reminder"));
  }

  private Answer create(Call call) {
    Reminders reminders = life.reminders();
    return ReminderView.full(201, reminders.create(draft(call)), now());
  }

  private Answer list(Call call) {
    Reminders reminders = life.reminders();
    Page<StoredReminder> page =
        call.page((cursor, limit) -> reminders.list(call.query("account"), cursor, limit));
    return Json.page(page.items(), page.next(), ReminderView::item);
  }

  private Answer show(Call call) {
    ReminderId id = id(call);
    Reminder reminder =
        life.reminders()
            .find(id)
            .orElseThrow(() -> HttpProblem.notFound("There is no reminder " + id + "."));
    return ReminderView.full(200, reminder, now());
  }

  private Answer replace(Call call) {
    Reminders reminders = life.reminders();
    return ReminderView.full(200, reminders.replace(id(call), draft(call)), now());
  }

  private Answer delete(Call call) {
    life.reminders().delete(id(call));
    return Answer.nothing();
  }

  private Answer fire(Call call) {
    return RunJson.answer(202, life.reminders().fire(id(call)));
  }

  private Answer preview(Call call) {
    Reminders reminders = life.reminders();
    return ReminderView.outlook(reminders.preview(draft(call)));
  }

  // ---- trying it out

  private Answer test(Call call) {
    Postrider postrider = life.postrider();
    Map<String, Object> options = call.options(List.of("to", "account", "name", "variables"));
    Target target =
        Target.to(Call.text(options, "to", null))
            .by(Call.textOrNull(options, "account"))
            .named(Call.textOrNull(options, "name"))
            .with(variables(options.get("variables")));
    List<Delivery> sent = life.reminders().test(id(call), target);
    return Answer.json(
        202,
        json -> {
          json.writeName("messages");
          json.writeStartArray();
          sent.forEach(delivery -> MessagesApi.object(postrider, json, delivery.message()));
          json.writeEndArray();
        });
  }

  private static Map<String, String> variables(@Nullable Object given) {
    Map<String, String> variables = new LinkedHashMap<>();
    if (given instanceof Map<?, ?> map) {
      map.forEach((name, value) -> variables.put(String.valueOf(name), String.valueOf(value)));
    } else if (given != null) {
      throw HttpProblem.invalid("variables", "must be an object, such as {\"name\": \"Team A\"}");
    }
    return variables;
  }

  // ---- targets from a table

  private Answer targets(Call call) {
    Reminders reminders = life.reminders();
    UnaryOperator<List<Target>> change = change(call.query("mode"), table(call));
    return ReminderView.full(200, reminders.retarget(id(call), change), now());
  }

  private List<Target> table(Call call) {
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
              "mode", "must be replace or add" + Nearest.hint(mode, List.of("replace", "add")));
    };
  }
}
