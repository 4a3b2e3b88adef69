/**
 * The contract of a {@link dev.postrider.store.Store}, as tests: {@link
 * dev.postrider.testkit.store.StoreContract} runs them all against any store. May touch: core.
 */
@NullMarked
package dev.postrider.testkit.store;

import org.jspecify.annotations.NullMarked;
