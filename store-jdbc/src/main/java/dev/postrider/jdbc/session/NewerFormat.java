package dev.postrider.jdbc.session;

import dev.postrider.store.failure.StoreRefused;
import org.jspecify.annotations.Nullable;

/** Refuses what a newer version of Postrider has written, in the same words everywhere. */
public final class NewerFormat {
  private NewerFormat() {}

  /**
   * @param what was written
   * @param by the version that wrote it; null: nobody knows
   * @param found its format
   * @param known the latest that this build knows
   */
  public static StoreRefused of(String what, @Nullable String by, int found, int known) {
    return new StoreRefused(
        "%s was written by %s (format %d); this is Postrider %s, which knows formats up to %d. %s"
            .formatted(
                what,
                by == null ? "a newer version of Postrider" : "Postrider " + by,
                found,
                BuildVersion.NAME,
                known,
                "Run the version that wrote it or a newer one, or bring back a backup from "
                    + "before the"
                    + " upgrade; nothing was changed"));
  }
}
