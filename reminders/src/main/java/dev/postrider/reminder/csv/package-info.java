/**
 * Targets from a table and results into one, as spreadsheets read and write them. Knows reminders;
 * nobody in this module knows it.
 */
@NullMarked
package dev.postrider.reminder.csv;

import org.jspecify.annotations.NullMarked;
