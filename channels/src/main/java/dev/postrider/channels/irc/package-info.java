/**
 * IRC: one connection that sends and listens. It reads top to bottom as a connection lives:
 * settings, login, session, send, verdict, what is heard. May touch: the shared sockets, text and
 * error tables of channels, and core's SPI.
 */
@NullMarked
package dev.postrider.channels.irc;

import org.jspecify.annotations.NullMarked;
