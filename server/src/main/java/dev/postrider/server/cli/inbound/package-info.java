/** Commands about inbound messages, sessions and turns. */
@NullMarked
package dev.postrider.server.cli.inbound;

import org.jspecify.annotations.NullMarked;
