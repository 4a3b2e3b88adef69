package dev.postrider.server.cli.help;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * {@code postrider complete}: what the server has of a kind, a value a line, for the script of
 * {@link Completion}. Says nothing if no server answers, and waits for it no longer than a person
 * who has pressed a key.
 */
@Command(
    name = "complete",
    hidden = true,
    description = "Lists values for a shell that completes a command.",
    footer = "  postrider complete accounts")
public final class LiveValues implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Terminal terminal;

  /** What a server has many of, by the step of its path. */
  enum Kind {
    accounts("accounts", "id"),
    chats("lanes", "to"),
    messages("messages", "id"),
    deadletters("dead-letters", "id"),
    inbound("inbound", "id"),
    sessions("sessions", "id"),
    reminders("reminders", "id"),
    runs("runs", "id");

    private final String step;
    private final String field;

    Kind(String step, String field) {
      this.step = step;
      this.field = field;
    }
  }

  @Parameters(paramLabel = "KIND")
  private Kind kind = Kind.accounts;

  @Mixin private Remote remote;

  public LiveValues(Terminal terminal) {
    this.terminal = terminal;
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() throws InterruptedException {
    Thread.ofVirtual().start(this::print).join(PATIENCE);
    return 0;
  }

  private void print() {
    try {
      String page = kind == Kind.accounts ? "" : "?limit=50";
      for (JsonNode item : remote.client().get(Client.path(kind.step) + page).path("items")) {
        terminal.out().println(Table.plain(Table.text(item, kind.field)));
      }
    } catch (Failure e) {
      // A shell that completes a word is no place for it.
    }
  }

  /** The kind of thing that an argument names, if a server has such. */
  static Optional<Kind> kind(CommandSpec command, ArgSpec argument) {
    String name = argument instanceof OptionSpec option ? option.longestName() : "";
    return Optional.ofNullable(
        switch (name.isEmpty() ? argument.paramLabel() : name) {
          case "--account", "ACCOUNT" -> Kind.accounts;
          case "--to", "CHAT" -> Kind.chats;
          case "--session", "SESSION" -> Kind.sessions;
          case "--turn" -> Kind.inbound;
          case "--run" -> Kind.runs;
          case "--reminder" -> Kind.reminders;
          case "ID" ->
              switch (command.parent() == null ? "" : command.parent().name()) {
                case "messages" -> Kind.messages;
                case "dead-letters" -> Kind.deadletters;
                case "inbound", "turns" -> Kind.inbound;
                case "reminders" -> Kind.reminders;
                case "runs" -> Kind.runs;
                default -> null;
              };
          default -> null;
        });
  }
}
