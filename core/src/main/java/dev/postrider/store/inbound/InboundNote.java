package dev.postrider.store.inbound;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong with one attempt at handling an inbound message.
 *
 * @param nextAt when it is handed out again; null if it is not
 */
public record InboundNote(Instant at, int attempt, String error, @Nullable Instant nextAt) {}
