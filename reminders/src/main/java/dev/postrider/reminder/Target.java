package dev.postrider.reminder;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One chat that a reminder goes to.
 *
 * @param to the chat, as its account knows it
 * @param account which of the reminder's accounts sends to it; null for whichever has room
 * @param variables the values for the placeholders of the texts
 * @param name what people call the chat. It also is the value of {@code {{name}}}, unless there is
 *     a variable of that name
 */
public record Target(
    String to, @Nullable String account, Map<String, String> variables, @Nullable String name) {
  private static final String NAME = "name";

  public Target {
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
  }

  public static Target to(String chat) {
    return new Target(chat, null, Map.of(), null);
  }

  public Target by(@Nullable String newAccount) {
    return new Target(to, newAccount, variables, name);
  }

  public Target with(Map<String, String> newVariables) {
    return new Target(to, account, newVariables, name);
  }

  public Target named(@Nullable String newName) {
    return new Target(to, account, variables, newName);
  }

  /** Everything that a text can say about it. */
  public Map<String, String> values() {
    if (name == null || variables.containsKey(NAME)) {
      return variables;
    }
    Map<String, String> values = new LinkedHashMap<>(variables);
    values.put(NAME, name);
    return values;
  }
}
