/** How runs of reminders fan out. */
@NullMarked
package dev.postrider.reminder.config;

import org.jspecify.annotations.NullMarked;
