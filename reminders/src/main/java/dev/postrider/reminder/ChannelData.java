package dev.postrider.reminder;

import dev.postrider.message.Format;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Placeholders in the strings of a message's channel data. */
final class ChannelData {
  private static final String FIELD = "channelData";

  private ChannelData() {}

  /**
   * The names of the values that the strings need.
   *
   * @throws dev.postrider.problem.InvalidInput if braces make no sense in one
   */
  static Set<String> names(Map<String, @Nullable Object> data) {
    Set<String> names = new LinkedHashSet<>();
    map(
        data,
        text -> {
          names.addAll(template(text).names());
          return text;
        });
    return names;
  }

  static Map<String, @Nullable Object> fill(
      Map<String, @Nullable Object> data, Map<String, String> values) {
    return map(data, text -> template(text).fill(values));
  }

  private static Template template(String text) {
    return Template.parse(FIELD, text, Format.PLAIN);
  }

  private static Map<String, @Nullable Object> map(Map<?, ?> data, UnaryOperator<String> change) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>();
    data.forEach((key, value) -> changed.put(String.valueOf(key), value(value, change)));
    return changed;
  }

  private static @Nullable Object value(@Nullable Object value, UnaryOperator<String> change) {
    return switch (value) {
      case null -> null;
      case String text -> change.apply(text);
      case Map<?, ?> map -> map(map, change);
      case List<?> list -> {
        List<@Nullable Object> changed = new ArrayList<>();
        list.forEach(item -> changed.add(value(item, change)));
        yield changed;
      }
      default -> value;
    };
  }
}
