/**
 * What the writes of one batch have in common: their columns as arrays, and what the batch does
 * besides.
 */
@NullMarked
package dev.postrider.postgres.batch;

import org.jspecify.annotations.NullMarked;
