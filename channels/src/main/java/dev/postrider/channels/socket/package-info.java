/**
 * Connections that stay open: a WebSocket to wait on, one message at a time. May touch: core's
 * channel seam.
 */
@NullMarked
package dev.postrider.channels.socket;

import org.jspecify.annotations.NullMarked;
