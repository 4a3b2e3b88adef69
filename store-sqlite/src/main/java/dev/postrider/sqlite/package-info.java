/**
 * The store on one SQLite file: one writer with group commit, readers beside it, one process at a
 * time. May touch: core's {@code store} and {@code message} packages.
 */
@NullMarked
package dev.postrider.sqlite;

import org.jspecify.annotations.NullMarked;
