package dev.postrider.server.cli;

import dev.postrider.server.cli.inbound.Inbound;
import dev.postrider.server.cli.inbound.Sessions;
import dev.postrider.server.cli.inbound.Turns;
import dev.postrider.server.cli.message.DeadLetters;
import dev.postrider.server.cli.message.Lanes;
import dev.postrider.server.cli.message.Messages;
import dev.postrider.server.cli.message.Send;
import dev.postrider.server.cli.reminder.Reminders;
import dev.postrider.server.cli.reminder.Runs;
import dev.postrider.server.cli.store.Export;
import dev.postrider.server.cli.store.Import;
import dev.postrider.server.cli.store.MigrateStore;
import dev.postrider.server.cli.store.NewKey;
import dev.postrider.server.cli.store.Reencrypt;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.log.LastingLogManager;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ScopeType;

/** The command {@code postrider}: picks a subcommand and turns its end into an exit code. */
@Command(
    name = "postrider",
    description = "Durable delivery of chat messages.",
    subcommands = {
      Serve.class,
      Send.class,
      Status.class,
      Messages.class,
      DeadLetters.class,
      Accounts.class,
      Lanes.class,
      Reminders.class,
      Runs.class,
      Inbound.class,
      Turns.class,
      Sessions.class,
      Doctor.class,
      Audit.class,
      NewToken.class,
      NewKey.class,
      Export.class,
      Import.class,
      MigrateStore.class,
      Reencrypt.class,
      Completion.class,
      Version.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    scope = ScopeType.INHERIT)
public final class Main {
  private static final String[] FOOTER = {
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 server not reachable.",
    "Environment: POSTRIDER_URL and POSTRIDER_TOKEN stand for --url and --token."
  };

  private Main() {}

  public static void main(String[] args) {
    // Only its name: touching the class would set up the platform's own first.
    System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(new Terminal(System.getenv(), System.in, out, err, interactive()), args));
  }

  private static boolean interactive() {
    @Nullable Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Runs a command in the given surroundings and gives its exit code. */
  public static int run(Terminal terminal, String... args) {
    int code = commandLine(terminal).execute(args);
    terminal.rawOut().flush();
    terminal.rawErr().flush();
    return code;
  }

  /** All commands, with their options. */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine line = new CommandLine(new Main(), new Commands(terminal));
    line.getCommandSpec().usageMessage().footer(FOOTER); // in the annotation, all would inherit it
    line.setOut(terminal.rawOut()); // help is coloured
    line.setErr(terminal.rawErr());
    line.setExecutionExceptionHandler((e, _, _) -> explain(e, terminal));
    return line;
  }

  private static int explain(Exception e, Terminal terminal) {
    if (e instanceof Failure failure) {
      terminal.err().println(failure.getMessage());
      return failure.exitCode();
    }
    String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    terminal.err().println("This should not have happened: " + what);
    return Failure.FAILED;
  }

  /** Makes commands, and hands the terminal to those that ask for it. */
  private record Commands(Terminal terminal) implements IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        if (constructor.getParameterCount() == 1
            && constructor.getParameterTypes()[0] == Terminal.class) {
          constructor.setAccessible(true); // a command is for nobody else to make
          try {
            return type.cast(constructor.newInstance(terminal));
          } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
          }
        }
      }
      return CommandLine.defaultFactory().create(type);
    }
  }
}
