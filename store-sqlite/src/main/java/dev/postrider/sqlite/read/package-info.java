/** Reads, and rows to values. */
@NullMarked
package dev.postrider.sqlite.read;

import org.jspecify.annotations.NullMarked;
