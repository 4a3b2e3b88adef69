package dev.postrider.message;

import dev.postrider.problem.InvalidInput;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses text that no encoding can carry: half a surrogate pair, or a NUL. It could not be stored
 * and read back.
 */
public final class WellFormed {
  private static final int DEEPEST = 100;

  private WellFormed() {}

  /**
   * Lets pass what can be carried: text, and whatever holds text.
   *
   * @throws InvalidInput naming the field, or the one inside it
   */
  public static void require(String field, @Nullable Object value) {
    require(field, value, 0);
  }

  private static void require(String field, @Nullable Object value, int depth) {
    if (depth > DEEPEST) {
      throw new InvalidInput(
          field.split("\\.", 2)[0],
          "is nested more than " + DEEPEST + " levels deep, or contains itself");
    }
    switch (value) {
      case String text -> requireText(field, text);
      case Map<?, ?> map ->
          map.forEach(
              (name, item) -> {
                requireText(field, String.valueOf(name));
                require(field + "." + name, item, depth + 1);
              });
      case Collection<?> items -> items.forEach(item -> require(field, item, depth + 1));
      case null, default -> {} // numbers and flags are what they are
    }
  }

  private static void requireText(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new InvalidInput(field, "must not contain the NUL character");
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new InvalidInput(field, "holds half of a surrogate pair at position " + i);
      }
    }
  }
}
