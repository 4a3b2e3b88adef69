/**
 * Tlon Messenger, by the HTTP interface of an Urbit ship (Eyre). {@link
 * dev.postrider.channels.tlon.TlonLink} holds the one connection that carries what is sent and what
 * is heard, {@link dev.postrider.channels.tlon.Eyre} speaks to the ship, {@link
 * dev.postrider.channels.tlon.TlonRequest} says what is asked of it, {@link
 * dev.postrider.channels.tlon.TlonEvents} what it tells. May touch: the shared parts of channels,
 * core's channel seam.
 */
@NullMarked
package dev.postrider.channels.tlon;

import org.jspecify.annotations.NullMarked;
