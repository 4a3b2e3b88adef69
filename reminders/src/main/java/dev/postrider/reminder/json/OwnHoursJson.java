package dev.postrider.reminder.json;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.WindowDraft;
import dev.postrider.reminder.time.Zones;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The hours of a target as JSON: {@code timezone} and {@code window} beside its other fields. */
public final class OwnHoursJson {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String ZONE = "timezone";
  private static final List<String> FIELDS = List.of("start", "end", "days", "onClose");

  private OwnHoursJson() {}

  /** Adds what is said; nothing if it is null. */
  public static void write(ObjectNode target, @Nullable OwnHours hours) {
    if (hours == null) {
      return;
    }
    if (hours.zone() != null) {
      target.put(ZONE, hours.zone().getId());
    }
    if (hours.anyHour()) {
      target.put(ScriptJson.WINDOW, ScriptJson.ANY_HOUR);
    } else if (hours.window() != null) {
      target.set(ScriptJson.WINDOW, ScriptJson.present(JSON.valueToTree(hours.window())));
    }
  }

  /** Null if there are none, or if the reasons are among the problems. */
  static @Nullable OwnHours read(JsonFields target) {
    Problems problems = new Problems();
    String written = target.text(ZONE);
    ZoneId zone = written == null ? null : Zones.read(ZONE, written, problems);
    WindowDraft window = window(target);
    boolean anyHour = target.isWord(ScriptJson.WINDOW, ScriptJson.ANY_HOUR);
    try {
      problems.refuse();
      return OwnHours.of(zone, window, anyHour);
    } catch (InvalidInput e) {
      target.wrong(e);
      return null;
    }
  }

  /** A window as it is written; null if there is none, or any hour will do. */
  static @Nullable WindowDraft window(JsonFields fields) {
    if (fields.isWord(ScriptJson.WINDOW, ScriptJson.ANY_HOUR)) {
      return null;
    }
    JsonFields own =
        fields.object(
            ScriptJson.WINDOW,
            "must be an object such as {\"start\": \"06:00\", \"end\": \"18:00\"}, or \"none\"");
    if (own == null) {
      return null;
    }
    own.only(FIELDS);
    return new WindowDraft(
        own.text("start"), own.text("end"), own.texts("days"), own.text("onClose"));
  }
}
