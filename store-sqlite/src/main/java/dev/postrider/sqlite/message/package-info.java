/** Writes about messages: places in lanes, attempts, operations, and what follows when one ends. */
@NullMarked
package dev.postrider.sqlite.message;

import org.jspecify.annotations.NullMarked;
