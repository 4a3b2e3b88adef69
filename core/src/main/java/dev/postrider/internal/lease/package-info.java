/** Which node works which account: signs of life, an even spread, and letting go. */
@NullMarked
package dev.postrider.internal.lease;

import org.jspecify.annotations.NullMarked;
