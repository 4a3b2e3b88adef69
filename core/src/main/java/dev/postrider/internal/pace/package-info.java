/**
 * Token buckets per chat, account and channel, in one place. Pure arithmetic on injected time; what
 * must survive a restart leaves as a {@link dev.postrider.store.message.Budget}.
 */
@NullMarked
package dev.postrider.internal.pace;

import org.jspecify.annotations.NullMarked;
