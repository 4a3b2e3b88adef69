package dev.postrider.channels.sandbox;

import dev.postrider.message.Attachment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One part as the people in a sandbox chat see it. */
public record SandboxDelivery(
    String platformId,
    String account,
    String chat,
    @Nullable String text,
    @Nullable String threadId,
    @Nullable String replyToId,
    boolean silent,
    String key,
    Instant at,
    List<Attachment> media,
    Map<String, @Nullable Object> channelData) {}
