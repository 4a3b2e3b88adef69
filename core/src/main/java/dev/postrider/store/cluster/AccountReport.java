package dev.postrider.store.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of an account that it works, for the others to show.
 *
 * @param health its name on the wire
 * @param since when its health became so; null if nobody knows
 * @param reason why it is not ready
 * @param needsLogin whether that is because a person must log it in
 * @param listening whether it hears: {@code off}, {@code ok}, {@code failing} or {@code refused}
 * @param listeningSince when that began
 * @param listeningCause why it hears nothing
 */
public record AccountReport(
    String account,
    String health,
    @Nullable Instant since,
    @Nullable String reason,
    boolean needsLogin,
    String listening,
    @Nullable Instant listeningSince,
    @Nullable String listeningCause) {}
