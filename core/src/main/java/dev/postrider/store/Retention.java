package dev.postrider.store;

import java.time.Instant;

/**
 * What may be pruned: ended before these instants. A message with an idempotency key is kept until
 * {@code keysBefore} has passed it too.
 */
public record Retention(Instant deliveredBefore, Instant deadLettersBefore, Instant keysBefore) {}
