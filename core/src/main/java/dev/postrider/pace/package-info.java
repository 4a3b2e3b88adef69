/**
 * Token buckets per chat, account and channel, in one place. Pure arithmetic on injected time; what
 * must survive a restart leaves as a {@link dev.postrider.pace.Budget}.
 */
@NullMarked
package dev.postrider.pace;

import org.jspecify.annotations.NullMarked;
