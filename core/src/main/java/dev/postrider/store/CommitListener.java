package dev.postrider.store;

import java.time.Duration;

/** Is told of every commit, on the writer's thread: must be quick and must not throw. */
@FunctionalInterface
public interface CommitListener {

  /**
   * Writes were made durable together.
   *
   * @param writes how many
   * @param took to apply and commit them
   */
  void committed(int writes, Duration took);
}
