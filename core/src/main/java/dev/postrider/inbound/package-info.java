/**
 * What comes from platforms: messages people write, and late word on messages we sent. A channel
 * says what it means; here it is written down, once, before the platform is told "received". May
 * touch: message, store, config, time.
 */
@NullMarked
package dev.postrider.inbound;

import org.jspecify.annotations.NullMarked;
