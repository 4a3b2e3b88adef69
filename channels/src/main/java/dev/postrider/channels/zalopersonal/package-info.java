/**
 * Personal Zalo accounts, through a sidecar. May touch: core's channel seam, channels.sidecar,
 * channels.fetch, channels.text.
 */
@NullMarked
package dev.postrider.channels.zalopersonal;

import org.jspecify.annotations.NullMarked;
