package dev.postrider.store.message;

/**
 * A chat that has moved.
 *
 * @param former a name that it had
 * @param chat the name that it has now
 */
public record ChatAlias(String account, String former, String chat) {}
