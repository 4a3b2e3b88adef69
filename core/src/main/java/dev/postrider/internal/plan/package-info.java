/** From message to parts: made once, stored before the first send, never made again. */
@NullMarked
package dev.postrider.internal.plan;

import org.jspecify.annotations.NullMarked;
