/**
 * The seam to a platform. A {@link dev.postrider.channel.Channel} opens a {@link
 * dev.postrider.channel.Link} per account; a link sends one part and tells the result as an {@link
 * dev.postrider.channel.Outcome}. May touch: message, config, time.
 */
@NullMarked
package dev.postrider.channel;

import org.jspecify.annotations.NullMarked;
