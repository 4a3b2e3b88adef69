package dev.postrider.server.config;

import dev.postrider.config.NearestName;
import dev.postrider.server.config.Section.Slot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lays the environment over the tree. A key's variable is {@code POSTRIDER_} and its path in upper
 * case, with {@code _} between the steps and between the words of a name: {@code http.bodyLimit} is
 * {@code POSTRIDER_HTTP_BODY_LIMIT}. An entry of a list is named by its index or by its id: {@code
 * POSTRIDER_ACCOUNTS_0_TOKEN}, {@code POSTRIDER_ACCOUNTS_TG_MAIN_TOKEN}; the index after the last
 * one adds an entry. A list of plain values is given whole, {@code 5s,25s}, or by index.
 */
final class Overrides {
  private static final String PREFIX = "POSTRIDER_";

  /** Read by the launcher and the command line, not part of the configuration. */
  private static final Set<String> NOT_SETTINGS =
      Set.of(
          "POSTRIDER_CONFIG",
          "POSTRIDER_URL",
          "POSTRIDER_TOKEN",
          "POSTRIDER_CA",
          "POSTRIDER_JAVA_OPTS");

  private final Map<String, String> environment;
  private final Set<String> known = new TreeSet<>();

  Overrides(Map<String, String> environment) {
    this.environment = environment;
  }

  void apply(Section<?> schema, Node.Mapping tree) {
    overlay(schema, tree, "POSTRIDER");
  }

  /** Sentences about variables that look like settings but are none. */
  List<String> strangers(Set<String> referredTo) {
    return environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX))
        .filter(name -> !known.contains(name) && !NOT_SETTINGS.contains(name))
        .filter(name -> !referredTo.contains(name))
        .sorted()
        .map(
            name ->
                "The environment variable "
                    + name
                    + " is not a setting"
                    + NearestName.to(name, known).map(n -> "; did you mean " + n + "?").orElse("."))
        .toList();
  }

  /** The name of a key or an id inside a variable: {@code bodyLimit} becomes BODY_LIMIT. */
  static String word(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
        .replaceAll("[^A-Za-z0-9]", "_")
        .toUpperCase(Locale.ROOT);
  }

  private <D> void overlay(Section<D> section, Node.Mapping mapping, String path) {
    section
        .slots()
        .forEach(
            (key, slot) -> {
              String name = path + "_" + word(key);
              switch (slot) {
                case Slot.Value<D, ?> value -> value(value, mapping, key, name);
                case Slot.Open<D> _ -> whole(mapping, key, name);
                case Slot.Nested<D, ?> nested -> nested(nested.section(), mapping, key, name);
                case Slot.Named<D, ?> named -> {
                  Node.Mapping child = child(mapping, key, name);
                  for (String each : named.names()) {
                    nested(named.section(), child, each, name + "_" + word(each));
                  }
                  attach(mapping, key, child);
                }
                case Slot.Listed<D, ?> listed -> listed(listed, mapping, key, name);
              }
            });
  }

  private <D, T> void value(Slot.Value<D, T> slot, Node.Mapping mapping, String key, String name) {
    whole(mapping, key, name);
    if (slot.type().list()) {
      List<Node> items =
          mapping.entries().get(key) instanceof Node.Sequence sequence
              ? new ArrayList<>(sequence.items())
              : new ArrayList<>();
      boolean changed = false;
      for (int i = 0; ; i++) {
        @Nullable Node item = given(name + "_" + i);
        if (item != null && i < items.size()) {
          items.set(i, item);
        } else if (item != null) {
          items.add(item);
        } else if (i >= items.size()) {
          break;
        }
        changed |= item != null;
      }
      if (changed) {
        mapping.entries().put(key, new Node.Sequence(Place.variable(name + "_…"), items));
      }
    }
  }

  private void whole(Node.Mapping mapping, String key, String name) {
    @Nullable Node given = given(name);
    if (given != null) {
      mapping.entries().put(key, given);
    }
  }

  private <E> void nested(Section<E> section, Node.Mapping mapping, String key, String name) {
    Node.Mapping child = child(mapping, key, name);
    overlay(section, child, name);
    attach(mapping, key, child);
  }

  private <D, E> void listed(
      Slot.Listed<D, E> slot, Node.Mapping mapping, String key, String name) {
    List<Node> items =
        mapping.entries().get(key) instanceof Node.Sequence sequence
            ? sequence.items()
            : new ArrayList<>();
    int before = items.size();
    for (int i = 0; i < before; i++) {
      if (items.get(i) instanceof Node.Mapping item) {
        item(slot, item, name + "_" + i);
        @Nullable String id = item.text(slot.id());
        if (id != null) {
          item(slot, item, name + "_" + word(id));
        }
      }
    }
    for (int i = before; ; i++) {
      Node.Mapping item =
          new Node.Mapping(Place.variable(name + "_" + i + "_…"), new LinkedHashMap<>());
      item(slot, item, name + "_" + i);
      if (item.entries().isEmpty()) {
        break;
      }
      items.add(item);
    }
    if (items.size() > before && before == 0) {
      mapping.entries().put(key, new Node.Sequence(items.getFirst().place(), items));
    }
  }

  /** Twice, because the first pass may choose the channel, which brings keys of its own. */
  private <D, E> void item(Slot.Listed<D, E> slot, Node.Mapping item, String name) {
    overlay(slot.section().apply(item), item, name);
    overlay(slot.section().apply(item), item, name);
  }

  private static Node.Mapping child(Node.Mapping mapping, String key, String name) {
    return mapping.entries().get(key) instanceof Node.Mapping child
        ? child
        : new Node.Mapping(Place.variable(name + "_…"), new LinkedHashMap<>());
  }

  private static void attach(Node.Mapping mapping, String key, Node.Mapping child) {
    if (!child.entries().isEmpty()) {
      mapping.entries().put(key, child);
    }
  }

  private @Nullable Node given(String name) {
    known.add(name);
    @Nullable String text = environment.get(name);
    return text == null ? null : new Node.Scalar(Place.variable(name), text, true);
  }
}
