package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.Pace;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.reminder.run.RunView;
import dev.postrider.store.reminder.RunTargetFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs of 1,000 and of 100,000 targets side by side: what storing, firing, looking and sending
 * cost, and how much memory is in use while one goes on.
 */
final class RunFigures {
  private static final int LOOKS = 21;
  private static final Duration AWHILE = Duration.ofSeconds(10);

  private RunFigures() {}

  /** One row of the table. */
  record Row(
      int targets,
      double storeMillis,
      double fireMillis,
      double lookMillis,
      double pageMillis,
      double perSecond,
      long heapMegabytes) {}

  static Row run(Path file, int targets) {
    ReminderSettings fast =
        ReminderSettings.DEFAULTS.with(s -> s.pace = Pace.perSecond(100_000).burst(1_000));
    try (Postrider postrider = EndToEnd.open(file, new NoopChannel());
        Reminders reminders = Reminders.open(postrider, fast)) {
      Reminder.Builder draft =
          Reminder.named("notice")
              .account("bot")
              .zone(ZoneOffset.UTC)
              .window(null)
              .targets(
                  IntStream.range(0, targets)
                      .mapToObj(n -> Target.to("g" + n).with(Map.of("n", "" + n)))
                      .toList())
              .messages(List.of(Content.text("Hello {{n}}")));
      Timed<Reminder> stored = Timed.of(() -> reminders.create(draft));
      Timed<RunView> fired = Timed.of(() -> reminders.fire(stored.value.id()));
      UUID run = fired.value.run().id();
      long began = System.nanoTime();
      double[] looks = new double[LOOKS];
      double[] pages = new double[LOOKS];
      RunView now = fired.value;
      for (int i = 0; i < LOOKS && !now.run().status().ended(); i++) {
        LockSupport.parkNanos(AWHILE.dividedBy(LOOKS).toNanos());
        Timed<RunView> look = Timed.of(() -> reminders.runs().find(run).orElseThrow());
        looks[i] = look.millis;
        pages[i] =
            Timed.of(() -> reminders.runs().targets(run, RunTargetFilter.ALL, null, 100)).millis;
        now = look.value;
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return new Row(
          targets,
          stored.millis,
          fired.millis,
          median(looks),
          median(pages),
          now.sent() / seconds,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }
  }

  private record Timed<T>(T value, double millis) {
    static <T> Timed<T> of(Supplier<T> work) {
      long start = System.nanoTime();
      T value = work.get();
      return new Timed<>(value, (System.nanoTime() - start) / 1e6);
    }
  }

  private static double median(double[] values) {
    double[] sorted = Arrays.stream(values).filter(value -> value > 0).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
