package dev.postrider.reminder.json;

import dev.postrider.problem.Problems;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A reminder as people write it, its targets included. */
public final class ReminderJson {
  private static final List<String> FIELDS =
      List.of(
          "name",
          "account",
          "accounts",
          "timezone",
          "schedule",
          "window",
          "afterClose",
          "overlap",
          "perMinute",
          "targets",
          "messages",
          "expiresIn",
          "priority",
          "enabled");

  /** What is told in return, and may be sent back; it means nothing. */
  private static final List<String> TOLD =
      List.of(
          "id",
          "scheduleText",
          "windowText",
          "nextFiringAt",
          "lastRun",
          "firings",
          "notes",
          "targetCount",
          "createdAt",
          "updatedAt");

  private static final List<String> TARGET =
      List.of("to", "account", "variables", "name", "timezone", "window");

  private ReminderJson() {}

  /**
   * Reads a reminder.
   *
   * @param today where a repetition starts that does not say so
   * @throws dev.postrider.problem.InvalidInput naming every field that is wrong
   */
  public static Reminder.Builder read(JsonNode json, LocalDate today) {
    Problems problems = new Problems();
    if (!json.isObject()) {
      problems.add("reminder", "must be a JSON object");
      problems.refuse();
    }
    FrozenReminder script = ScriptJson.read(json, today, problems);
    List<Target> targets = new ArrayList<>();
    JsonFields fields = new JsonFields(json, "", problems).only(FIELDS, TOLD);
    for (JsonFields target : fields.objects("targets")) {
      targets.add(target(target));
    }
    for (int i = 0; script != null && i < script.messages().size(); i++) {
      JsonFields.noLocalFiles("messages[" + i + "].", script.messages().get(i).media(), problems);
    }
    problems.refuse();
    if (script == null) {
      throw new IllegalStateException("a script that cannot be read has no problems");
    }
    return script.toReminder().targets(targets);
  }

  private static Target target(JsonFields fields) {
    fields.only(TARGET);
    String to = fields.text("to");
    if (to == null) {
      fields.wrong("to", "is missing; name the chat");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    fields.map("variables").forEach((name, value) -> variables.put(name, text(value)));
    return new Target(
        to == null ? "?" : to,
        fields.text("account"),
        variables,
        fields.text("name"),
        OwnHoursJson.read(fields));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
