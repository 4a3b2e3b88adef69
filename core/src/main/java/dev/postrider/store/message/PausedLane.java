package dev.postrider.store.message;

import java.time.Instant;

/** A lane that an operator, or a failure, has stopped. */
public record PausedLane(String account, String chat, String reason, Instant since) {}
