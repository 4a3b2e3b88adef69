package dev.postrider.spring;

import dev.postrider.problem.Problem;
import dev.postrider.server.config.BadConfig;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.ConfigLoader.Property;
import dev.postrider.server.config.ConfigSource;
import dev.postrider.server.config.ServerConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads {@code postrider.*} of an application as {@code postrider.yaml} is read: the same keys,
 * defaults, variables and problems. As everywhere in Spring Boot an earlier source wins, and a list
 * is taken whole.
 */
final class ApplicationProperties {
  private static final String PREFIX = "postrider.";

  /** What only the server does: it would have no effect here. */
  private static final Pattern OF_THE_SERVER =
      Pattern.compile(
          "(http\\.(?!publicUrl$)|logging\\.|alerts\\.).*|.*\\bpush(To|Secret|Timeout)");

  private ApplicationProperties() {}

  /**
   * Reads them.
   *
   * @throws BadConfig listing every problem
   */
  static ServerConfig read(ConfigurableEnvironment environment, Map<String, String> variables) {
    Map<String, Property> properties = new LinkedHashMap<>();
    Set<String> lists = new HashSet<>(); // those that an earlier source has given
    for (PropertySource<?> source : environment.getPropertySources()) {
      // The reader knows its variables by itself.
      if (source instanceof EnumerablePropertySource<?> named
          && !(source instanceof SystemEnvironmentPropertySource)) {
        Set<String> ofThis = new HashSet<>();
        for (String name : named.getPropertyNames()) {
          if (name.startsWith(PREFIX) && !lists.contains(list(name))) {
            properties.putIfAbsent(name, property(environment, named, name));
            ofThis.add(list(name));
          }
        }
        ofThis.remove("");
        lists.addAll(ofThis);
      }
    }
    ServerConfig config =
        ConfigLoader.forChannelsOnClassPath(variables)
            .read("application properties", List.copyOf(properties.values()));
    refuseWhatOnlyTheServerDoes(config);
    return config;
  }

  /** The outermost list that a property belongs to; empty if to none. */
  private static String list(String name) {
    int bracket = name.indexOf('[');
    return bracket < 0 || !Character.isDigit(name.charAt(bracket + 1))
        ? ""
        : name.substring(0, bracket);
  }

  private static Property property(
      ConfigurableEnvironment environment, EnumerablePropertySource<?> source, String name) {
    String text = String.valueOf(source.getProperty(name));
    // Spring would take the path for the default of a property called "file".
    String resolved = text.contains("${file:") ? text : environment.resolvePlaceholders(text);
    Object origin = OriginLookup.getOrigin(source, name);
    return new Property(
        name.substring(PREFIX.length()),
        resolved,
        new ConfigSource(origin == null ? source.getName() : origin.toString()));
  }

  private static void refuseWhatOnlyTheServerDoes(ServerConfig config) {
    List<Problem> problems = new ArrayList<>();
    for (ServerConfig.Shown value : config.values()) {
      if (OF_THE_SERVER.matcher(value.key()).matches()) {
        problems.add(
            new Problem(
                value.source().text(),
                value.key() + " is for the server and has no effect in an application; remove it"));
      }
    }
    if (!problems.isEmpty()) {
      throw new BadConfig(problems);
    }
  }
}
