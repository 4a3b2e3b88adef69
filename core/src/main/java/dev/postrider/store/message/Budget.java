package dev.postrider.store.message;

import dev.postrider.internal.pace.Meter;
import java.time.Instant;

/**
 * What must be remembered of a scope's spending so that a restart does not hand out its tokens
 * again.
 *
 * @param scope {@code channel:NAME}, {@code channel:NAME/SERVER}, {@code account:ID} or {@code
 *     chat:ID/CHAT}
 * @param revision grows with every change of the scope; of two budgets the one with the higher
 *     counts
 * @param until when the scope is full and open again, so that nothing need be remembered
 * @param state the meters, in {@link Meter}'s own notation
 */
public record Budget(String scope, long revision, Instant until, String state) {}
