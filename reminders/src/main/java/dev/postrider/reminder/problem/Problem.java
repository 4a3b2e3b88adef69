package dev.postrider.reminder.problem;

/**
 * One thing that is wrong.
 *
 * @param field where, as it is written in JSON, such as {@code targets[3].variables.name}
 * @param message what is wrong and what to do
 */
public record Problem(String field, String message) {
  @Override
  public String toString() {
    return field + ": " + message;
  }
}
