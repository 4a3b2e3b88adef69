/**
 * When a reminder fires and when it may send: schedules and delivery windows, in the local time of
 * a zone. Values and arithmetic only: whoever asks brings the instant along.
 */
@NullMarked
package dev.postrider.reminder.time;

import org.jspecify.annotations.NullMarked;
