/** Commands that work on a store without a server. */
@NullMarked
package dev.postrider.server.cli.store;

import org.jspecify.annotations.NullMarked;
