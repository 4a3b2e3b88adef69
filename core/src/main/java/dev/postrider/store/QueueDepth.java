package dev.postrider.store;

/**
 * How much there is of an account.
 *
 * @param active messages that have not ended
 * @param deadLetters messages that ended as dead letters
 * @param waiting events that have not ended
 * @param deadEvents events that ended as dead letters
 */
public record QueueDepth(
    String account, long active, long deadLetters, long waiting, long deadEvents) {}
