/**
 * The engine as a whole: accepting, operating on and recovering messages, the accounts at work, and
 * the housekeeping. May touch every package below it.
 */
@NullMarked
package dev.postrider.engine;

import org.jspecify.annotations.NullMarked;
