package dev.postrider.reminder.estimate;

import java.time.Instant;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What a firing of a reminder's schedule will come to, if its accounts send nothing else.
 *
 * @param at when it fires, in the reminder's zone
 * @param fits whether everybody is reached before the window first closes
 * @param doneAt when everybody is reached; null if not everybody will be
 * @param inWindow whether a window is open when it fires
 * @param startsAt when a window lets it begin; null if none does
 * @param reached how many targets are reached before the window first closes
 * @param note the same in a sentence
 */
public record FiringForecast(
    ZonedDateTime at,
    boolean fits,
    @Nullable Instant doneAt,
    boolean inWindow,
    @Nullable Instant startsAt,
    long reached,
    long total,
    String note) {}
