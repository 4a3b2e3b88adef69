package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import dev.postrider.config.NearestName;
import dev.postrider.server.config.Section.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks a tree along the schema, sets what is right and notes what is wrong. */
final class Reading {
  private static final String MASK = "********";

  private final References references;
  private final List<Problem> problems;
  private final List<ServerConfig.Shown> shown = new ArrayList<>();

  Reading(References references, List<Problem> problems) {
    this.references = references;
    this.problems = problems;
  }

  List<ServerConfig.Shown> shown() {
    return shown;
  }

  <D> void section(Section<D> section, Node node, String path, D draft) {
    if (node.absent()) {
      return;
    }
    if (!(node instanceof Node.Mapping mapping)) {
      problem(node.place(), path, "must hold keys: " + String.join(", ", section.slots().keySet()));
      return;
    }
    known(mapping, section.slots().keySet(), path);
    for (Map.Entry<String, Slot<D>> entry : section.slots().entrySet()) {
      @Nullable Node child = mapping.entries().get(entry.getKey());
      String key = join(path, entry.getKey());
      if (child != null && !child.absent()) {
        slot(entry.getValue(), child, key, draft);
      } else {
        switch (entry.getValue()) {
          case Slot.Value<D, ?> value when value.required() ->
              problem(mapping.place(), key, "is missing: " + value.about());
          case Slot.Open<D> open when open.required() ->
              problem(mapping.place(), key, "is missing: " + open.about());
          default -> {}
        }
      }
    }
  }

  private <D> void slot(Slot<D> slot, Node node, String path, D draft) {
    switch (slot) {
      case Slot.Value<D, ?> value -> value(value, node, path, draft);
      case Slot.Open<D> open -> open(open, node, path, draft);
      case Slot.Nested<D, ?> nested -> nested(nested, node, path, draft);
      case Slot.Named<D, ?> named -> named(named, node, path, draft);
      case Slot.Listed<D, ?> listed -> listed(listed, node, path, draft);
    }
  }

  private <D, E> void nested(Slot.Nested<D, E> slot, Node node, String path, D draft) {
    section(slot.section(), node, path, slot.into().apply(draft));
  }

  private <D, E> void named(Slot.Named<D, E> slot, Node node, String path, D draft) {
    if (!(node instanceof Node.Mapping mapping)) {
      problem(node.place(), path, "must hold names: " + String.join(", ", slot.names()));
      return;
    }
    known(mapping, slot.names(), path);
    mapping
        .entries()
        .forEach(
            (name, child) -> {
              if (slot.names().contains(name)) {
                section(slot.section(), child, join(path, name), slot.into().apply(draft, name));
              }
            });
  }

  private <D, E> void listed(Slot.Listed<D, E> slot, Node node, String path, D draft) {
    if (!(node instanceof Node.Sequence sequence)) {
      problem(node.place(), path, "must be a list; start each entry with a dash");
      return;
    }
    for (int i = 0; i < sequence.items().size(); i++) {
      Node item = sequence.items().get(i);
      String at = path + "[" + i + "]";
      if (item instanceof Node.Mapping mapping) {
        section(slot.section().apply(mapping), mapping, at, slot.into().apply(draft, mapping));
      } else {
        problem(item.place(), at, "must hold keys, " + slot.id() + " first");
      }
    }
  }

  private <D, T> void value(Slot.Value<D, T> slot, Node node, String path, D draft) {
    try {
      List<String> texts = texts(slot, node);
      if (slot.secret()) {
        Channel.Setting.requireSecret(texts);
      }
      T value = slot.type().read().apply(texts);
      slot.set().accept(draft, value);
      String text = slot.type().list() ? texts.toString() : texts.getFirst();
      shown.add(new ServerConfig.Shown(path, slot.secret() ? MASK : masked(text), node.place()));
    } catch (IllegalArgumentException e) {
      problem(node.place(), path, String.valueOf(e.getMessage()));
    }
  }

  private <D> void open(Slot.Open<D> slot, Node node, String path, D draft) {
    try {
      Object value = plain(node);
      if (slot.secret()) {
        Channel.Setting.requireSecret(value);
      }
      slot.set().accept(draft, value);
      String text = slot.secret() ? MASK : masked(value.toString());
      shown.add(new ServerConfig.Shown(path, text, node.place()));
    } catch (IllegalArgumentException e) {
      problem(node.place(), path, String.valueOf(e.getMessage()));
    }
  }

  private Object plain(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> resolved(scalar);
      case Node.Sequence sequence ->
          sequence.items().stream().map(item -> item.absent() ? "" : plain(item)).toList();
      case Node.Mapping mapping -> {
        Map<String, Object> values = new LinkedHashMap<>();
        mapping
            .entries()
            .forEach(
                (key, child) -> {
                  if (!child.absent()) {
                    values.put(key, plain(child));
                  }
                });
        yield values;
      }
    };
  }

  private <D, T> List<String> texts(Slot.Value<D, T> slot, Node node) {
    return switch (node) {
      case Node.Scalar scalar when slot.type().list() ->
          Arrays.stream(resolved(scalar).split(","))
              .map(String::strip)
              .filter(s -> !s.isEmpty())
              .toList();
      case Node.Scalar scalar -> List.of(resolved(scalar));
      case Node.Sequence sequence when slot.type().list() ->
          sequence.items().stream()
              .map(
                  item -> {
                    if (item instanceof Node.Scalar scalar && scalar.text() != null) {
                      return resolved(scalar);
                    }
                    throw new IllegalArgumentException("must be a list of plain values");
                  })
              .toList();
      case Node.Sequence _ -> throw new IllegalArgumentException("must be one value, not a list");
      case Node.Mapping _ ->
          throw new IllegalArgumentException("must be a value; it has no keys of its own");
    };
  }

  private String resolved(Node.Scalar scalar) {
    String text = String.valueOf(scalar.text());
    return scalar.literal() ? text : references.resolve(text);
  }

  private void known(Node.Mapping mapping, Set<String> names, String path) {
    mapping
        .entries()
        .forEach(
            (name, child) -> {
              if (!names.contains(name)) {
                problem(
                    child.place(),
                    join(path, name),
                    "is not known" + NearestName.hint(name, names));
              }
            });
  }

  /** Database URLs may carry a password. */
  static String masked(String text) {
    return text.replaceAll("(?i)(password=)[^&;]*", "$1" + MASK)
        .replaceAll("(?<=://)([^/@:?]*):[^?\\s]*@", "$1:" + MASK + "@");
  }

  private void problem(Place place, String key, String sentence) {
    problems.add(new Problem(place, key, sentence));
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
