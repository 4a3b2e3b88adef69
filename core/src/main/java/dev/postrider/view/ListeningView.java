package dev.postrider.view;

import dev.postrider.store.cluster.AccountReport;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether an account hears what people write, for people to look at.
 *
 * @param since when that began; null if it does not listen by itself
 * @param cause why it fails or is refused
 */
public record ListeningView(Status status, @Nullable Instant since, @Nullable String cause) {

  /** An account whose link does not listen by itself: webhooks may still come. */
  public static final ListeningView OFF = new ListeningView(Status.OFF, null, null);

  /** Whether it should hear and does not. */
  public boolean isDeaf() {
    return status == Status.FAILING || status == Status.REFUSED;
  }

  /** As another node says. */
  public static ListeningView of(AccountReport report) {
    for (Status status : Status.values()) {
      if (status.label().equals(report.listening())) {
        return new ListeningView(status, report.listeningSince(), report.listeningCause());
      }
    }
    return OFF;
  }

  /** How it stands with listening. */
  public enum Status {
    OFF,
    OK,
    FAILING,
    /** The platform does not let it listen until a person changes something. */
    REFUSED;

    /** Its name on the wire. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
