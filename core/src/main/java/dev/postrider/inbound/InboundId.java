package dev.postrider.inbound;

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

  @Override
  public String toString() {
    return value.toString();
  }
}
