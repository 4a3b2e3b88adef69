/** The API of reminders and runs. */
@NullMarked
package dev.postrider.server.api.reminder;

import org.jspecify.annotations.NullMarked;
