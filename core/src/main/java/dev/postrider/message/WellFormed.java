package dev.postrider.message;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses text that no encoding can carry: half a surrogate pair, or a NUL. It could not be stored
 * and read back.
 */
public final class WellFormed {
  private WellFormed() {}

  /**
   * Lets pass what can be carried: text, and whatever holds text.
   *
   * @throws InvalidMessage naming the field, or the one inside it
   */
  public static void require(String field, @Nullable Object value) {
    switch (value) {
      case String text -> requireText(field, text);
      case Map<?, ?> map ->
          map.forEach(
              (name, item) -> {
                requireText(field, String.valueOf(name));
                require(field + "." + name, item);
              });
      case Collection<?> items -> items.forEach(item -> require(field, item));
      case null, default -> {} // numbers and flags are what they are
    }
  }

  private static void requireText(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new InvalidMessage(field, "must not contain the NUL character");
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new InvalidMessage(field, "holds half of a surrogate pair at position " + i);
      }
    }
  }
}
