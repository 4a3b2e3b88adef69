package dev.postrider.server.cli.help;

import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.Build;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code postrider man}: the manual page, from what the commands say of themselves. */
@Command(
    name = "man",
    description = "Prints the manual page of all commands, postrider(1).",
    footer = "  postrider man > /usr/local/share/man/man1/postrider.1")
public final class Man implements Callable<Integer> {
  private final Terminal terminal;
  private final Function<Terminal, CommandLine> commands;

  public Man(Terminal terminal, Function<Terminal, CommandLine> commands) {
    this.terminal = terminal;
    this.commands = commands;
  }

  @Override
  public Integer call() {
    print(commands.apply(terminal), terminal.out());
    return 0;
  }

  private static void print(CommandLine root, PrintWriter out) {
    out.println(".TH POSTRIDER 1 \"\" \"postrider " + roff(Build.version()) + "\"");
    section(out, "NAME", "postrider - delivers chat messages and does not lose them");
    section(out, "SYNOPSIS", "postrider COMMAND [OPTIONS]");
    section(
        out,
        "DESCRIPTION",
        "Runs a server that delivers chat messages, and speaks to one. 'postrider COMMAND --help'"
            + " tells of one command what this page tells of all.");
    out.println(".SH COMMANDS");
    Reference.all(root).forEach(command -> command(out, command));
    out.println(".SH OPTIONS OF EVERY COMMAND");
    items(out, Reference.everywhere(root));
    out.println(".SH OPTIONS OF COMMANDS THAT SPEAK TO A SERVER");
    items(out, Reference.speaking(root));
    out.println(".SH ENVIRONMENT");
    items(
        out,
        List.of(
            new Reference.Item(
                "POSTRIDER_URL, POSTRIDER_TOKEN, POSTRIDER_CA",
                "stand for --url, --token and --ca."),
            new Reference.Item("POSTRIDER_CONFIG", "stands for --config."),
            new Reference.Item("NO_COLOR", "If it is not empty, nothing is coloured.")));
    out.println(".SH EXIT STATUS");
    items(
        out,
        List.of(
            new Reference.Item("0", "Done."),
            new Reference.Item("1", "It failed."),
            new Reference.Item("2", "Wrong usage."),
            new Reference.Item("3", "The server was not reachable.")));
  }

  private static void section(PrintWriter out, String heading, String text) {
    out.println(".SH " + heading);
    out.println(roff(text));
  }

  private static void command(PrintWriter out, Reference command) {
    out.println(".SS \"" + roff((command.name() + " " + command.words()).strip()) + "\"");
    command.sentences().forEach(sentence -> out.println(roff(sentence)));
    items(out, command.parameters());
    items(out, command.options());
    command
        .examples()
        .forEach(
            example -> {
              out.println(".PP");
              out.println("Example:");
              out.println(".PP");
              out.println(".in +4n");
              out.println(".nf");
              out.println(roff(example));
              out.println(".fi");
              out.println(".in");
            });
  }

  private static void items(PrintWriter out, List<Reference.Item> items) {
    for (Reference.Item item : items) {
      out.println(".TP");
      out.println("\\fB" + roff(item.name()) + "\\fR");
      out.println(roff(item.about()));
    }
  }

  /** Text that roff prints as it is. */
  private static String roff(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
    escaped = escaped.replace("\"", "\\(dq").replace("'", "\\(aq");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
