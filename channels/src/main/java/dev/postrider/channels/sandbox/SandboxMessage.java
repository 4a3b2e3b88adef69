package dev.postrider.channels.sandbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody writes in a sandbox chat.
 *
 * @param id unlike any other's
 * @param sender who; in a chat of that name they are alone with us
 */
public record SandboxMessage(
    String id,
    String chat,
    String sender,
    @Nullable String name,
    String text,
    @Nullable String threadId,
    @Nullable String replyToId,
    Instant at) {}
