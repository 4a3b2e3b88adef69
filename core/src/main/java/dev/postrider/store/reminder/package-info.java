/** Reminders, their runs and targets as a store keeps them. */
@NullMarked
package dev.postrider.store.reminder;

import org.jspecify.annotations.NullMarked;
