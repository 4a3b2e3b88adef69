package dev.postrider;

import dev.postrider.engine.Refused;

/** What came of one message of several that were handed in together. */
public sealed interface Submission {
  /** It is durable. */
  record Sent(Delivery delivery) implements Submission {}

  /** It was not taken, and nothing was stored. */
  record NotSent(Refused refusal) implements Submission {}
}
