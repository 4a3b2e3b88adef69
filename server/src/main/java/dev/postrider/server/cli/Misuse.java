package dev.postrider.server.cli;

import dev.postrider.config.NearestName;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, and what was probably meant. */
final class Misuse {
  private Misuse() {}

  static int explain(ParameterException e, Terminal terminal) {
    CommandLine command = e.getCommandLine();
    terminal.err().println(sentence(e, command));
    terminal
        .err()
        .println("'%s --help' tells more.".formatted(command.getCommandSpec().qualifiedName()));
    return Failure.USAGE;
  }

  private static String sentence(ParameterException e, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    Collection<String> subcommands = new TreeSet<>(command.getSubcommands().keySet());
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().getFirst();
      if (word.startsWith("-")) {
        List<String> options =
            spec.optionsMap().keySet().stream().filter(name -> name.startsWith("--")).toList();
        return "There is no option " + word + "." + hint(word.split("=", 2)[0], options);
      }
      return subcommands.isEmpty()
          ? "'" + word + "' is one word too many."
          : "There is no command '" + word + "'." + hint(word, subcommands);
    }
    return !subcommands.isEmpty() && String.valueOf(e.getMessage()).startsWith("Missing required")
        ? "Say what to do: " + String.join(", ", subcommands) + "."
        : String.valueOf(e.getMessage());
  }

  private static String hint(String word, Collection<String> known) {
    return NearestName.to(word, known).map(name -> " Did you mean " + name + "?").orElse("");
  }
}
