package dev.postrider.inbound;

import java.time.Instant;
import java.util.UUID;

/** The public name of an inbound message that came in: a UUIDv7. */
public record InboundId(UUID value) {

  /**
   * Reads the canonical text form.
   *
   * @throws IllegalArgumentException if the text is not a UUID
   */
  public static InboundId parse(String text) {
    if (text.length() != 36) {
      throw new IllegalArgumentException("'" + text + "' is not an event id (a UUID)");
    }
    return new InboundId(UUID.fromString(text));
  }

  /** When the id was given, to the millisecond. */
  public Instant givenAt() {
    return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
