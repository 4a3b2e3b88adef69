package dev.postrider.store.reminder;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chat a reminder goes to.
 *
 * @param account that sends to it
 * @param name what people call it
 * @param variables what its texts are filled with
 */
public record ReminderTarget(
    String account, String to, @Nullable String name, Map<String, String> variables) {
  public ReminderTarget {
    variables = Map.copyOf(variables);
  }

  /** The same chat, sent to by another account. */
  public ReminderTarget by(String newAccount) {
    return new ReminderTarget(newAccount, to, name, variables);
  }
}
