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
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider reminders}: messages to many chats. */
@Command(
    name = "reminders",
    description = "Lists, shows, creates, previews, fires and deletes reminders.")
public final class Reminders {
  private static final String FILE = "A reminder in JSON or YAML; - for what is piped in.";

  private static final Columns COLUMNS =
      new Columns()
          .with("ID", "id")
          .with("NAME", "name")
          .with("ACCOUNT", "account")
          .with("TARGETS", "targetCount")
          .age("NEXT", "nextFireAt")
          .with("SCHEDULE", Reminders::schedule);

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

  @Command(description = "Lists reminders, newest first.")
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    return remote.list(
        Client.path("reminders") + paging.query(Values.of("account", account)),
        COLUMNS,
        "There are no reminders.");
  }

  @Command(description = "Shows a reminder.")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path("reminders", id), Reminders::show);
  }

  private static void show(PrintWriter out, JsonNode reminder) {
    Facts.print(out, reminder, "id name account timezone priority expiresIn");
    Facts.print(out, "schedule", schedule(reminder));
    Facts.print(out, "window", Table.text(reminder, "windowText"));
    Facts.print(out, reminder, "nextFireAt targetCount createdAt updatedAt");
    for (JsonNode message : reminder.path("messages")) {
      int files = message.path("media").size();
      Facts.print(
          out,
          "message",
          Table.text(message, "text") + (files == 0 ? "" : " (" + files + " files)"));
    }
  }

  @Command(description = "Creates a reminder.")
  int create(
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders"),
        Document.read(file, terminal),
        (out, made) -> out.println("Created as " + Table.text(made, "id") + "."));
  }

  @Command(description = "Tells how a reminder would go if it fired now; nothing is stored.")
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
  }

  @Command(description = "Fires a reminder now.")
  int fire(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("reminders", id, "fire"),
        null,
        (out, run) ->
            out.println(
                "Fired to %,d chats; follow it with: postrider runs watch %s"
                    .formatted(run.path("total").asInt(), Table.text(run, "id"))));
  }

  @Command(description = "Deletes a reminder; its runs go on.")
  int delete(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.delete(Client.path("reminders", id), "Deleted.");
  }
}
