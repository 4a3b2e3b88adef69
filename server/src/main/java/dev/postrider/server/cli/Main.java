package dev.postrider.server.cli;

import dev.postrider.config.Durations;
import dev.postrider.server.cli.demo.Demo;
import dev.postrider.server.cli.doctor.Doctor;
import dev.postrider.server.cli.help.Completion;
import dev.postrider.server.cli.help.LiveValues;
import dev.postrider.server.cli.help.Man;
import dev.postrider.server.cli.inbound.Inbound;
import dev.postrider.server.cli.inbound.Sessions;
import dev.postrider.server.cli.inbound.Turns;
import dev.postrider.server.cli.message.DeadLetters;
import dev.postrider.server.cli.message.Lanes;
import dev.postrider.server.cli.message.Messages;
import dev.postrider.server.cli.message.Send;
import dev.postrider.server.cli.message.Waiting;
import dev.postrider.server.cli.reminder.Reminders;
import dev.postrider.server.cli.reminder.Runs;
import dev.postrider.server.cli.store.Backup;
import dev.postrider.server.cli.store.Export;
import dev.postrider.server.cli.store.Hold;
import dev.postrider.server.cli.store.Import;
import dev.postrider.server.cli.store.MigrateStore;
import dev.postrider.server.cli.store.NewKey;
import dev.postrider.server.cli.store.Reencrypt;
import dev.postrider.server.cli.store.Restore;
import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Colours;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.When;
import dev.postrider.server.log.LastingLogManager;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The command {@code postrider}: picks a subcommand and turns its end into an exit code. */
@Command(
    name = "postrider",
    description = "Durable delivery of chat messages.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    abbreviateSynopsis = true,
    footerHeading = "%nExample:%n",
    scope = ScopeType.INHERIT)
public final class Main {
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("serve", Serve.class);
    COMMANDS.put("demo", Demo.class);
    COMMANDS.put("send", Send.class);
    COMMANDS.put("status", Status.class);
    COMMANDS.put("ready", Ready.class);
    COMMANDS.put("messages", Messages.class);
    COMMANDS.put("dead-letters", DeadLetters.class);
    COMMANDS.put("accounts", Accounts.class);
    COMMANDS.put("channels", Channels.class);
    COMMANDS.put("lanes", Lanes.class);
    COMMANDS.put("waiting", Waiting.class);
    COMMANDS.put("reminders", Reminders.class);
    COMMANDS.put("runs", Runs.class);
    COMMANDS.put("inbound", Inbound.class);
    COMMANDS.put("turns", Turns.class);
    COMMANDS.put("sessions", Sessions.class);
    COMMANDS.put("doctor", Doctor.class);
    COMMANDS.put("audit", Audit.class);
    COMMANDS.put("token", NewToken.class);
    COMMANDS.put("key", NewKey.class);
    COMMANDS.put("backup", Backup.class);
    COMMANDS.put("restore", Restore.class);
    COMMANDS.put("hold", Hold.class);
    COMMANDS.put("export", Export.class);
    COMMANDS.put("import", Import.class);
    COMMANDS.put("migrate-store", MigrateStore.class);
    COMMANDS.put("reencrypt", Reencrypt.class);
    COMMANDS.put("completion", Completion.class);
    COMMANDS.put("man", Man.class);
    COMMANDS.put("complete", LiveValues.class);
    COMMANDS.put("version", Version.class);
  }

  private static final String[] FOOTER = {
    "",
    "Example:",
    "  postrider send --account sandbox --to ann --text 'Hello Ann' --wait 5s",
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 server not reachable.",
    "Environment: POSTRIDER_URL and POSTRIDER_TOKEN stand for --url and --token."
  };

  private final Terminal terminal;

  private Main(Terminal terminal) {
    this.terminal = terminal;
  }

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

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "Colours: ${COMPLETION-CANDIDATES}; auto is on terminals, without NO_COLOR.")
  void colour(Colours when) {
    terminal.colours(when);
  }

  /** Runs a command in the given surroundings and gives its exit code. */
  public static int run(Terminal terminal, String... args) {
    @Nullable Class<?> command = args.length == 0 ? null : COMMANDS.get(args[0]);
    Map<String, Class<?>> needed = command == null ? COMMANDS : Map.of(args[0], command);
    int code = commandLine(terminal, needed).execute(args);
    terminal.rawOut().flush();
    terminal.rawErr().flush();
    return code;
  }

  /** All commands, with their options. */
  static CommandLine commandLine(Terminal terminal) {
    return commandLine(terminal, COMMANDS);
  }

  /** To look at a command's options takes longer than most commands do: only what is needed. */
  private static CommandLine commandLine(Terminal terminal, Map<String, Class<?>> commands) {
    IFactory factory = new Commands(terminal);
    CommandLine line = new CommandLine(new Main(terminal), factory);
    commands.forEach((name, type) -> line.addSubcommand(name, new CommandLine(type, factory)));
    line.getCommandSpec().usageMessage().footerHeading("").footer(FOOTER);
    line.setOut(terminal.rawOut()); // help is coloured
    line.setErr(terminal.rawErr());
    line.setUsageHelpWidth(terminal.out().helpWidth());
    line.registerConverter(Duration.class, Main::duration);
    line.registerConverter(When.class, When::parse);
    line.setExecutionStrategy(
        parsed -> {
          line.setColorScheme(Help.defaultColorScheme(terminal.coloured() ? Ansi.ON : Ansi.OFF));
          check(parsed);
          return new RunLast().execute(parsed);
        });
    line.setParameterExceptionHandler((e, _) -> Misuse.explain(e, terminal));
    line.setExecutionExceptionHandler((e, _, _) -> explain(e, terminal));
    return line;
  }

  /** Refuses options that were given other words than they know. */
  private static void check(ParseResult parsed) {
    for (CommandLine command : parsed.asCommandLineList()) {
      command
          .getParseResult()
          .matchedOptions()
          .forEach(
              option ->
                  Choices.problem(option)
                      .ifPresent(
                          problem -> {
                            throw new ParameterException(command, problem);
                          }));
    }
  }

  private static Duration duration(String text) {
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
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

  /** Makes commands, and hands them what they ask for. */
  private record Commands(Terminal terminal) implements IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == Man.class) {
        return type.cast(new Man(terminal, Main::commandLine));
      }
      if (type == Completion.class) {
        return type.cast(new Completion(terminal, Main::commandLine));
      }
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
