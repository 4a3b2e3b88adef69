/**
 * The command {@code demo}: a script of acts, a generator of traffic, a server of its own to play
 * with, and an observer that reads what the sandbox has recorded. Uses the terminal and the client.
 */
@NullMarked
package dev.postrider.server.cli.demo;

import org.jspecify.annotations.NullMarked;
