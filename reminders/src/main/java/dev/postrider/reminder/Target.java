package dev.postrider.reminder;

import dev.postrider.reminder.time.OwnHours;
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
 * @param hours in which it may be sent to; null for its reminder's
 */
public record Target(
    String to,
    @Nullable String account,
    Map<String, String> variables,
    @Nullable String name,
    @Nullable OwnHours hours) {
  private static final String NAME = "name";

  public Target {
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
  }

  public static Target to(String chat) {
    return new Target(chat, null, Map.of(), null, null);
  }

  public Target by(@Nullable String newAccount) {
    return new Target(to, newAccount, variables, name, hours);
  }

  public Target with(Map<String, String> newVariables) {
    return new Target(to, account, newVariables, name, hours);
  }

  public Target named(@Nullable String newName) {
    return new Target(to, account, variables, newName, hours);
  }

  /** Sends to it in hours of its own; null for its reminder's. */
  public Target in(@Nullable OwnHours newHours) {
    return new Target(to, account, variables, name, newHours);
  }

  /** The same chat as its channel spells it. */
  public Target spelled(String chat) {
    return new Target(chat, account, variables, name, hours);
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
