/**
 * Firing reminders and fanning their runs out: which run may send now, to which target, and how it
 * ends.
 */
@NullMarked
package dev.postrider.reminder.internal.run;

import org.jspecify.annotations.NullMarked;
