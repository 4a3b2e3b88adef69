package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import org.jspecify.annotations.Nullable;

/** A fault of a database that has a standby. */
abstract class PostgresFault implements Fault {
  private @Nullable PostgresPair pair;

  /** Starts both. */
  abstract PostgresPair startPair();

  final PostgresPair pair() {
    if (pair == null) {
      pair = startPair();
    }
    return pair;
  }

  @Override
  public final Trial.Settings settings() {
    return pair().settings();
  }

  @Override
  public final void tidy(Trial trial) {
    pair().close();
  }
}
