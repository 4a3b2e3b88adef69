/** What commands share: the terminal, the client of the API, tables and options. */
@NullMarked
package dev.postrider.server.cli.terminal;

import org.jspecify.annotations.NullMarked;
