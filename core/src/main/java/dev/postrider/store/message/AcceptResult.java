package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/** The result of writing a message down. */
public sealed interface AcceptResult {

  /**
   * Durable.
   *
   * @param head what may be sent now, if the message is the first of its lane (or outside any) and
   *     the lane is not paused
   * @param reserved whether the first attempt was reserved with it
   * @param raised whether bulk messages before it in the lane have become live for its sake
   */
  record Stored(StoredMessage message, @Nullable Head head, boolean reserved, boolean raised)
      implements AcceptResult {}

  /** The idempotency key is known. */
  record Duplicate(StoredMessage first, boolean sameContent) implements AcceptResult {}

  /** The lane holds too many already. */
  record LaneFull(long depth) implements AcceptResult {}

  /** The message to be replayed is no dead letter, or was replayed before. */
  record NotReplayable(String why) implements AcceptResult {}

  /** Bytes it wants to carry are not in custody, or not any more. */
  record MediaMissing(String hash) implements AcceptResult {}

  /** The turn it names is not its sender's any more: it waits, or somebody else has it. */
  record TurnLost() implements AcceptResult {}

  /** Whether it is stored, now or before. */
  default boolean taken() {
    return switch (this) {
      case Stored _ -> true;
      case Duplicate duplicate -> duplicate.sameContent();
      case LaneFull _, NotReplayable _, MediaMissing _, TurnLost _ -> false;
    };
  }
}
