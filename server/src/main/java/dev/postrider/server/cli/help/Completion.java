package dev.postrider.server.cli.help;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/**
 * {@code postrider completion}: lets the shell complete our commands. The script knows all commands
 * and options; only for accounts, chats and ids does it ask the server, by {@link LiveValues}.
 */
@Command(
    name = "completion",
    description = {
      "Prints a script that lets bash or zsh complete commands, options and their values.",
      "Accounts, chats and ids come from the server, if one answers."
    },
    footer = "  source <(postrider completion bash)")
public final class Completion implements Callable<Integer> {
  private final Terminal terminal;
  private final Function<Terminal, CommandLine> commands;

  /** The shells we know. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell = Shell.bash;

  public Completion(Terminal terminal, Function<Terminal, CommandLine> commands) {
    this.terminal = terminal;
    this.commands = commands;
  }

  @Override
  public Integer call() {
    PrintWriter out = terminal.out();
    if (shell == Shell.zsh) {
      out.println("autoload -U +X compinit && compinit");
      out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    out.print(script(commands.apply(terminal)));
    out.flush();
    return 0;
  }

  private static String script(CommandLine root) {
    List<CommandSpec> all = all(root).map(CommandLine::getCommandSpec).toList();
    return """
        _postrider_live() {
          "${COMP_WORDS[0]}" complete "$1" 2>/dev/null </dev/null
        }
        _postrider() {
          local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word words=
          for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
            case "$command $word" in
              %s) command="$command $word" ;;
            esac
          done
          COMPREPLY=()
          case "$command/$prev" in
        %s    *) case "$command/${cur:0:1}" in
        %s    esac ;;
          esac
          local IFS=$'\\n'
          COMPREPLY=($(compgen -W "${words// /$'\\n'}" -- "$cur"))
        }
        complete -o default -F _postrider postrider ./postrider
        """
        .formatted(
            all.stream()
                .filter(command -> command.parent() != null)
                .map(command -> quoted(path(command)))
                .collect(Collectors.joining("|")),
            all.stream().map(Completion::values).collect(Collectors.joining()),
            all.stream().map(Completion::words).collect(Collectors.joining()));
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return command.getCommandSpec().usageMessage().hidden()
        ? Stream.empty()
        : Stream.concat(
            Stream.of(command),
            command.getSubcommands().values().stream().flatMap(Completion::all));
  }

  private static String path(CommandSpec command) {
    CommandSpec parent = command.parent();
    return parent == null ? "" : path(parent) + " " + command.name();
  }

  /** What may follow each option of a command. */
  private static String values(CommandSpec command) {
    return command.options().stream()
        .filter(option -> option.arity().max() > 0)
        .map(
            option ->
                "    %s) %s ;;\n"
                    .formatted(
                        Stream.of(option.names())
                            .map(name -> quoted(path(command) + "/" + name))
                            .collect(Collectors.joining("|")),
                        candidates(command, option).orElse("return")))
        .collect(Collectors.joining());
  }

  /** What may stand at any other place of a command. */
  private static String words(CommandSpec command) {
    String options =
        command.options().stream()
            .filter(option -> !option.hidden())
            .map(OptionSpec::longestName)
            .collect(Collectors.joining(" "));
    String others =
        command.subcommands().isEmpty()
            ? command.positionalParameters().stream()
                .flatMap(parameter -> candidates(command, parameter).stream())
                .findFirst()
                .orElse("return")
            : assigned(
                command.subcommands().values().stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(each -> !each.usageMessage().hidden())
                    .map(CommandSpec::name));
    return "      %s) words='%s' ;;\n      %s) %s ;;\n"
        .formatted(
            quoted(path(command) + "/-"), options, quoted(path(command) + "/") + "*", others);
  }

  /** The command of the script that finds an argument's values; empty if nobody knows them. */
  private static Optional<String> candidates(CommandSpec command, ArgSpec argument) {
    if (argument.completionCandidates() instanceof Choices words) {
      return Optional.of(assigned(StreamSupport.stream(words.spliterator(), false)));
    }
    if (argument.type().isEnum()) {
      return Optional.of(
          assigned(Stream.of(argument.type().getEnumConstants()).map(Object::toString)));
    }
    return LiveValues.kind(command, argument).map(kind -> "words=$(_postrider_live " + kind + ")");
  }

  private static String assigned(Stream<String> words) {
    return "words='" + words.collect(Collectors.joining(" ")) + "'";
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }
}
