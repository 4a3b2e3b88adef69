package dev.postrider.store;

import java.time.Instant;

/**
 * That a store came back from a backup.
 *
 * @param takenAt when the backup was taken
 * @param at when it came back
 * @param finished whether everything is held that may have been sent in between
 * @param held messages that became dead letters
 * @param scheduled messages that stayed, since their time had not come
 * @param inbound messages from platforms that became dead letters
 * @param runs that were paused
 */
public record Restored(
    Instant takenAt,
    Instant at,
    boolean finished,
    long held,
    long scheduled,
    long inbound,
    long runs) {}
