package dev.postrider.server.log;

import java.util.logging.LogManager;

/**
 * A log manager that goes on until the process has ended. The one of the platform takes all
 * handlers away as soon as a stop is asked for, so that nobody would read how the stop went. It is
 * named in the property {@code java.util.logging.manager} before anything is logged.
 */
public final class LastingLogManager extends LogManager {

  @Override
  public void reset() {
    // Called when the process ends; there is nothing that would have to be closed.
  }
}
