/** Writes about inbound messages, their leases and sessions. */
@NullMarked
package dev.postrider.postgres.inbound;

import org.jspecify.annotations.NullMarked;
