/**
 * The seam to durable storage. Every write is a guarded compare-and-set and is durable when its
 * future completes. May touch: message, inbound, pace budgets; no SQL lives here.
 */
@NullMarked
package dev.postrider.store;

import org.jspecify.annotations.NullMarked;
