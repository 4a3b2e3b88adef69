package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import dev.postrider.config.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of one part of the configuration. To ask for a key is all it takes: it is then known,
 * may be given in the file, by a variable or by an option, is checked, and is shown. What cannot be
 * read is noted and taken as if it were not there.
 */
final class ConfigSection {
  private static final String MASK = "********";

  private final ConfigSources sources;
  private final Node node;
  private final String path;
  private final List<String> variables;
  private final Set<String> known = new LinkedHashSet<>();
  private final Map<String, ConfigSource> places = new LinkedHashMap<>();

  /**
   * @param node what stands in the file
   * @param variables how the variables of its keys begin
   */
  ConfigSection(ConfigSources sources, Node node, String path, List<String> variables) {
    this.sources = sources;
    this.node = node;
    this.path = path;
    this.variables = variables;
  }

  // ---- values

  <T> T value(String key, Type<T> type, T otherwise) {
    @Nullable T value = value(key, type);
    return value == null ? otherwise : value;
  }

  /** A value, or null if it is not given. */
  <T> @Nullable T value(String key, Type<T> type) {
    @Nullable Node given = given(key, type.list());
    if (given == null) {
      return null;
    }
    try {
      List<String> texts = texts(type, given);
      if (type.secret()) {
        Channel.Setting.requireSecret(texts);
      }
      T value = type.read().apply(texts);
      show(key, given, type.secret(), type.list() ? texts : texts.getFirst());
      return value;
    } catch (IllegalArgumentException e) {
      wrong(key, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * A value that must be given.
   *
   * @param about what it is
   * @param otherwise stands for it if it is not, which is noted
   */
  <T> T required(String key, Type<T> type, String about, T otherwise) {
    T value = value(key, type, otherwise);
    requireGiven(key, about);
    return value;
  }

  private void requireGiven(String key, String about) {
    if (!places.containsKey(key)) {
      sources.wrong(source(), path(key), "is missing: " + about);
    }
  }

  /** A value that only its channel understands: text, lists and maps of texts. */
  @Nullable Object value(Channel.Setting setting) {
    String key = setting.name();
    @Nullable Node given = given(key, false);
    if (setting.required()) {
      requireGiven(key, setting.description());
    }
    if (given == null) {
      return null;
    }
    try {
      Object value = plain(given);
      if (setting.secret()) {
        Channel.Setting.requireSecret(value);
      }
      show(key, given, setting.secret(), value);
      return value;
    } catch (IllegalArgumentException e) {
      wrong(key, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** What is given for a key, wherever that is. */
  private @Nullable Node given(String key, boolean list) {
    sources.keys.add(path(key));
    List<String> names = names(key);
    @Nullable Node inFile = child(key);
    @Nullable Node over = sources.given(path(key), names);
    @Nullable Node given = over == null ? inFile : over;
    if (list) {
      for (String name : names) {
        given = itemsOver(given, name);
      }
    }
    if (given != null) {
      places.put(key, given.source());
    }
    return given;
  }

  /** A list with those of its items changed, or added, whose variables are given. */
  private @Nullable Node itemsOver(@Nullable Node list, String name) {
    List<Node> items =
        list instanceof Node.Sequence sequence
            ? new ArrayList<>(sequence.items())
            : new ArrayList<>();
    boolean changed = false;
    for (int i = 0; ; i++) {
      @Nullable Node item = sources.variable(name + "_" + i);
      if (item == null && i >= items.size()) {
        return changed ? new Node.Sequence(ConfigSource.variable(name + "_…"), items) : list;
      }
      if (item != null) {
        changed = true;
        if (i < items.size()) {
          items.set(i, item);
        } else {
          items.add(item);
        }
      }
    }
  }

  private List<String> texts(Type<?> type, Node given) {
    return switch (given) {
      case Node.Scalar scalar when type.list() ->
          Arrays.stream(resolved(scalar).split(","))
              .map(String::strip)
              .filter(text -> !text.isEmpty())
              .toList();
      case Node.Scalar scalar -> List.of(resolved(scalar));
      case Node.Sequence sequence when type.list() ->
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

  private Object plain(Node given) {
    return switch (given) {
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

  private String resolved(Node.Scalar scalar) {
    String text = String.valueOf(scalar.text());
    return scalar.literal() ? text : sources.references.resolve(text);
  }

  private void show(String key, Node given, boolean secret, Object value) {
    String text = secret ? MASK : masked(value.toString());
    sources.shown.add(new ServerConfig.Shown(path(key), text, given.source()));
  }

  /** Database URLs may carry a password. */
  static String masked(String text) {
    return text.replaceAll("(?i)(password=)[^&;]*", "$1" + MASK)
        .replaceAll("(?<=://)([^/@:?]*):[^?\\s]*@", "$1:" + MASK + "@");
  }

  // ---- sections of its own

  ConfigSection section(String key) {
    @Nullable Node child = child(key);
    Node there = child == null ? new Node.Mapping(source(), Map.of()) : child;
    if (child != null) {
      places.put(key, child.source());
    }
    return sources.opened(new ConfigSection(sources, there, path(key), names(key)));
  }

  /**
   * A list of sections.
   *
   * @param id the key that names an item
   */
  List<ConfigSection> sections(String key, String id) {
    List<Node> items = new ArrayList<>();
    switch (child(key)) {
      case null -> {}
      case Node.Sequence sequence -> items.addAll(sequence.items());
      case Node other ->
          sources.wrong(other.source(), path(key), "must be a list; start each entry with a dash");
    }
    String name = names(key).getFirst();
    while (sources.hasVariableUnder(name + "_" + items.size())) {
      ConfigSource source = ConfigSource.variable(name + "_" + items.size() + "_…");
      items.add(new Node.Mapping(source, Map.of()));
    }
    List<ConfigSection> sections = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      String at = path(key) + "[" + i + "]";
      if (items.get(i) instanceof Node.Mapping item) {
        List<String> names = new ArrayList<>(List.of(name + "_" + i));
        @Nullable Node named =
            sources.given(at + "." + id, List.of(name + "_" + i + "_" + ConfigSources.word(id)));
        if ((named == null ? item.entries().get(id) : named) instanceof Node.Scalar text
            && text.text() != null) {
          names.add(name + "_" + ConfigSources.word(text.text()));
        }
        sections.add(sources.opened(new ConfigSection(sources, item, at, names)));
      } else {
        sources.wrong(items.get(i).source(), at, "must hold keys, " + id + " first");
      }
    }
    return sections;
  }

  /** What stands in the file under a key, unless it is as good as nothing. */
  private @Nullable Node child(String key) {
    known.add(key);
    @Nullable Node child = node instanceof Node.Mapping all ? all.entries().get(key) : null;
    return child == null || child.absent() ? null : child;
  }

  private List<String> names(String key) {
    return variables.stream().map(name -> name + "_" + ConfigSources.word(key)).toList();
  }

  // ---- problems

  /** Where it stands. */
  ConfigSource source() {
    return node.source();
  }

  String path() {
    return path;
  }

  private String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  boolean has(String key) {
    return places.containsKey(key);
  }

  /** Notes what is wrong with a key that was asked for. */
  void wrong(String key, String sentence) {
    sources.wrong(places.getOrDefault(key, source()), path(key), sentence);
  }

  /** Notes what is wrong with the section as a whole. */
  void wrong(String sentence) {
    sources.wrong(source(), path, sentence);
  }

  /** No more keys are asked for. */
  void close() {
    switch (node) {
      case Node.Mapping mapping ->
          mapping
              .entries()
              .forEach(
                  (key, child) -> {
                    if (!known.contains(key)) {
                      sources.wrong(
                          child.source(), path(key), "is not known" + NearestName.hint(key, known));
                    }
                  });
      case Node.Scalar _, Node.Sequence _ ->
          sources.wrong(source(), path, "must hold keys: " + String.join(", ", known));
    }
  }
}
