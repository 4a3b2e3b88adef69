/**
 * What a reminder is: its texts, its targets, when it fires and in which hours it may send. Values
 * and arithmetic only; this module's lower rooms are {@code time}, {@code estimate}, {@code csv}
 * and {@code problem}.
 */
@NullMarked
package dev.postrider.reminder;

import org.jspecify.annotations.NullMarked;
