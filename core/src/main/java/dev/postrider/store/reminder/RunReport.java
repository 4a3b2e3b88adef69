package dev.postrider.store.reminder;

import dev.postrider.message.MessageId;

/**
 * A message of a run on which its platform has told more, and which its run has not taken in yet.
 *
 * @param row the store's own short key of the message
 * @param changes how often more was told; what is told meanwhile is not forgotten
 */
public record RunReport(long row, MessageId message, long changes) {}
