package dev.postrider.internal.message;

import dev.postrider.problem.Refused;
import dev.postrider.store.message.StoredMessage;

/** The result of handing a message in. */
public sealed interface Admission {

  /**
   * It is durable.
   *
   * @param duplicate answered by its idempotency key: the message was handed in before
   */
  record Admitted(StoredMessage message, boolean duplicate) implements Admission {}

  /** It was not taken, and nothing was stored. */
  record Denied(Refused refusal) implements Admission {}
}
