package dev.postrider;

import dev.postrider.store.inbound.StoredInbound;

/**
 * Handles what people write. Messages of one session come one after the other, sessions side by
 * side. Whoever throws is given the message again later; see {@code docs/inbound.md}.
 */
@FunctionalInterface
public interface InboundHandler {
  void onInbound(StoredInbound message, Turn turn) throws Exception;
}
