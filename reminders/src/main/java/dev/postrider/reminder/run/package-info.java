/**
 * Firing reminders and fanning their runs out: which run may send now, to which target, and how it
 * ends. May touch: core, and the reminders' own values.
 */
@NullMarked
package dev.postrider.reminder.run;

import org.jspecify.annotations.NullMarked;
