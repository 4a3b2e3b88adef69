package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/** A message that ended without an attempt, and what may be sent now because of it. */
public record EndedMessage(StoredMessage message, @Nullable Head next) {}
