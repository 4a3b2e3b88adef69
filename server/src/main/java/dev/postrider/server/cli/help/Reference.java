package dev.postrider.server.cli.help;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * One command as its manual tells of it.
 *
 * @param name with the names of the commands it is part of
 * @param words what stands after the name, such as {@code ACCOUNT CHAT}
 * @param options its own, without those that many commands have
 */
public record Reference(
    String name,
    List<String> sentences,
    String words,
    List<Item> parameters,
    List<Item> options,
    List<String> examples) {
  private static final Set<String> EVERYWHERE = Set.of("--help", "--version", "--color");
  private static final Set<String> SPEAKING = Set.of("--url", "--token", "--ca", "--json");

  /** An option or a parameter, and what it is for. */
  public record Item(String name, String about) {}

  /** All commands one can run, each before its subcommands. */
  public static List<Reference> all(CommandLine root) {
    List<Reference> all = new ArrayList<>();
    root.getSubcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .forEach(
            command -> {
              all.add(of(command.getCommandSpec()));
              all.addAll(all(command));
            });
    return all;
  }

  private static Reference of(CommandSpec command) {
    String words =
        command.positionalParameters().stream()
            .map(Reference::label)
            .collect(Collectors.joining(" "));
    return new Reference(
        command.qualifiedName(),
        List.of(command.usageMessage().description()),
        command.subcommands().isEmpty() ? words : "COMMAND",
        command.positionalParameters().stream()
            .map(each -> new Item(each.paramLabel(), about(each.description())))
            .filter(each -> !each.about().isEmpty())
            .toList(),
        options(command, option -> !common(command, option)),
        Arrays.stream(command.usageMessage().footer()).map(String::strip).toList());
  }

  private static String label(PositionalParamSpec parameter) {
    String many = parameter.arity().max() > 1 ? parameter.paramLabel() + "…" : "";
    String label = many.isEmpty() ? parameter.paramLabel() : many;
    return parameter.arity().min() == 0 ? "[" + label + "]" : label;
  }

  /** Where none is given there is one in angle brackets. */
  private static String label(String label) {
    return label.startsWith("<")
        ? label.substring(1, label.length() - 1).toUpperCase(Locale.ROOT)
        : label;
  }

  private static boolean common(CommandSpec command, OptionSpec option) {
    return EVERYWHERE.contains(option.longestName())
        || (SPEAKING.contains(option.longestName())
            && command.optionsMap().keySet().containsAll(SPEAKING));
  }

  /** The options that every command has. */
  public static List<Item> everywhere(CommandLine root) {
    return options(root.getCommandSpec(), option -> EVERYWHERE.contains(option.longestName()));
  }

  /** The options of every command that speaks to a server. */
  public static List<Item> speaking(CommandLine root) {
    return options(
        Objects.requireNonNull(root.getSubcommands().get("status")).getCommandSpec(),
        option -> SPEAKING.contains(option.longestName()));
  }

  private static List<Item> options(CommandSpec command, Predicate<OptionSpec> chosen) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .filter(chosen)
        .map(
            option ->
                new Item(
                    Stream.of(option.names()).collect(Collectors.joining(", "))
                        + (option.arity().max() == 0 ? "" : " " + label(option.paramLabel())),
                    about(option.description())))
        .toList();
  }

  private static String about(String[] description) {
    return String.join(" ", description);
  }
}
