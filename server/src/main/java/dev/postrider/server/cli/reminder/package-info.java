/** Commands about reminders and runs. */
@NullMarked
package dev.postrider.server.cli.reminder;

import org.jspecify.annotations.NullMarked;
