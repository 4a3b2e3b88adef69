package dev.postrider.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A platform, or one server of it, that cannot be reached.
 *
 * @param server null if it is the account's only one
 * @param since when the first request failed
 * @param nextProbeAt when the next request may go out; null if one is on its way, or about to
 */
public record Outage(
    @Nullable String server, Instant since, String cause, @Nullable Instant nextProbeAt) {}
