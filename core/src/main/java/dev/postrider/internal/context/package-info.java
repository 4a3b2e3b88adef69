/**
 * What all parts of one engine share: the store and whether it takes writes, the counts of
 * messages, the names of chats, and the way in for inbound messages.
 */
@NullMarked
package dev.postrider.internal.context;

import org.jspecify.annotations.NullMarked;
