package dev.postrider.reminder;

import java.util.UUID;

/** The public name of a reminder: a UUIDv7, so that ids sort by the time they were given. */
public record ReminderId(UUID value) implements Comparable<ReminderId> {

  /**
   * Reads the canonical text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID
   */
  public static ReminderId parse(String text) {
    if (text.length() != 36) {
      throw new IllegalArgumentException("'" + text + "' is not a reminder id (a UUID)");
    }
    return new ReminderId(UUID.fromString(text));
  }

  @Override
  public int compareTo(ReminderId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
