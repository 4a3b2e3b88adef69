/**
 * What the channels share. Each channel has a package of its own below this one and turns core's
 * messages into requests to its platform, and the answers into outcomes.
 */
@NullMarked
package dev.postrider.channels;

import org.jspecify.annotations.NullMarked;
