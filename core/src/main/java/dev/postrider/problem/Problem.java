package dev.postrider.problem;

/**
 * One thing that is wrong.
 *
 * @param field where, as people find it, such as {@code targets[3].variables.name} or a line of a
 *     file
 * @param message what is wrong and what to do
 */
public record Problem(String field, String message) {
  private static final int LONGEST_FIELD = 100;
  private static final int LONGEST_MESSAGE = 500;

  /** A problem with what somebody sent: both texts are cut, since they may quote it. */
  static Problem cut(String field, String message) {
    return new Problem(shortened(field, LONGEST_FIELD), shortened(message, LONGEST_MESSAGE));
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
