package dev.postrider.bench.micro;

import dev.postrider.config.Pace;
import dev.postrider.internal.pace.Moment;
import dev.postrider.internal.pace.Pacer;
import dev.postrider.store.message.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an account's buckets cost each message: a token of each, at the reservation and the wire.
 */
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PaceBenchmark {
  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

  /** How many chats take turns. */
  @Param({"100", "10000"})
  public int chats;

  /** Whether account and chats have limits. */
  @Param({"true", "false"})
  public boolean limited;

  private Pacer pacer = pacer(Pace.UNLIMITED);
  private Pacer limitedPacer =
      pacer(new Pace(Map.of(Duration.ofSeconds(1), 30, Duration.ofMinutes(1), 600), 30));
  private long micros;
  private int next;

  private static Pacer pacer(Pace pace) {
    return new Pacer("bot", new Pacer.ChannelMeter("fake", Pace.UNLIMITED), pace, _ -> pace);
  }

  @Benchmark
  public List<Budget> token() {
    Pacer used = limited ? limitedPacer : pacer;
    String chat = Integer.toString(next++ % chats);
    micros += 100_000; // no token is missing, or waiting would be measured
    Moment now = new Moment(Duration.ofNanos(micros * 1_000), BEGIN.plusNanos(micros * 1_000));
    used.chatOpensAt(chat, now);
    List<Budget> spent = used.take(chat, now);
    used.takeAtWire(chat, now);
    used.leftLate(chat, now);
    return spent;
  }
}
