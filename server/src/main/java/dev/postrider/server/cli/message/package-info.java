/** Commands about outbound messages and lanes. */
@NullMarked
package dev.postrider.server.cli.message;

import org.jspecify.annotations.NullMarked;
