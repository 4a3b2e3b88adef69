package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import dev.postrider.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the configuration: file, then environment, then command-line options, later ones win. */
public final class ConfigLoader {
  private static final String DEFAULT_CHANNEL = "sandbox";

  private final Map<String, Channel> channels = new TreeMap<>();
  private final Map<String, String> environment;

  public ConfigLoader(Iterable<Channel> channels, Map<String, String> environment) {
    channels.forEach(channel -> this.channels.put(channel.name(), channel));
    this.environment = Map.copyOf(environment);
  }

  /** A loader that knows the channels on the class path. */
  public static ConfigLoader forChannelsOnClassPath(Map<String, String> environment) {
    return new ConfigLoader(ServiceLoader.load(Channel.class), environment);
  }

  /**
   * Reads a file, or the defaults if there is none.
   *
   * @param options values by option name and key: {@code --port → (http.port, 8081)}
   * @throws BadConfig listing every problem
   */
  public ServerConfig load(@Nullable Path file, List<Option> options) {
    if (file == null) {
      return read("defaults", "", options);
    }
    try {
      return read(file.toString(), Files.readString(file), options);
    } catch (CharacterCodingException e) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(
          file, Files.exists(file) ? "cannot be read: " + e.getMessage() : "does not exist");
    }
  }

  /** Every value in force: those given, and after them the defaults of those not given. */
  public List<ServerConfig.Shown> inForce(ServerConfig config) {
    Set<String> given = new HashSet<>();
    List<ServerConfig.Shown> all = new ArrayList<>(config.values());
    config.values().forEach(value -> given.add(value.key()));
    for (ServerConfig.Shown value :
        new ConfigLoader(channels.values(), Map.of())
            .read("default", defaultFile(), List.of())
            .values()) {
      if (!given.contains(value.key()) && !value.key().startsWith("accounts")) {
        all.add(new ServerConfig.Shown(value.key(), value.value(), new ConfigSource("default")));
      }
    }
    return all;
  }

  private static String defaultFile() {
    try (@Nullable InputStream in =
        ConfigLoader.class.getResourceAsStream("/postrider.default.yaml")) {
      if (in == null) {
        throw new IllegalStateException("the build lacks postrider.default.yaml");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BadConfig unreadable(Path file, String sentence) {
    return new BadConfig(List.of(new Problem(file.toString(), sentence)));
  }

  /** A value given on the command line for a key. */
  public record Option(String name, String key, String value) {}

  /** Reads YAML text; {@code name} is what problems call it. */
  public ServerConfig read(String name, String text, List<Option> options) {
    ConfigSources sources = new ConfigSources(environment, options);
    return read(name, YamlTree.read(name, text, sources.problems), sources);
  }

  /**
   * A value that somebody else has read, as frameworks do.
   *
   * @param key its path, with the entries of a list by number: {@code accounts[0].token}
   */
  public record Property(String key, String value, ConfigSource source) {}

  /**
   * Makes settings of values that somebody else has read; {@code name} is what problems call it.
   */
  public ServerConfig read(String name, List<Property> properties) {
    ConfigSources sources = new ConfigSources(environment, List.of());
    return read(name, PropertyTree.of(name, properties, sources.problems), sources);
  }

  private ServerConfig read(String name, Node.Mapping tree, ConfigSources sources) {
    refuse(sources.problems);
    if (!sources.hasVariableUnder("POSTRIDER_ACCOUNTS_0")) {
      tree.entries().computeIfAbsent("accounts", _ -> oneSandbox(name));
    }
    ServerConfig config = new ConfigReader(channels, sources).read(tree);
    refuse(sources.problems);
    return config;
  }

  private static void refuse(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new BadConfig(problems);
    }
  }

  private static Node oneSandbox(String file) {
    ConfigSource source = new ConfigSource(file + " (no accounts given)");
    Map<String, Node> account = new LinkedHashMap<>();
    account.put("id", new Node.Scalar(source, DEFAULT_CHANNEL, true));
    account.put("channel", new Node.Scalar(source, DEFAULT_CHANNEL, true));
    return new Node.Sequence(source, List.of(new Node.Mapping(source, account)));
  }
}
