/**
 * What comes from platforms: messages people write, and delivery reports on messages we sent, in
 * words that all channels share. Values only; stores keep them, the engine takes them in. May
 * touch: nothing.
 */
@NullMarked
package dev.postrider.inbound;

import org.jspecify.annotations.NullMarked;
