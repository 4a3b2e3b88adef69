package dev.postrider.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store keeps it.
 *
 * @param reminder whose firing it is; that may have been changed or deleted since
 * @param instant for which it was fired; no reminder has two runs for one
 * @param account of the reminder
 * @param reason why it waits or is paused
 * @param until when that is over, if anybody knows
 * @param document the reminder as it was when it fired, without its targets
 * @param summary how it ended, for people
 * @param version grows with every change
 */
public record StoredRun(
    UUID id,
    UUID reminder,
    String name,
    Instant instant,
    String account,
    RunStatus status,
    @Nullable String reason,
    @Nullable Instant until,
    String document,
    int total,
    @Nullable String summary,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    long version) {}
