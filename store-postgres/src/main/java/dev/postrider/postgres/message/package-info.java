/** Writes about messages: places in lanes, receipts, operations. */
@NullMarked
package dev.postrider.postgres.message;

import org.jspecify.annotations.NullMarked;
