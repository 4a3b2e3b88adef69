package dev.postrider.jdbc.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters have names, such as {@code :paused_since}.
 *
 * @param sql with a question mark for each
 * @param names of the parameters, in the order of the question marks
 */
public record NamedSql(String sql, List<String> names) {
  private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

  public static NamedSql of(String text) {
    List<String> names = new ArrayList<>();
    Matcher parameter = PARAMETER.matcher(text);
    String sql =
        parameter.replaceAll(
            found -> {
              names.add(found.group(1));
              return "?";
            });
    return new NamedSql(sql, List.copyOf(names));
  }

  /** The values in the order of the question marks; null where there is none of that name. */
  @Nullable Object[] values(Map<String, ? extends @Nullable Object> of) {
    @Nullable Object[] values = new Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = of.get(names.get(i));
    }
    return values;
  }
}
