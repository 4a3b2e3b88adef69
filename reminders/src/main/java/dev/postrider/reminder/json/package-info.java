/**
 * Reminders in JSON: as people write them, and as they are stored. {@code JsonFields} reads
 * whatever people write in JSON, messages too. May touch: the reminders' values.
 */
@NullMarked
package dev.postrider.reminder.json;

import org.jspecify.annotations.NullMarked;
