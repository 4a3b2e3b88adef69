package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.server.log.Line;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reminds people of what was held when the store came back from a backup, until they have decided
 * about all of it. Thread-safe.
 */
public final class RestoreWatch {
  private volatile @Nullable Restored undecided;

  /** The store is open. */
  public void opened(Postrider postrider) {
    undecided = postrider.restored().filter(postrider::isUndecided).orElse(null);
    Restored restored = undecided;
    if (restored != null) {
      Line.warn("store.restored", sentence(restored))
          .with("takenAt", restored.takenAt().toString())
          .with("restoredAt", restored.at().toString())
          .with("held", restored.held())
          .write();
    }
  }

  /** To be called now and then. */
  public void look(Postrider postrider) {
    Restored restored = undecided;
    if (restored != null && !postrider.isUndecided(restored)) {
      undecided = null; // what was replayed or discarded stays so
    }
  }

  /** What people should know; nothing once they have decided. */
  public List<String> reasons() {
    Restored restored = undecided;
    return restored == null ? List.of() : List.of(sentence(restored));
  }

  private static String sentence(Restored restored) {
    return ("The store came back at %s from a backup of %s: %,d messages that may have been"
            + " sent since are held. Replay or discard the dead letters with the reason '%s'.")
        .formatted(
            restored.at().truncatedTo(ChronoUnit.SECONDS),
            restored.takenAt().truncatedTo(ChronoUnit.SECONDS),
            restored.held(),
            Restoration.REASON);
  }
}
