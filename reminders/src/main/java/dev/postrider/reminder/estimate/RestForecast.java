package dev.postrider.reminder.estimate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the rest of a run will go, by its pace.
 *
 * @param startsAt when it goes on; null if it may now, or never again
 * @param reached how many targets it will have reached when its window first closes, or at its end
 * @param closesAt when the window closes that cuts it off, or its time is over; null if none does
 * @param doneAt when all are reached; null if not all of them will be
 */
public record RestForecast(
    @Nullable Instant startsAt,
    long reached,
    @Nullable Instant closesAt,
    @Nullable Instant doneAt) {}
