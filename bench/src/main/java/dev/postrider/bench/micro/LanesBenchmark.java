package dev.postrider.bench.micro;

import dev.postrider.config.Pace;
import dev.postrider.internal.lane.LaneScheduler;
import dev.postrider.internal.lane.Permit;
import dev.postrider.internal.pace.Pacer;
import dev.postrider.message.Priority;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.time.SystemScheduler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs a message to get its lane and to let it go again, without the store. */
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LanesBenchmark {
  /** How many chats take turns. */
  @Param({"100", "10000"})
  public int chats;

  private final SystemScheduler time = new SystemScheduler();
  private final Store store = new SqliteStoreProvider().openInMemory(time);
  private final LaneScheduler lanes =
      new LaneScheduler(
          "bot",
          1_000,
          new Pacer(
              "bot",
              new Pacer.ChannelMeter("fake", Pace.UNLIMITED),
              Pace.UNLIMITED,
              _ -> Pace.UNLIMITED),
          store,
          time,
          _ -> null,
          Permit::close);
  private int next;

  @Setup(Level.Trial)
  public void open() throws InterruptedException {
    lanes.open(LaneScheduler.Gate.STARTING);
    Permit first = lanes.tryAcquire("first", Priority.LIVE, true);
    while (first == null) {
      Thread.sleep(1); // it looks into the store once
      first = lanes.tryAcquire("first", Priority.LIVE, true);
    }
    first.close();
  }

  @TearDown(Level.Trial)
  public void close() {
    store.close();
    time.close();
  }

  @Benchmark
  public @Nullable Permit permit() {
    Permit permit = lanes.tryAcquire(Integer.toString(next++ % chats), Priority.LIVE, true);
    if (permit == null) {
      throw new IllegalStateException("the lane is not free");
    }
    permit.close();
    return permit;
  }
}
