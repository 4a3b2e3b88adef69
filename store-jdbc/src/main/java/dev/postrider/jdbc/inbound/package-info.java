/** The stored form of inbound messages and sessions, and lists of them. */
@NullMarked
package dev.postrider.jdbc.inbound;

import org.jspecify.annotations.NullMarked;
