package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import org.jspecify.annotations.Nullable;

/**
 * A file of an inbound message that is to be kept here, or is.
 *
 * @param index which of the message's {@code media}
 * @param attempts how often it was tried to fetch it
 * @param hash its bytes in custody, once it is kept
 * @param error why it could not be fetched the last time
 */
public record InboundFile(
    InboundId inbound,
    int index,
    State state,
    int attempts,
    @Nullable String hash,
    @Nullable String error) {

  /** How it stands. Stored by number: the order stays. */
  public enum State {
    PENDING,
    KEPT,
    /** It could not be had, and is not tried again. */
    FAILED
  }
}
