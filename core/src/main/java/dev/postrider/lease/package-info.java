/**
 * Who works which account: signs of life, an even spread, and letting go. May touch: {@code store},
 * {@code time}.
 */
@NullMarked
package dev.postrider.lease;

import org.jspecify.annotations.NullMarked;
