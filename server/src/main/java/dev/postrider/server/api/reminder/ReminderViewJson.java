package dev.postrider.server.api.reminder;

import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.estimate.FiringForecast;
import dev.postrider.reminder.estimate.RunForecast;
import dev.postrider.reminder.json.OwnHoursJson;
import dev.postrider.reminder.json.ReminderJson;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.WindowOpening;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reminders as JSON: what was written, and what follows from it. */
final class ReminderViewJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private ReminderViewJson() {}

  /**
   * Reads a reminder.
   *
   * @throws HttpProblem if it is not JSON
   * @throws dev.postrider.problem.InvalidInput naming every field that is wrong
   */
  static Reminder.Builder read(byte[] body, Instant now) {
    JsonNode json = Json.read(body, 0, body.length, "{\"name\": …}");
    return ReminderJson.read(json, LocalDate.ofInstant(now, zone(json)));
  }

  /** The zone it names; a wrong one is told by who reads it. */
  private static ZoneId zone(JsonNode json) {
    try {
      return ZoneId.of(json.path("timezone").asString(""));
    } catch (DateTimeException e) {
      return ZoneOffset.UTC;
    }
  }

  /** A reminder with its targets. */
  static ApiResponse full(Reminder reminder, Instant now, @Nullable StoredRun last) {
    return whole(200, tree(reminder, now, last));
  }

  /**
   * A reminder that was made or changed, and what its next firings will come to.
   *
   * @param notes what was not done as it was asked for
   */
  static ApiResponse changed(
      int status,
      Reminder reminder,
      Instant now,
      @Nullable StoredRun last,
      List<FiringForecast> firings,
      List<String> notes) {
    ObjectNode json = tree(reminder, now, last);
    json.set("firings", JSON.valueToTree(firings(firings)));
    json.set("notes", JSON.valueToTree(notes));
    return whole(status, json);
  }

  private static ApiResponse whole(int status, ObjectNode json) {
    return new ApiResponse.Whole(status, Json.TYPE, JSON.writeValueAsBytes(json), Map.of());
  }

  private static ObjectNode tree(Reminder reminder, Instant now, @Nullable StoredRun last) {
    ObjectNode json = JSON.createObjectNode().put("id", reminder.id().toString());
    script(json, FrozenReminder.of(reminder));
    ArrayNode targets = json.putArray("targets");
    reminder.targets().forEach(target -> targets.add(target(target)));
    follows(
        json,
        reminder.nextFiring(now).orElse(null),
        reminder.targets().size(),
        reminder.createdAt(),
        reminder.updatedAt());
    lastRun(json, last);
    return json;
  }

  private static void lastRun(ObjectNode json, @Nullable StoredRun run) {
    if (run == null) {
      json.putNull("lastRun");
      return;
    }
    json.putObject("lastRun")
        .put("id", run.id().toString())
        .put("status", run.status().label())
        .put("total", run.total())
        .put("summary", run.summary())
        .put("createdAt", run.createdAt().toString())
        .put("endedAt", run.endedAt() == null ? null : run.endedAt().toString());
  }

  private static List<Map<String, @Nullable Object>> firings(List<FiringForecast> firings) {
    return firings.stream().map(ReminderViewJson::firing).toList();
  }

  private static Map<String, @Nullable Object> firing(FiringForecast firing) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(firing.at()));
    json.put("fits", firing.fits());
    json.put("doneAt", text(firing.doneAt()));
    json.put("inWindow", firing.inWindow());
    json.put("startsAt", text(firing.startsAt()));
    json.put("reached", firing.reached());
    json.put("total", firing.total());
    json.put("note", firing.note());
    return json;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }

  private static void script(ObjectNode json, FrozenReminder script) {
    json.setAll(ScriptJson.tree(script));
    json.put(
        "scheduleText",
        script.schedule() == null ? null : script.schedule().describe(script.zone()));
    json.put("windowText", script.window() == null ? "any hour" : script.window().describe());
  }

  static ObjectNode target(Target target) {
    ObjectNode json = JSON.createObjectNode().put("to", target.to());
    if (target.name() != null) {
      json.put("name", target.name());
    }
    if (target.account() != null) {
      json.put("account", target.account());
    }
    ObjectNode variables = json.putObject("variables");
    target.variables().forEach(variables::put);
    OwnHoursJson.write(json, target.hours());
    return json;
  }

  private static void follows(
      ObjectNode json, @Nullable Instant next, int targets, Instant created, Instant updated) {
    json.put("nextFiringAt", next == null ? null : next.toString());
    json.put("targetCount", targets);
    json.put("createdAt", created.toString());
    json.put("updatedAt", updated.toString());
  }

  /** A reminder in a list: without its targets. */
  static void item(JsonGenerator json, StoredReminder stored, @Nullable StoredRun last) {
    ObjectNode item = JSON.createObjectNode().put("id", stored.id().toString());
    script(item, ScriptJson.read(stored.document()));
    follows(item, stored.nextFire(), stored.targets(), stored.createdAt(), stored.updatedAt());
    lastRun(item, last);
    members(json, item);
  }

  static void target(JsonGenerator json, Target target) {
    members(json, target(target));
  }

  private static void members(JsonGenerator json, ObjectNode object) {
    object
        .properties()
        .forEach(
            field -> {
              json.writeName(field.getKey());
              json.writeRawValue(field.getValue().toString());
            });
  }

  /** What a reminder would come to. */
  static ApiResponse outlook(RunForecast outlook) {
    WindowOpening opening = outlook.estimate().opening();
    return ApiResponse.json(
        200,
        json -> {
          json.writeNumberProperty("sends", outlook.sends());
          json.writeNumberProperty("perMinute", outlook.perMinute());
          json.writeBooleanProperty("fits", outlook.estimate().fits());
          json.writeNumberProperty("inOpening", outlook.estimate().inOpening());
          json.writeNumberProperty("windows", outlook.estimate().openings());
          Json.instant(json, "doneAt", outlook.estimate().doneAt());
          Json.instant(json, "opensAt", opening == null ? null : opening.opens());
          Json.instant(json, "closesAt", opening == null ? null : opening.closes());
          Json.value(json, "unknownTargets", outlook.unknown());
          json.writeNumberProperty("unknownCount", outlook.unknownCount());
          Json.value(json, "firings", firings(outlook.firings()));
        });
  }
}
