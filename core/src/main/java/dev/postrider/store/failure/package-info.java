/** How calls of a store fail: these are the only exceptions it throws. */
@NullMarked
package dev.postrider.store.failure;

import org.jspecify.annotations.NullMarked;
