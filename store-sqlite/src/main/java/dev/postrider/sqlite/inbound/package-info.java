/** Writes about inbound messages and sessions. */
@NullMarked
package dev.postrider.sqlite.inbound;

import org.jspecify.annotations.NullMarked;
