package dev.postrider.server.api.message;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Does the same to several things at once, so that what is written shares its commits. */
final class AtOnce {
  private AtOnce() {}

  /**
   * The results in the order of the things; what one of them throws is thrown when all are done.
   */
  static <T, R> List<R> each(List<T> things, Function<T, R> action) {
    List<Future<R>> results;
    try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
      results = things.stream().map(thing -> tasks.submit(() -> action.apply(thing))).toList();
    }
    for (Future<R> result : results) {
      if (result.state() == Future.State.FAILED
          && result.exceptionNow() instanceof RuntimeException failure) {
        throw failure;
      }
    }
    return results.stream().map(Future::resultNow).toList();
  }
}
