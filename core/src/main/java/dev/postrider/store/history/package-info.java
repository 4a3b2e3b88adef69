/** What operators did, and how the queues went, minute by minute. */
@NullMarked
package dev.postrider.store.history;

import org.jspecify.annotations.NullMarked;
