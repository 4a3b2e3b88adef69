package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import dev.postrider.server.config.Section.Slot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every key of the schema, with the first entry of each list: {@code accounts.0.id}. */
final class KnownKeys {
  private KnownKeys() {}

  static Stream<String> of(List<Channel> channels) {
    Map<String, Channel> byName = new TreeMap<>();
    channels.forEach(channel -> byName.put(channel.name(), channel));
    return keys("", new Schema(byName).root());
  }

  private static <D> Stream<String> keys(String path, Section<D> section) {
    return section.slots().entrySet().stream()
        .flatMap(entry -> keys(path + entry.getKey(), entry.getValue()));
  }

  private static <D> Stream<String> keys(String path, Slot<D> slot) {
    Node.Mapping nothing = new Node.Mapping(new Place("nowhere"), new LinkedHashMap<>());
    return switch (slot) {
      case Slot.Value<D, ?> _, Slot.Open<D> _ -> Stream.of(path);
      case Slot.Nested<D, ?> nested -> keys(path + ".", nested.section());
      case Slot.Named<D, ?> named ->
          named.names().stream().flatMap(name -> keys(path + "." + name + ".", named.section()));
      case Slot.Listed<D, ?> listed -> keys(path + ".0.", listed.section().apply(nothing));
    };
  }
}
