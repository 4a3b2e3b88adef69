package dev.postrider.reminder.json;

import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Script;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.problem.Problems;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A reminder as people write it, its targets included. */
public final class ReminderJson {
  private ReminderJson() {}

  /**
   * Reads a reminder.
   *
   * @param today where a repetition starts that does not say so
   * @throws dev.postrider.reminder.problem.InvalidReminder naming every field that is wrong
   */
  public static Reminder.Builder read(JsonNode json, LocalDate today) {
    Problems problems = new Problems();
    if (!json.isObject()) {
      problems.add("reminder", "must be a JSON object");
      problems.refuse();
    }
    Script script = ScriptJson.read(json, today, problems);
    List<Target> targets = new ArrayList<>();
    for (Fields target : new Fields(json, "", problems).objects("targets")) {
      targets.add(target(target));
    }
    problems.refuse();
    if (script == null) {
      throw new IllegalStateException("a script that cannot be read has no problems");
    }
    return script.toReminder().targets(targets);
  }

  private static Target target(Fields fields) {
    String to = fields.text("to");
    if (to == null) {
      fields.wrong("to", "is missing; name the chat");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    fields.map("variables").forEach((name, value) -> variables.put(name, text(value)));
    return new Target(
        to == null ? "?" : to, fields.text("account"), variables, fields.text("name"));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
