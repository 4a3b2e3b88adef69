/**
 * From message to parts: made once, stored before the first send, never made again. May touch:
 * message, channel (capabilities only).
 */
@NullMarked
package dev.postrider.plan;

import org.jspecify.annotations.NullMarked;
