package dev.postrider.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The keys that may stand in one part of the configuration, and what each does to the draft {@code
 * D} it is read into.
 */
final class Section<D> {
  private final Map<String, Slot<D>> slots = new LinkedHashMap<>();

  /** What may stand under a key. */
  sealed interface Slot<D> {

    /** A value. */
    record Value<D, T>(
        Type<T> type, boolean required, boolean secret, String about, BiConsumer<D, T> set)
        implements Slot<D> {}

    /** Whatever a channel makes of it: text, lists and maps of texts. */
    record Open<D>(boolean required, boolean secret, String about, BiConsumer<D, Object> set)
        implements Slot<D> {}

    /** A section of its own. */
    record Nested<D, E>(Section<E> section, Function<D, E> into) implements Slot<D> {}

    /** A section per name out of a given set. */
    record Named<D, E>(Set<String> names, Section<E> section, BiFunction<D, String, E> into)
        implements Slot<D> {}

    /**
     * A list of sections; which keys an item may have can depend on what it says.
     *
     * @param id the key that names an item
     */
    record Listed<D, E>(
        String id, Function<Node.Mapping, Section<E>> section, BiFunction<D, Node.Mapping, E> into)
        implements Slot<D> {}
  }

  Map<String, Slot<D>> slots() {
    return slots;
  }

  <T> Section<D> value(String key, Type<T> type, BiConsumer<D, T> set) {
    return add(key, new Slot.Value<>(type, false, false, "", set));
  }

  <T> Section<D> required(String key, Type<T> type, String about, BiConsumer<D, T> set) {
    return add(key, new Slot.Value<>(type, true, false, about, set));
  }

  Section<D> add(String key, Slot<D> slot) {
    slots.put(key, slot);
    return this;
  }

  <E> Section<D> nested(String key, Section<E> section, Function<D, E> into) {
    return add(key, new Slot.Nested<>(section, into));
  }
}
