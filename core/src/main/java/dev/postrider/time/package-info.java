/**
 * Time and concurrency as injected things: the clock, timers and tasks. Production runs on virtual
 * threads; tests run the same code in virtual time, one task at a time.
 */
@NullMarked
package dev.postrider.time;

import org.jspecify.annotations.NullMarked;
