package dev.postrider.testkit.engine;

import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.engine.FlakyStore.Fault;
import dev.postrider.testkit.engine.FlakyStore.Moment;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a brittle store throws, drawn anew at every call: what its contract names, and what it does
 * not, before the call was done or after it.
 */
final class RandomFaults implements FlakyStore.Trouble {
  /** A store may answer wrongly, but it does answer: a call that never ends stops whoever waits. */
  private static final List<Moment> MOMENTS = List.of(Moment.AT_ONCE, Moment.BEFORE, Moment.AFTER);

  private static final String DRAWN = "drawn: ";
  private static final List<Function<String, Throwable>> FAILURES =
      List.of(
          StoreUnavailable::new,
          StoreUnavailable::new,
          call -> new StoreFailure(call, new IllegalStateException("drawn")),
          IllegalStateException::new,
          ArithmeticException::new,
          StackOverflowError::new,
          LinkageError::new);

  private final RandomGenerator random;
  private double likelihood;

  RandomFaults(RandomGenerator random) {
    this.random = random;
  }

  /** From now on so many calls go wrong. */
  void likelihood(double share) {
    likelihood = share;
  }

  double likelihood() {
    return likelihood;
  }

  @Override
  public @Nullable Fault strike(String call) {
    if (likelihood == 0 || random.nextDouble() >= likelihood) {
      return null;
    }
    Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
    Throwable failure =
        FAILURES.get(random.nextInt(FAILURES.size())).apply(DRAWN + call + " " + moment);
    return new Fault(moment, failure);
  }

  /** Does something that a brittle store may keep from being done; tells whether it was done. */
  boolean survives(Runnable operation) {
    try {
      operation.run();
      return true;
    } catch (RuntimeException | Error e) {
      if (!isDrawn(e)) {
        throw e;
      }
      return false;
    }
  }

  /** Whether somebody was told of a drawn fault; a task that died of one is another thing. */
  private static boolean isDrawn(Throwable thrown) {
    return thrown instanceof Refused refused
        ? refused.why() == Refused.Cause.UNAVAILABLE
        : String.valueOf(thrown.getMessage()).contains(DRAWN);
  }
}
