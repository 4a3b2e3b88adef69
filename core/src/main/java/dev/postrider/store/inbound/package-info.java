/** Inbound messages, sessions and turns as a store keeps them. */
@NullMarked
package dev.postrider.store.inbound;

import org.jspecify.annotations.NullMarked;
