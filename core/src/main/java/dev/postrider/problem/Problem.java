package dev.postrider.problem;

/**
 * One thing that is wrong. Both texts are cut, since they may quote what somebody sent.
 *
 * @param field where, as people write it, such as {@code targets[3].variables.name}
 * @param message what is wrong and what to do
 */
public record Problem(String field, String message) {
  private static final int LONGEST_FIELD = 100;
  private static final int LONGEST_MESSAGE = 500;

  public Problem {
    field = shortened(field, LONGEST_FIELD);
    message = shortened(message, LONGEST_MESSAGE);
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
