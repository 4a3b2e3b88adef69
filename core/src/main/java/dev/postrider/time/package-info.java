/**
 * Time and concurrency as injected things: the clock, timers and strands. Production runs on
 * virtual threads; tests run the same code in virtual time, one strand at a time.
 */
@NullMarked
package dev.postrider.time;

import org.jspecify.annotations.NullMarked;
