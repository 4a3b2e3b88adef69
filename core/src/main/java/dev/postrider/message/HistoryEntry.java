package dev.postrider.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that went other than planned. Plain deliveries leave no entry: their receipt says it
 * all.
 */
public record HistoryEntry(
    Instant at,
    int attempt,
    int part,
    String outcome,
    @Nullable String error,
    @Nullable Instant nextAt) {}
