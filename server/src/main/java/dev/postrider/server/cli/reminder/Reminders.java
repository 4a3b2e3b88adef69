package dev.postrider.server.cli.reminder;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Document;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider reminders}: messages to many chats. */
@Command(
    name = "reminders",
    description = "Lists, shows, creates, changes, previews, tests, fires and deletes reminders.",
    footer = "  postrider reminders list")
public final class Reminders {
  private static final String FILE = "A reminder in JSON or YAML; - for what is piped in.";

  private static final DateTimeFormatter FIRES =
      DateTimeFormatter.ofPattern("EEE d MMM uuuu HH:mm", Locale.ENGLISH);

  private static final Columns COLUMNS =
      new Columns()
          .with("ID", "id")
          .with("NAME", "name")
          .with("ACCOUNT", "account")
          .with("TARGETS", "targetCount")
          .age("NEXT", "nextFiringAt")
          .with("LAST RUN", reminder -> Table.text(reminder.path("lastRun"), "status"))
          .with("SCHEDULE", Reminders::schedule);

  private static final Columns TARGETS =
      new Columns()
          .with("TO", "to")
          .with("NAME", "name")
          .with("ACCOUNT", "account")
          .with("TIMEZONE", "timezone")
          .with("WINDOW", target -> window(target.path("window")))
          .with("VARIABLES", target -> variables(target.path("variables")));

  private final Terminal terminal;

  Reminders(Terminal terminal) {
    this.terminal = terminal;
  }

  private static String schedule(JsonNode reminder) {
    String text = Table.text(reminder, "scheduleText");
    if (text.isEmpty()) {
      return "fired by hand";
    }
    return reminder.path("enabled").asBoolean() ? text : "off: " + text;
  }

  @Command(
      description = "Lists reminders, newest first.",
      footer = "  postrider reminders list --account tg-main")
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    return remote.list(
        Client.path("reminders") + paging.query(Values.of("account", account)),
        COLUMNS,
        "There are no reminders.");
  }

  @Command(
      description = "Shows a reminder.",
      footer = "  postrider reminders show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("reminders", id), Reminders::show);
  }

  private static void show(PrintWriter out, JsonNode reminder) {
    Facts.print(
        out, reminder, "id name account timezone priority expiresIn perMinute afterClose overlap");
    Facts.print(out, "schedule", schedule(reminder));
    Facts.print(out, "window", Table.text(reminder, "windowText"));
    Facts.print(out, reminder, "nextFiringAt targetCount createdAt updatedAt");
    Facts.print(out, "last run", lastRun(reminder.path("lastRun")));
    for (JsonNode message : reminder.path("messages")) {
      int files = message.path("media").size();
      Facts.print(
          out,
          "message",
          Table.text(message, "text") + (files == 0 ? "" : " (" + files + " files)"));
    }
  }

  @Command(
      description = "Creates a reminder.",
      footer = "  postrider reminders create --file notice.yaml")
  int create(
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders"),
        Document.read(file, terminal),
        (out, made) -> {
          out.println("Created as " + Table.text(made, "id") + ".");
          firings(out, made);
        });
  }

  private static String lastRun(JsonNode run) {
    String id = Table.text(run, "id");
    return id.isEmpty() ? "" : Table.text(run, "status") + ", " + id;
  }

  @Command(
      description = "Replaces a reminder; runs that have begun go on as they were.",
      footer =
          "  postrider reminders update 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70"
              + " --file notice.yaml")
  int update(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    return remote.put(
        Client.path("reminders", id),
        Document.read(file, terminal),
        (out, changed) -> {
          out.println("Changed.");
          firings(out, changed);
        });
  }

  @Command(
      description = "Follows a reminder's schedule again.",
      footer = "  postrider reminders enable 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int enable(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", id, "enable"),
        null,
        (out, reminder) -> {
          out.println("Enabled: " + schedule(reminder) + ".");
          firings(out, reminder);
        });
  }

  @Command(
      description = "Does not follow a reminder's schedule; it can still be fired by hand.",
      footer = "  postrider reminders disable 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int disable(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", id, "disable"),
        null,
        (out, _) -> out.println("Disabled; it fires by hand only."));
  }

  @Command(
      description = "Sends a reminder's messages to one chat, as a test; it is no run.",
      footer =
          "  postrider reminders test 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70"
              + " --to 12345 --name Ann --variable room=4.12")
  int test(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--to", paramLabel = "CHAT", required = true, description = "The chat.")
          String to,
      @Option(names = "--account", description = "One of the reminder's; the main one.")
          @Nullable String account,
      @Option(names = "--name", description = "What {{name}} stands for.") @Nullable String name,
      @Option(
              names = "--variable",
              paramLabel = "NAME=VALUE",
              description = "What another placeholder stands for; repeat it for more.")
          @Nullable Map<String, String> variables,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", id, "test"),
        Values.of("to", to)
            .and("account", account)
            .and("name", name)
            .and("variables", variables)
            .body(),
        (out, sent) -> {
          for (JsonNode message : sent.path("messages")) {
            out.println(Table.text(message, "id") + " is " + Table.text(message, "status") + ".");
          }
        });
  }

  // ---- targets

  private static String window(JsonNode window) {
    return window.isObject()
        ? Table.text(window, "start") + "-" + Table.text(window, "end")
        : window.asString("");
  }

  private static String variables(JsonNode variables) {
    return variables.properties().stream()
        .map(field -> field.getKey() + "=" + field.getValue().asString())
        .collect(Collectors.joining(" "));
  }

  @Command(
      description = "Lists the targets of a reminder, or writes them all as CSV.",
      footer =
          "  postrider reminders targets 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70"
              + " --csv > targets.csv")
  int targets(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--csv", description = "All of them, as a table for spreadsheets.")
          boolean csv,
      @Mixin Paging paging,
      @Mixin Remote remote)
      throws IOException {
    String path = Client.path("reminders", id, "targets");
    return csv
        ? remote.copy(path + Values.of("format", "csv").query())
        : remote.list(
            path + paging.query(Values.of("format", null)), TARGETS, "It has no targets.");
  }

  @Command(
      name = "import",
      description = "Takes a reminder's targets from a table in CSV.",
      footer =
          "  postrider reminders import 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70"
              + " --file targets.csv --add")
  int importTable(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--file",
              paramLabel = "FILE",
              required = true,
              description = "A table whose first row names the columns; - for what is piped in.")
          String file,
      @Option(names = "--add", description = "Adds them; otherwise they replace all targets.")
          boolean add,
      @Mixin Remote remote) {
    String path = Client.path("reminders", id, "targets");
    return remote.postTable(
        path + Values.of("mode", add ? "add" : "replace").query(),
        Document.text(file, terminal),
        (out, reminder) -> {
          out.println("It has %,d targets now.".formatted(reminder.path("targetCount").asInt()));
          reminder.path("notes").forEach(note -> out.println(Table.plain(note.asString())));
        });
  }

  @Command(
      description =
          "Tells how a reminder would go now, and at its next firings; nothing is stored.",
      footer = "  postrider reminders preview --file notice.yaml")
  int preview(
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", "preview"), Document.read(file, terminal), Reminders::preview);
  }

  private static void preview(PrintWriter out, JsonNode outlook) {
    String pace =
        outlook.path("perMinute").isNumber()
            ? "at %.1f a minute".formatted(outlook.path("perMinute").asDouble())
            : "as fast as they are taken";
    out.println("%,d messages %s.".formatted(outlook.path("sends").asLong(), pace));
    if (outlook.path("fits").asBoolean()) {
      out.println("They fit; done at " + Table.text(outlook, "doneAt") + ".");
    } else {
      String done = Table.text(outlook, "doneAt");
      out.println(
          "They do not fit: %,d go out before %s; all of them take %d openings of the window%s."
              .formatted(
                  outlook.path("inOpening").asLong(),
                  Table.text(outlook, "closesAt"),
                  outlook.path("windows").asInt(),
                  done.isEmpty() ? "" : ", until " + done));
    }
    int unknown = outlook.path("unknownCount").asInt();
    if (unknown > 0) {
      out.println(
          "%,d chats are new to their account, such as %s."
              .formatted(unknown, Table.plain(outlook.at("/unknownTargets/0").asString(""))));
    }
    firings(out, outlook);
  }

  /** The next firings, a line each. */
  private static void firings(PrintWriter out, JsonNode answer) {
    JsonNode firings = answer.path("firings");
    if (!firings.isEmpty()) {
      out.println("Its next firings:");
    }
    for (JsonNode firing : firings) {
      OffsetDateTime at = OffsetDateTime.parse(Table.text(firing, "at"));
      out.println("  " + FIRES.format(at) + "  " + Table.text(firing, "note"));
    }
  }

  @Command(
      description = "Fires a reminder now.",
      footer = "  postrider reminders fire 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int fire(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", id, "fire"),
        null,
        (out, run) ->
            out.println(
                "Fired to %,d chats; follow it with: postrider runs watch %s"
                    .formatted(run.path("total").asInt(), Table.text(run, "id"))));
  }

  @Command(
      description = "Deletes a reminder; its runs go on.",
      footer = "  postrider reminders delete 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int delete(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.delete(Client.path("reminders", id), "Deleted.");
  }
}
