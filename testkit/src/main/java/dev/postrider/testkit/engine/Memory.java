package dev.postrider.testkit.engine;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What an object keeps alive: everything that can be reached from it through our own classes and
 * the collections they use. The store is left out: it may remember what it likes.
 */
final class Memory {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private Memory() {}

  static Memory of(Object root) {
    Memory memory = new Memory();
    memory.meet(root);
    while (!memory.open.isEmpty()) {
      memory.enter(memory.open.pop());
    }
    return memory;
  }

  List<String> textsContaining(String piece) {
    return seen.stream()
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(text -> text.contains(piece))
        .toList();
  }

  private void meet(@Nullable Object object) {
    if (object != null && seen.add(object)) {
      open.push(object);
    }
  }

  private void enter(Object object) {
    switch (object) {
      case Collection<?> items -> List.copyOf(items).forEach(this::meet);
      case Map<?, ?> map ->
          map.forEach(
              (key, value) -> {
                meet(key);
                meet(value);
              });
      case AtomicReference<?> reference -> meet(reference.get());
      default -> {
        if (isOurs(object.getClass())) {
          enterFields(object);
        }
      }
    }
  }

  private static boolean isOurs(Class<?> type) {
    String name = type.getName();
    return name.startsWith("dev.postrider.")
        && !name.startsWith("dev.postrider.testkit.")
        && !dev.postrider.store.Store.class.isAssignableFrom(type);
  }

  private void enterFields(Object object) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !field.getType().isPrimitive()
            && field.trySetAccessible()) {
          try {
            meet(field.get(object));
          } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    }
  }
}
