/** Reads, and rows to values. */
@NullMarked
package dev.postrider.postgres.read;

import org.jspecify.annotations.NullMarked;
