package dev.postrider.store.inbound;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A conversation.
 *
 * @param account of the inbound message or message that began it; the same for chat and thread
 * @param waiting how many of its inbound messages are not handled
 * @param lastAt when something was last heard or said
 * @param pausedBecause null if it is not paused
 */
public record SessionView(
    String id,
    String account,
    String chat,
    @Nullable String threadId,
    int waiting,
    Instant lastAt,
    @Nullable String pausedBecause,
    @Nullable Instant pausedSince) {}
