/**
 * Connections that stay open: a WebSocket, a stream of events and a socket of lines, each read one
 * message at a time, and the answers to many questions on one connection. None reconnects: that is
 * the engine's business. May touch: core's clock.
 */
@NullMarked
package dev.postrider.channels.socket;

import org.jspecify.annotations.NullMarked;
