/**
 * Programs that speak for a platform (signal-cli, imsg): run as a child process for as long as the
 * account listens, and asked by JSON-RPC over its standard input and output. May touch:
 * channels.http, channels.socket, core's clock.
 */
@NullMarked
package dev.postrider.channels.process;

import org.jspecify.annotations.NullMarked;
