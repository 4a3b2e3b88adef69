package dev.postrider.store;

import java.time.Instant;

/** One entry of a session's history. */
public sealed interface SessionEntry {

  Instant at();

  /** Something the person did. */
  record Heard(StoredInbound event) implements SessionEntry {
    @Override
    public Instant at() {
      return event.receivedAt();
    }
  }

  /** Something the person was told. */
  record Said(Mirrored message) implements SessionEntry {
    @Override
    public Instant at() {
      return message.at();
    }
  }
}
