package dev.postrider;

import dev.postrider.problem.Refused;

/** The result of one message of several that were handed in together. */
public sealed interface SendResult {
  /** It is durable. */
  record Sent(Delivery delivery) implements SendResult {}

  /** It was not taken, and nothing was stored. */
  record NotSent(Refused refusal) implements SendResult {}
}
