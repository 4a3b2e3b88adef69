package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every key that is asked for, with the first entry of each list: {@code accounts.0.id}. */
final class KnownKeys {
  private KnownKeys() {}

  static Stream<String> of(List<Channel> channels) {
    Map<String, Channel> byName = new TreeMap<>();
    channels.forEach(channel -> byName.put(channel.name(), channel));
    ConfigSources sources = new ConfigSources(Map.of(), List.of());
    String oneOfEach = "http: {tokens: [{}]}\naccounts: [{}]";
    new ConfigReader(byName, sources).read(YamlTree.read("any", oneOfEach, sources.problems));
    return sources.keys.stream().map(key -> key.replace("[0]", ".0"));
  }
}
