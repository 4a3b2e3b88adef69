package dev.postrider.store.reminder;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reminder as the store keeps it.
 *
 * @param account the one that fires it
 * @param nextFire when it fires next; null if nobody knows, or it is fired by hand
 * @param document everything about it but its targets, in words of the reminders' own; if it cannot
 *     be read, a JSON object that says why under {@code unreadable}, and its {@code account}
 * @param targets how many it has
 * @param version grows with every change
 */
public record StoredReminder(
    UUID id,
    String name,
    String account,
    @Nullable Instant nextFire,
    String document,
    int targets,
    long version,
    Instant createdAt,
    Instant updatedAt) {}
