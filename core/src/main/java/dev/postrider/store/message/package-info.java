/** Outbound messages, lanes and budgets as a store keeps them. */
@NullMarked
package dev.postrider.store.message;

import org.jspecify.annotations.NullMarked;
