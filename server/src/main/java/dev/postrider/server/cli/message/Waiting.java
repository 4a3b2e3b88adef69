package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.Values;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code postrider waiting}: why messages are not being sent, and how many for each cause. */
@Command(
    name = "waiting",
    description = "Counts the messages that wait by what they wait for, the oldest first.",
    footer = "  postrider waiting --account tg-main")
public final class Waiting implements Callable<Integer> {
  private static final Columns COLUMNS =
      new Columns()
          .with("ACCOUNT", "account")
          .with("MESSAGES", "messages")
          .with("LANES", "lanes")
          .age("OLDEST", "oldestAt")
          .with("WHY", WaitingText::words);

  @Option(names = "--account", description = "Only this account.")
  private @Nullable String account;

  @Option(
      names = "--kind",
      completionCandidates = Choices.WaitingGroup.class,
      description = "Only this kind of waiting: ${COMPLETION-CANDIDATES}.")
  private @Nullable String kind;

  @Mixin private Remote remote;

  Waiting(Terminal terminal) {
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    Values chosen = Values.of("account", account).and("kind", kind);
    return remote.get(Client.path("waiting") + chosen.query(), Waiting::show);
  }

  /** Says after an empty line what waits; nothing if nothing does, or nobody knows. */
  public static void below(Screen out, JsonNode summary) {
    COLUMNS.printBelow(out, summary.path("items"));
  }

  private static void show(Screen out, JsonNode summary) {
    COLUMNS.print(out, summary.path("items"), "Nothing waits.");
    if (!summary.path("items").isEmpty()) {
      out.println();
      out.println(
          "%,d messages wait, the oldest since %s%s."
              .formatted(
                  summary.path("total").asLong(),
                  Table.ago(summary, "oldestAt").replace(" ago", ""),
                  summary.path("complete").asBoolean(true)
                      ? ""
                      : "; there are more lanes than were looked at"));
    }
  }
}
