package dev.postrider.reminder.json;

import dev.postrider.config.Durations;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.Priority;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.TargetSpan;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.reminder.time.ScheduleDraft;
import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowDraft;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A script as JSON: the same form in which people write reminders. */
public final class ScriptJson {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String UNREADABLE = "unreadable";

  private static final List<String> SCHEDULE =
      List.of("at", "cron", "every", "on", "dayOfMonth", "from", "until", "times");
  static final String WINDOW = "window";
  static final String ANY_HOUR = "none";
  private static final String SPANS = "targetSpans";
  private static final List<String> MESSAGE =
      List.of("text", "format", "media", "threadId", "silent", "channelData", "metadata");

  private ScriptJson() {}

  // ---- writing

  /** The script as it is stored: as people see it, and which targets have hours of their own. */
  public static String write(FrozenReminder script) {
    ObjectNode json = tree(script);
    if (!script.targetSpans().isEmpty()) {
      ArrayNode spans = json.putArray(SPANS);
      for (TargetSpan span : script.targetSpans()) {
        OwnHoursJson.write(spans.addObject().put("count", span.count()), span.hours());
      }
    }
    return JSON.writeValueAsString(json);
  }

  /** The script as people see it. */
  public static ObjectNode tree(FrozenReminder script) {
    ObjectNode json = JSON.createObjectNode();
    json.put("name", script.name());
    json.put("account", script.accounts().getFirst());
    if (script.accounts().size() > 1) {
      script.accounts().forEach(json.putArray("accounts")::add);
    }
    json.put("timezone", script.zone().getId());
    Schedule schedule = script.schedule();
    if (schedule != null) {
      json.set("schedule", present(JSON.valueToTree(ScheduleDraft.of(schedule))));
    }
    Window window = script.window();
    if (window == null) {
      json.put(WINDOW, ANY_HOUR);
    } else {
      json.set(WINDOW, present(JSON.valueToTree(WindowDraft.of(window))));
    }
    json.put("afterClose", word(script.afterClose()));
    json.put("overlap", word(script.overlap()));
    if (script.perMinute() != null) {
      json.put("perMinute", script.perMinute());
    }
    ArrayNode messages = json.putArray("messages");
    script.messages().forEach(message -> messages.add(tree(message)));
    if (script.expiresIn() != null) {
      json.put("expiresIn", Durations.format(script.expiresIn()));
    }
    json.put("priority", word(script.priority()));
    json.put("enabled", script.enabled());
    return json;
  }

  private static ObjectNode tree(Content message) {
    ObjectNode json = JSON.createObjectNode();
    if (message.text() != null) {
      json.put("text", message.text().source());
    }
    json.put("format", word(message.format()));
    if (!message.media().isEmpty()) {
      ArrayNode media = json.putArray("media");
      message.media().forEach(file -> media.add(tree(file)));
    }
    if (message.threadId() != null) {
      json.put("threadId", message.threadId().source());
    }
    if (message.silent()) {
      json.put("silent", true);
    }
    if (!message.channelData().isEmpty()) {
      json.set("channelData", JSON.valueToTree(message.channelData()));
    }
    if (!message.metadata().isEmpty()) {
      json.set("metadata", JSON.valueToTree(message.metadata()));
    }
    return json;
  }

  private static ObjectNode tree(Media file) {
    ObjectNode json = JSON.createObjectNode();
    String hash = file.hash();
    if (hash == null) {
      json.put("url", file.url());
    } else {
      json.put("id", hash);
    }
    if (file.kind() != null) {
      json.put("kind", word(file.kind()));
    }
    if (file.filename() != null) {
      json.put("filename", file.filename());
    }
    if (file.loop()) {
      json.put("loop", true);
    }
    if (file.asDocument()) {
      json.put("asDocument", true);
    }
    return json;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Without what is not said. */
  static ObjectNode present(JsonNode json) {
    ObjectNode object = (ObjectNode) json;
    List<String> absent = new ArrayList<>();
    object
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                absent.add(field.getKey());
              }
            });
    return object.remove(absent);
  }

  // ---- reading

  /** A script as it was stored. */
  public static FrozenReminder read(String document) {
    Problems problems = new Problems();
    JsonNode stored = JSON.readTree(document);
    if (stored.has(UNREADABLE)) {
      return unreadable(stored);
    }
    if (!stored.has(WINDOW)) {
      ((ObjectNode) stored).put(WINDOW, ANY_HOUR); // so it meant before there was a usual window
    }
    FrozenReminder script = read(stored, LocalDate.EPOCH, problems);
    problems.refuse();
    if (script == null) {
      throw new InvalidInput("reminder", "cannot be read");
    }
    return script;
  }

  private static List<TargetSpan> spans(JsonFields fields) {
    return fields.objects(SPANS).stream()
        .map(span -> new TargetSpan(span.number("count", 1), OwnHoursJson.read(span)))
        .toList();
  }

  /** Whether a script that was stored has lost its content. */
  public static boolean isUnreadable(String document) {
    return JSON.readTree(document).has(UNREADABLE);
  }

  /**
   * Stands for a script whose content is lost: the time of its runs is over before anything is
   * sent.
   */
  private static FrozenReminder unreadable(JsonNode stored) {
    return new FrozenReminder(
        "(unreadable: " + stored.path(UNREADABLE).asString() + ")",
        List.of(stored.path("account").asString()),
        ZoneId.of("UTC"),
        null,
        null,
        AfterClose.WAIT,
        Overlap.REFUSE,
        null,
        List.of(),
        List.of(Content.text("(unreadable)")),
        Duration.ofMillis(1),
        Priority.BULK,
        false);
  }

  /**
   * Reads a script as people write it; null if it cannot be made, and the reasons are among the
   * problems. JsonFields it does not know are left to whoever reads the targets.
   *
   * @param today where a repetition starts that does not say so
   */
  public static @Nullable FrozenReminder read(JsonNode json, LocalDate today, Problems problems) {
    JsonFields fields = new JsonFields(json, "", problems);
    ZoneId zone = zone(fields);
    List<String> accounts = accounts(fields);
    Schedule schedule = schedule(fields, today);
    Window window = window(fields, zone);
    AfterClose afterClose = fields.word("afterClose", AfterClose.class, AfterClose.WAIT);
    Overlap overlap = fields.word("overlap", Overlap.class, Overlap.REFUSE);
    Integer perMinute = fields.number("perMinute");
    List<TargetSpan> spans = spans(fields);
    List<Content> messages = messages(fields);
    Duration expiresIn = fields.duration("expiresIn");
    Priority priority = fields.word("priority", Priority.class, Priority.BULK);
    boolean enabled = fields.flag("enabled", true);
    String name = fields.text("name");
    return problems.isEmpty()
        ? new FrozenReminder(
            name == null ? "" : name,
            accounts,
            zone,
            schedule,
            window,
            afterClose,
            overlap,
            perMinute,
            spans,
            messages,
            expiresIn,
            priority,
            enabled)
        : null;
  }

  private static ZoneId zone(JsonFields fields) {
    String written = fields.text("timezone");
    if (written == null) {
      fields.wrong("timezone", "is missing; name a time zone such as Asia/Kuala_Lumpur");
      return ZoneId.of("UTC");
    }
    try {
      return ZoneId.of(written);
    } catch (DateTimeException e) {
      fields.wrong(
          "timezone", "'" + written + "' is no time zone; write one such as Europe/London");
      return ZoneId.of("UTC");
    }
  }

  private static List<String> accounts(JsonFields fields) {
    List<String> several = fields.texts("accounts");
    String one = fields.text("account");
    if (several != null) {
      if (one != null && !several.isEmpty() && !several.getFirst().equals(one)) {
        fields.wrong("account", "is not the first of accounts; write one of the two");
      }
      return several;
    }
    if (one == null) {
      fields.wrong("account", "is missing; name the account that sends");
      return List.of();
    }
    return List.of(one);
  }

  private static @Nullable Schedule schedule(JsonFields fields, LocalDate today) {
    JsonFields own = fields.object("schedule");
    if (own == null) {
      return null;
    }
    own.only(SCHEDULE);
    return new ScheduleDraft(
            own.text("at"),
            own.text("cron"),
            own.text("every"),
            own.texts("on"),
            own.number("dayOfMonth"),
            own.text("from"),
            own.text("until"),
            own.number("times"))
        .read(today, fields.problems());
  }

  private static @Nullable Window window(JsonFields fields, ZoneId zone) {
    if (!fields.has(WINDOW)) {
      return Window.in(zone);
    }
    WindowDraft written = OwnHoursJson.window(fields);
    return written == null ? null : written.read(zone, fields.problems());
  }

  private static List<Content> messages(JsonFields fields) {
    List<Content> all = new ArrayList<>();
    for (JsonFields message : fields.objects("messages")) {
      message.only(MESSAGE);
      Content.Builder content =
          Content.builder()
              .text(message.text("text"))
              .format(message.word("format", Format.class, Format.MARKDOWN))
              .media(message.media())
              .threadId(message.text("threadId"))
              .silent(message.flag("silent", false))
              .channelData(message.map("channelData"))
              .metadata(message.map("metadata"));
      try {
        all.add(content.build());
      } catch (InvalidInput e) {
        message.wrong(e);
      }
    }
    return all;
  }
}
