package dev.postrider.server.api;

/** One field that is wrong, and what to do about it. Whatever was sent, the words are few. */
public record FieldError(String field, String message) {
  private static final int LONGEST_FIELD = 100;
  private static final int LONGEST_MESSAGE = 500;

  public FieldError {
    field = shortened(field, LONGEST_FIELD);
    message = shortened(message, LONGEST_MESSAGE);
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
