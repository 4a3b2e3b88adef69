/**
 * Inbound messages after they are stored: who is given one to handle, what a failure or an expired
 * lease means for it, and what follows when the messages it caused have ended.
 */
@NullMarked
package dev.postrider.internal.inbound;

import org.jspecify.annotations.NullMarked;
