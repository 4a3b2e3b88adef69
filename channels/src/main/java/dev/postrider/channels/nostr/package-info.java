/**
 * Nostr: private messages in gift wraps and public notes, on several relays at once. The curve's
 * arithmetic is libsecp256k1's, the rest of the cryptography the JDK's. May touch: core, and the
 * shared HTTP, sockets, fetching and verdicts of channels.
 */
@NullMarked
package dev.postrider.channels.nostr;

import org.jspecify.annotations.NullMarked;
