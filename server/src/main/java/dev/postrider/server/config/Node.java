package dev.postrider.server.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as a tree of values that know where they stand. Mutable while it is overlaid. */
sealed interface Node {
  ConfigSource source();

  /**
   * A single value.
   *
   * @param text null stands for "as if the key were not there"
   * @param literal whether {@code ${…}} in it is left alone
   */
  record Scalar(ConfigSource source, @Nullable String text, boolean literal) implements Node {}

  record Sequence(ConfigSource source, List<Node> items) implements Node {}

  record Mapping(ConfigSource source, Map<String, Node> entries) implements Node {

    /** The text under a key, or null if there is none. */
    @Nullable String text(String key) {
      return entries.get(key) instanceof Scalar scalar ? scalar.text() : null;
    }
  }

  /** Whether nothing was given here. */
  default boolean absent() {
    return this instanceof Scalar scalar && scalar.text() == null;
  }
}
