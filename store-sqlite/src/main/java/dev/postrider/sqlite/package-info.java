/**
 * The embedded store: one SQLite file, one writer thread that commits in groups, a few readers.
 * Implements core's store and knows nothing else.
 */
@NullMarked
package dev.postrider.sqlite;

import org.jspecify.annotations.NullMarked;
