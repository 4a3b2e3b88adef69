/**
 * How long a run will take: the pace of an account, what it may send a day, and the window, put
 * together. Values and arithmetic only.
 */
@NullMarked
package dev.postrider.reminder.estimate;

import org.jspecify.annotations.NullMarked;
