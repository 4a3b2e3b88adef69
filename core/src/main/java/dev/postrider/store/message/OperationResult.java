package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/**
 * The result of an operation by name.
 *
 * @param message the message as it is now; null if there is none of that name
 * @param applied whether the operation changed it
 * @param next what may be sent now because of it
 */
public record OperationResult(
    @Nullable StoredMessage message, boolean applied, @Nullable Head next) {}
