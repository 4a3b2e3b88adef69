/**
 * Takes over the delivery queue of OpenClaw: reads its entries, judges each one, and stores what
 * becomes of it. Uses the store and the channels; knows nothing of commands or HTTP.
 */
@NullMarked
package dev.postrider.server.openclaw;

import org.jspecify.annotations.NullMarked;
