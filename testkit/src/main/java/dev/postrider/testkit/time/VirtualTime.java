package dev.postrider.testkit.time;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time with turn-taking tasks: at any moment exactly one task, or the test itself, runs. A
 * task gives up its turn only where it waits, so a run is deterministic; with a random generator
 * the order of turns is shuffled, and a seed names one interleaving that can be had again.
 *
 * <p>The test's own thread drives: {@link #settle} runs tasks until all of them wait, {@link
 * #advance} lets time pass.
 */
public final class VirtualTime implements Scheduler {
  private static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

  private final @Nullable RandomGenerator shuffle;
  private final Semaphore driver = new Semaphore(0);
  private final List<Turn> runnable = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.<Alarm, Duration>comparing(alarm -> alarm.when)
              .thenComparing(alarm -> alarm.order));
  private Instant wallClock = START;
  private Duration elapsed =
      Duration.ZERO; // what a stopwatch would show; not moved by jumps of the clock
  private long alarmsMade;
  private @Nullable Turn running;
  private @Nullable Throwable failure;

  private VirtualTime(@Nullable RandomGenerator shuffle) {
    this.shuffle = shuffle;
  }

  /** Strands take turns in the order in which they became ready. */
  public static VirtualTime inOrder() {
    return new VirtualTime(null);
  }

  /** Strands take turns in an order drawn from the generator. */
  public static VirtualTime shuffled(RandomGenerator random) {
    return new VirtualTime(random);
  }

  private final class Turn implements Task {
    final Runnable body;
    final Semaphore baton = new Semaphore(0);
    boolean started;
    boolean interrupted;
    boolean waiting;

    Turn(Runnable body) {
      this.body = body;
    }

    @Override
    public void interrupt() {
      interrupted = true;
      ready(this);
    }

    void run() {
      baton.acquireUninterruptibly();
      try {
        body.run();
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
      } finally {
        driver.release();
      }
    }
  }

  private static final class Alarm {
    final long order;
    final Runnable task;
    final @Nullable Instant clock; // what the clock is to show, if that is what it waits for
    Duration when;
    Duration looksAgain = Duration.ZERO; // when it will notice that the clock was set

    Alarm(long order, Duration when, @Nullable Instant clock, Runnable task) {
      this.order = order;
      this.when = when;
      this.clock = clock;
      this.task = task;
    }
  }

  // ---- Scheduler

  @Override
  public Instant instant() {
    return wallClock;
  }

  @Override
  public Task start(String name, Runnable body) {
    Turn turn = new Turn(body);
    runnable.add(turn);
    return turn;
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    return add(wait, null, task);
  }

  /** As if it looked at the clock every few seconds, but without the many timers that takes. */
  @Override
  public Timer at(Instant when, Runnable task) {
    return add(Duration.between(wallClock, when), when, task);
  }

  private Timer add(Duration wait, @Nullable Instant clock, Runnable task) {
    Duration when = wait.isNegative() ? elapsed : elapsed.plus(wait);
    Alarm alarm = new Alarm(alarmsMade++, when, clock, task);
    alarms.add(alarm);
    return () -> alarms.remove(alarm);
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    Turn turn = running;
    if (turn == null) {
      drive(future);
    } else if (!future.isDone()) {
      if (!turn.interrupted) { // before it waited
        turn.waiting = true;
        future.whenComplete((_, _) -> ready(turn));
        driver.release();
        turn.baton.acquireUninterruptibly();
      }
      if (turn.interrupted && !future.isDone()) {
        turn.interrupted = false;
        throw new Interrupted();
      }
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }

  private void ready(Turn turn) {
    if (turn.waiting) {
      turn.waiting = false;
      runnable.add(turn);
    }
  }

  // ---- driving

  /** The test itself waits: tasks run, and time passes, until the future is done. */
  private void drive(CompletableFuture<?> future) {
    while (!future.isDone()) {
      if (!runnable.isEmpty()) {
        runOne();
      } else if (!ringNext(null)) {
        throw new IllegalStateException(
            "everybody waits and no timer is set: nothing can complete this");
      }
    }
  }

  /** Runs tasks until all of them wait for something. */
  public void settle() {
    while (!runnable.isEmpty()) {
      runOne();
    }
    rethrow();
  }

  /**
   * The smallest step there is: one task runs until it waits, or, if all of them wait, the next
   * timer rings. False if nothing is left to happen.
   */
  public boolean step() {
    if (runnable.isEmpty()) {
      return ringNext(null);
    }
    runOne();
    rethrow();
    return true;
  }

  /** Lets time pass, step by step from timer to timer. */
  public void advance(Duration duration) {
    Duration until = elapsed.plus(duration);
    settle();
    while (ringNext(until)) {
      settle();
    }
    moveTo(until);
    settle();
  }

  /** Rings the next alarm; false if there is none, or none until then. */
  private boolean ringNext(@Nullable Duration until) {
    Alarm next = alarms.peek();
    if (next == null || (until != null && next.when.compareTo(until) > 0)) {
      return false;
    }
    alarms.poll();
    moveTo(next.when);
    next.task.run();
    return true;
  }

  private void moveTo(Duration moment) {
    if (moment.compareTo(elapsed) > 0) {
      wallClock = wallClock.plus(moment.minus(elapsed));
      elapsed = moment;
    }
  }

  /**
   * Sets the wall clock forward or back. Timers for an instant notice it as late as real ones may;
   * what waits for so long keeps its distance.
   */
  public void jump(Duration by) {
    wallClock = wallClock.plus(by);
    List<Alarm> all = List.copyOf(alarms);
    alarms.clear();
    for (Alarm alarm : all) {
      if (alarm.clock != null) {
        if (alarm.looksAgain.compareTo(elapsed) <= 0) {
          alarm.looksAgain = earlier(alarm.when, elapsed.plus(CLOCK_READ_EVERY));
        }
        Duration there = elapsed.plus(Duration.between(wallClock, alarm.clock));
        alarm.when = there.compareTo(alarm.looksAgain) > 0 ? there : alarm.looksAgain;
      }
    }
    alarms.addAll(all);
  }

  private static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  @Override
  public Duration elapsed() {
    return elapsed;
  }

  /** Pulls the plug: no task runs again and no timer rings. What they had committed stays. */
  public void crash() {
    runnable.clear();
    alarms.clear();
  }

  private void runOne() {
    int index = shuffle == null ? 0 : shuffle.nextInt(runnable.size());
    Turn turn = runnable.remove(index);
    running = turn;
    if (!turn.started) {
      turn.started = true;
      Thread.ofVirtual().start(turn::run);
    }
    turn.baton.release();
    driver.acquireUninterruptibly();
    running = null;
  }

  private void rethrow() {
    Throwable thrown = failure;
    if (thrown != null) {
      failure = null;
      throw new IllegalStateException("a strand failed", thrown);
    }
  }
}
