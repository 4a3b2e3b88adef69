/** Writes about reminders and runs. */
@NullMarked
package dev.postrider.sqlite.reminder;

import org.jspecify.annotations.NullMarked;
