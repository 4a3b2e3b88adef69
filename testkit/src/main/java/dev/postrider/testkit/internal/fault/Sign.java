package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;

/**
 * Something an operator sees of a fault.
 *
 * @param says some of what stands there, to the letter
 */
public record Sign(Place place, String says) {

  /** Where operators look. */
  public enum Place {
    HEALTH("`/healthz`"),
    READY("`/readyz`"),
    ACCOUNT("the account"),
    WAITING("`postrider waiting`"),
    LOG("the log"),
    DOCTOR("`postrider doctor`");

    private final String label;

    Place(String label) {
      this.label = label;
    }

    /** Everything that stands there. */
    String read(Trial trial) throws IOException {
      return switch (this) {
        case HEALTH -> trial.health();
        case READY -> trial.ready();
        case ACCOUNT -> trial.account();
        case WAITING -> trial.waiting();
        case LOG -> trial.log();
        case DOCTOR -> trial.doctor();
      };
    }
  }

  /** As a page tells it. */
  @Override
  public String toString() {
    return place.label + ": `" + says + "`";
  }
}
