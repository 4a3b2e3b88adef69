package dev.postrider.server.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider reminders}: messages to many chats. */
@Command(
    name = "reminders",
    description = "Lists, shows, creates, previews, fires and deletes reminders.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Reminders {
  private static final String PATH = "/v1/reminders";
  private static final String FILE = "A reminder in JSON or YAML; - for what is piped in.";

  private final Terminal terminal;

  Reminders(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(description = "Lists them, the newest first.", mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("account", account);
    JsonNode page = remote.client().get(PATH + Client.query(paging.addTo(query)));
    remote.print(page, this::list);
    return 0;
  }

  private void list(JsonNode page) {
    Table table = new Table("ID", "NAME", "ACCOUNT", "TARGETS", "NEXT", "SCHEDULE");
    for (JsonNode reminder : page.path("items")) {
      table.row(
          Table.text(reminder, "id"),
          Table.text(reminder, "name"),
          Table.text(reminder, "account"),
          reminder.path("targetCount").asInt(),
          Table.ago(reminder, "nextFireAt"),
          schedule(reminder));
    }
    table.print(terminal.out(), "There are no reminders.");
    InboundText.more(terminal.out(), page);
  }

  private static String schedule(JsonNode reminder) {
    String text = Table.text(reminder, "scheduleText");
    if (text.isEmpty()) {
      return "fired by hand";
    }
    return reminder.path("enabled").asBoolean() ? text : "off: " + text;
  }

  @Command(description = "Shows one.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.print(remote.client().get(PATH + "/" + Client.step(id)), this::show);
    return 0;
  }

  private void show(JsonNode reminder) {
    PrintWriter out = terminal.out();
    InboundText.facts(out, reminder, "id", "name", "account", "timezone", "priority", "expiresIn");
    InboundText.fact(out, "schedule", schedule(reminder));
    InboundText.fact(out, "window", Table.text(reminder, "windowText"));
    InboundText.facts(out, reminder, "nextFireAt", "targetCount", "createdAt", "updatedAt");
    for (JsonNode message : reminder.path("messages")) {
      int files = message.path("media").size();
      InboundText.fact(
          out,
          "message",
          Table.text(message, "text") + (files == 0 ? "" : " (" + files + " files)"));
    }
  }

  @Command(description = "Creates one.", mixinStandardHelpOptions = true)
  int create(
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    JsonNode made = remote.client().post(PATH, Document.read(file, terminal));
    remote.print(
        made, reminder -> terminal.out().println("Created as " + Table.text(reminder, "id") + "."));
    return 0;
  }

  @Command(
      description = "Tells how a reminder would go if it fired now; nothing is stored.",
      mixinStandardHelpOptions = true)
  int preview(
      @Option(names = "--file", paramLabel = "FILE", required = true, description = FILE)
          String file,
      @Mixin Remote remote) {
    JsonNode outlook = remote.client().post(PATH + "/preview", Document.read(file, terminal));
    remote.print(outlook, this::preview);
    return 0;
  }

  private void preview(JsonNode outlook) {
    PrintWriter out = terminal.out();
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

  @Command(description = "Fires one now.", mixinStandardHelpOptions = true)
  int fire(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    JsonNode run = remote.client().post(PATH + "/" + Client.step(id) + "/fire", null);
    remote.print(
        run,
        fired ->
            terminal
                .out()
                .println(
                    "Fired to %,d chats; follow it with: postrider runs watch %s"
                        .formatted(fired.path("total").asInt(), Table.text(fired, "id"))));
    return 0;
  }

  @Command(description = "Deletes one; its runs go on.", mixinStandardHelpOptions = true)
  int delete(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.client().delete(PATH + "/" + Client.step(id));
    if (!remote.wantsJson()) {
      terminal.out().println("Deleted.");
    }
    return 0;
  }
}
