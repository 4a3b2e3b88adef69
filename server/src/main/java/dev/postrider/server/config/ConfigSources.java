package dev.postrider.server.config;

import dev.postrider.config.NearestName;
import dev.postrider.problem.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where values come from besides the file, and what was found while they were read. A key's
 * variable is {@code POSTRIDER_} and its path in upper case, with {@code _} between the steps and
 * between the words of a name: {@code http.bodyLimit} is {@code POSTRIDER_HTTP_BODY_LIMIT}. An
 * entry of a list is named by its index or by its id: {@code POSTRIDER_ACCOUNTS_0_TOKEN}, {@code
 * POSTRIDER_ACCOUNTS_TG_MAIN_TOKEN}; the index after the last one adds an entry. A list of plain
 * values is given whole, {@code 5s,25s}, or by index.
 */
final class ConfigSources {
  static final String PREFIX = "POSTRIDER";

  /** Read by the launcher and the command line, not part of the configuration. */
  private static final Set<String> NOT_SETTINGS =
      Set.of(
          "POSTRIDER_CONFIG",
          "POSTRIDER_URL",
          "POSTRIDER_TOKEN",
          "POSTRIDER_CA",
          "POSTRIDER_JAVA_OPTS");

  private final Map<String, String> environment;
  private final Map<String, ConfigLoader.Option> options = new HashMap<>();
  private final Set<String> variables = new TreeSet<>();
  private final List<ConfigSection> sections = new ArrayList<>();

  final References references;
  final List<Problem> problems = new ArrayList<>();
  final List<ServerConfig.Shown> shown = new ArrayList<>();

  /** The path of every value that was asked for, whether it was given or not. */
  final Set<String> keys = new LinkedHashSet<>();

  ConfigSources(Map<String, String> environment, List<ConfigLoader.Option> options) {
    this.environment = environment;
    this.references = new References(environment);
    options.forEach(option -> this.options.put(option.key(), option));
  }

  ConfigSection root(Node.Mapping tree) {
    return opened(new ConfigSection(this, tree, "", List.of(PREFIX)));
  }

  ConfigSection opened(ConfigSection section) {
    sections.add(section);
    return section;
  }

  /** What an option says about a key, else what its variables do; the last of them wins. */
  @Nullable Node given(String key, List<String> names) {
    ConfigLoader.@Nullable Option option = options.get(key);
    @Nullable Node given = null;
    for (String name : names) {
      @Nullable Node value = variable(name);
      given = value == null ? given : value;
    }
    return option == null
        ? given
        : new Node.Scalar(ConfigSource.option(option.name()), option.value(), true);
  }

  @Nullable Node variable(String name) {
    variables.add(name);
    @Nullable String text = environment.get(name);
    return text == null ? null : new Node.Scalar(ConfigSource.variable(name), text, true);
  }

  /** Whether any variable is given of a key whose own is called so. */
  boolean hasVariableUnder(String name) {
    return environment.keySet().stream().anyMatch(each -> each.startsWith(name + "_"));
  }

  void wrong(ConfigSource source, String key, String sentence) {
    problems.add(new Problem(source.text(), key.isEmpty() ? sentence : key + " " + sentence));
  }

  /** Everything has been asked for: what stands in the file besides is not known. */
  void close() {
    sections.forEach(ConfigSection::close);
  }

  /** Warns of variables that look like settings but are none. */
  List<ServerConfig.Warning> unknownVariables() {
    return environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX + "_"))
        .filter(name -> !variables.contains(name) && !NOT_SETTINGS.contains(name))
        .filter(name -> !references.used().contains(name))
        .sorted()
        .map(
            name ->
                new ServerConfig.Warning(
                    "The environment variable "
                        + name
                        + " is not a setting"
                        + NearestName.to(name, variables)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("."),
                    "Correct its name, or take it out of the environment."))
        .toList();
  }

  /** The name of a key or an id inside a variable: {@code bodyLimit} becomes BODY_LIMIT. */
  static String word(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
        .replaceAll("[^A-Za-z0-9]", "_")
        .toUpperCase(Locale.ROOT);
  }
}
