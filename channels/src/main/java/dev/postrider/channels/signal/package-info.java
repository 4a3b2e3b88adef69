/**
 * Signal, through signal-cli: over HTTP, a socket, or as a program that is started here. {@link
 * dev.postrider.channels.signal.SignalChannel} is the way in. May touch: channels.http, .process,
 * .socket, .text, .verdict, core's channel seam.
 */
@NullMarked
package dev.postrider.channels.signal;

import org.jspecify.annotations.NullMarked;
