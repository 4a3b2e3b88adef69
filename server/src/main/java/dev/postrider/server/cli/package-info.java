/** The command line. Each command is one class; they talk to a running server over its HTTP API. */
@NullMarked
package dev.postrider.server.cli;

import org.jspecify.annotations.NullMarked;
