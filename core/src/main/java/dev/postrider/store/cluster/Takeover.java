package dev.postrider.store.cluster;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An account that changed hands.
 *
 * @param from who worked it before; null if nobody had
 * @param died whether it was taken from a node that had stopped giving signs of life
 * @param gap how long nobody worked it: since the last sign of life, or since it was let go
 */
public record Takeover(
    Instant at, String account, @Nullable String from, String to, boolean died, Duration gap) {}
