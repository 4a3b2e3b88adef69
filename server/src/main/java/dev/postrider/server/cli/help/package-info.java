/** Tells about the commands: the manual page, and what a shell completes. */
@NullMarked
package dev.postrider.server.cli.help;

import org.jspecify.annotations.NullMarked;
