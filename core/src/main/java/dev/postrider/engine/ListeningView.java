package dev.postrider.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether an account hears what people write, for people to look at.
 *
 * @param since when that began; null if it does not listen by itself
 * @param cause why it fails
 */
public record ListeningView(Status status, @Nullable Instant since, @Nullable String cause) {

  /** An account whose link does not listen by itself: webhooks may still come. */
  public static final ListeningView OFF = new ListeningView(Status.OFF, null, null);

  /** How it stands with listening. */
  public enum Status {
    OFF,
    OK,
    FAILING
  }
}
