/** Writes about reminders and runs. */
@NullMarked
package dev.postrider.postgres.reminder;

import org.jspecify.annotations.NullMarked;
