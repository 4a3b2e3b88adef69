/**
 * Files on their way: {@link dev.postrider.internal.media.Custody} takes bytes in before a message
 * is accepted, {@link dev.postrider.internal.media.MediaUploads} has them ready when its part goes
 * out, each uploaded once. May touch: store, channel, message, config, time.
 */
@NullMarked
package dev.postrider.media;

import org.jspecify.annotations.NullMarked;
