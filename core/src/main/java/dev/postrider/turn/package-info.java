/**
 * Handing out what came in, and what becomes of it: who is given an event, what a failure or a
 * death means for it, and what follows when the messages it caused have ended. May touch: store,
 * inbound, message, event, config, time, retry.
 */
@NullMarked
package dev.postrider.turn;

import org.jspecify.annotations.NullMarked;
