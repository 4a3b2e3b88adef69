package dev.postrider.store.inbound;

import java.time.Instant;

/** One entry of a session's history. */
public sealed interface SessionEntry {

  Instant at();

  /** Something the person did. */
  record Heard(StoredInbound inbound) implements SessionEntry {
    @Override
    public Instant at() {
      return inbound.receivedAt();
    }
  }

  /** Something the person was told. */
  record Said(SessionReply message) implements SessionEntry {
    @Override
    public Instant at() {
      return message.at();
    }
  }
}
