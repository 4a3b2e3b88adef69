package dev.postrider.message;

import java.time.Instant;
import java.util.UUID;

/** The public name of a message: a UUIDv7, so that ids sort by the time they were given. */
public record MessageId(UUID value) implements Comparable<MessageId> {

  /**
   * Reads the canonical text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID
   */
  public static MessageId parse(String text) {
    if (text.length() != 36) {
      throw new IllegalArgumentException("'" + text + "' is not a message id (a UUID)");
    }
    return new MessageId(UUID.fromString(text));
  }

  /** When the id was given, to the millisecond. */
  public Instant givenAt() {
    return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
  }

  @Override
  public int compareTo(MessageId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
