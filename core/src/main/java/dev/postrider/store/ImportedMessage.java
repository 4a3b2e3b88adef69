package dev.postrider.store;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Status;
import dev.postrider.store.message.NewMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of another queue, with how far it had come there.
 *
 * @param message its lane's depth is not limited, and nothing is reserved
 * @param status queued, or how it has ended
 * @param attempts how often it was tried there
 * @param triedAt when it was tried last; null: never, or nobody knows
 * @param endedAt null if it is queued
 * @param error what went wrong last
 * @param reason why it has ended, in a word; null if it is queued
 * @param lastAttempt null if nothing is known of one
 */
public record ImportedMessage(
    NewMessage message,
    Status status,
    int attempts,
    @Nullable Instant triedAt,
    @Nullable Instant endedAt,
    @Nullable String error,
    @Nullable String reason,
    @Nullable HistoryEntry lastAttempt) {}
