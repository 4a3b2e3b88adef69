/**
 * Which lane may go next, and the straight walk of one message through its attempt. May touch:
 * store, channel, pace, retry, event.
 */
@NullMarked
package dev.postrider.lane;

import org.jspecify.annotations.NullMarked;
