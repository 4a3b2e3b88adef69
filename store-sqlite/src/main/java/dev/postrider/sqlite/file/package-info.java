/**
 * The database file: one process at a time, its schema, its transactions, and what its errors mean.
 */
@NullMarked
package dev.postrider.sqlite.file;

import org.jspecify.annotations.NullMarked;
