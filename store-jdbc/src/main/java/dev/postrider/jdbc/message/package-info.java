/** The stored form of messages and files, and lists of messages and lanes. */
@NullMarked
package dev.postrider.jdbc.message;

import org.jspecify.annotations.NullMarked;
