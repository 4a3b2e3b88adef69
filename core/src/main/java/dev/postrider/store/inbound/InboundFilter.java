package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundStatus;
import org.jspecify.annotations.Nullable;

/** Which inbound messages to list; null means any. */
public record InboundFilter(
    @Nullable String account, @Nullable String sessionId, @Nullable InboundStatus status) {
  public static final InboundFilter ALL = new InboundFilter(null, null, null);
}
