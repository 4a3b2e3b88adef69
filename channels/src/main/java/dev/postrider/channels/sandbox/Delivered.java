package dev.postrider.channels.sandbox;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One part as the people in a sandbox chat see it. */
public record Delivered(
    String platformId,
    String account,
    String chat,
    @Nullable String text,
    @Nullable String threadId,
    @Nullable String replyToId,
    boolean silent,
    String key,
    Instant at,
    @Nullable String mediaUrl,
    Map<String, @Nullable Object> channelData) {}
