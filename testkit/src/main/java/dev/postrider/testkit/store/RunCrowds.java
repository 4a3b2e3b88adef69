package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many at once on one run: each target is begun once, each day stays within its ceiling. */
abstract class RunCrowds extends ReminderBehaviour {
  private static final int THREADS = 8;

  RunCrowds(StoreContract contract) {
    super(contract);
  }

  private static <T> List<T> together(Callable<T> task) throws Exception {
    return Crowds.together(THREADS, task);
  }

  private static <T> void assertOne(List<T> results, T won) {
    assertThat(Collections.frequency(results, won)).isEqualTo(1);
  }

  /** Begins all of them, each thread in an order of its own, without waiting in between. */
  private List<Begun> beginAll(List<RunTarget> targets, int sends, Integer ceiling, long seed) {
    List<RunTarget> mine = new ArrayList<>(targets);
    Collections.shuffle(mine, new java.util.Random(seed));
    List<CompletableFuture<Begun>> writes =
        mine.stream().map(one -> reminders().begin(one, sends, DAY, ceiling, at(10))).toList();
    return writes.stream().map(this::done).toList();
  }

  @Test
  void targets_that_many_begin_are_begun_once_each() throws Exception {
    StoredRun run = running(60);
    List<RunTarget> targets = all(run);
    AtomicInteger seeds = new AtomicInteger();

    List<Begun> begun = new ArrayList<>();
    together(() -> beginAll(targets, 1, 1_000, seeds.incrementAndGet())).forEach(begun::addAll);

    assertThat(Collections.frequency(begun, Begun.YES)).isEqualTo(60);
    assertThat(Collections.frequency(begun, Begun.STALE)).isEqualTo(60 * (THREADS - 1));
    assertThat(all(run)).allMatch(one -> one.status() == TargetStatus.SENDING && one.tries() == 1);
    assertThat(sent()).isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void a_day_never_takes_more_than_its_ceiling(long seed) throws Exception {
    StoredRun run = running(60);
    List<RunTarget> targets = all(run);
    AtomicInteger seeds = new AtomicInteger((int) seed * 1_000);

    List<Begun> begun = new ArrayList<>();
    together(() -> beginAll(targets, 2, 51, seeds.incrementAndGet())).forEach(begun::addAll);

    assertThat(Collections.frequency(begun, Begun.YES)).isEqualTo(25);
    assertThat(sent()).isEqualTo(50);
    assertThat(reminders().counts(run.id()))
        .containsOnly(Map.entry(TargetStatus.SENDING, 25), Map.entry(TargetStatus.PENDING, 35));
  }

  @Test
  void of_many_firings_for_one_instant_one_makes_a_run() throws Exception {
    StoredReminder reminder = save(draft("bot", at(60), 0), targets(50));

    List<Optional<StoredRun>> fired =
        together(() -> done(reminders().fire(scheduled(reminder, at(60), at(120)))));

    List<StoredRun> runs = fired.stream().flatMap(Optional::stream).toList();
    assertThat(runs).hasSize(1);
    assertThat(reminders().runs(RunFilter.ALL, null, 99).items()).isEqualTo(runs);
    assertThat(all(runs.getFirst())).hasSize(50);
    assertThat(read(reminder.id()).nextFire()).isEqualTo(at(120));
  }

  @Test
  void of_many_who_replace_a_version_one_does() throws Exception {
    StoredReminder reminder = saved(3);
    AtomicInteger sizes = new AtomicInteger(10);

    List<Integer> won =
        together(
            () -> {
              int mine = sizes.incrementAndGet();
              List<ReminderTarget> targets = targets(mine);
              return done(reminders().save(reminder, targets, reminder.version())) ? mine : 0;
            });

    assertThat(Collections.frequency(won, 0)).isEqualTo(THREADS - 1);
    StoredReminder now = read(reminder.id());
    assertThat(won).contains(now.targets());
    assertThat(now.version()).isEqualTo(reminder.version() + 1);
    assertThat(reminders().targets(now.id(), 0, 99)).isEqualTo(targets(now.targets()));
  }

  @Test
  void of_many_who_make_one_reminder_one_does() throws Exception {
    StoredReminder draft = draft("bot", null, 0);

    assertOne(together(() -> done(reminders().save(draft, targets(5), null))), true);

    assertThat(reminders().targets(draft.id(), 0, 99)).isEqualTo(targets(5));
  }

  @Test
  void of_many_who_change_a_run_one_does() throws Exception {
    StoredRun run = running(1);

    assertOne(together(() -> done(reminders().update(with(run, RunStatus.PAUSED, null)))), true);

    assertThat(run(run.id()).version()).isEqualTo(run.version() + 1);
  }

  @Test
  void of_many_who_settle_a_target_one_does() throws Exception {
    StoredRun run = running(1);
    RunTarget begun = begun(run, 0);

    assertOne(together(() -> settle(begun, TargetStatus.SENT)), true);
  }

  @Test
  void a_target_is_either_begun_or_ended() throws Exception {
    StoredRun run = running(200);
    List<RunTarget> targets = all(run);
    AtomicInteger turn = new AtomicInteger();

    List<Integer> done =
        Crowds.together(
            2,
            () -> {
              if (turn.getAndIncrement() == 0) {
                return Collections.frequency(beginAll(targets, 1, 1_000, 5), Begun.YES);
              }
              int ended = 0;
              int last = 7;
              while (last == 7) {
                last =
                    done(
                        reminders()
                            .endPending(run.id(), 0, ALL, TargetStatus.SKIPPED, "late", at(30), 7));
                ended += last;
              }
              return ended;
            });

    assertThat(done.get(0) + done.get(1)).isEqualTo(200);
    assertThat(reminders().counts(run.id())).doesNotContainKey(TargetStatus.PENDING);
    assertThat(all(run))
        .allMatch(one -> one.tries() == (one.status() == TargetStatus.SENDING ? 1 : 0));
  }

  @Test
  void a_run_has_the_targets_of_one_version_or_is_none() throws Exception {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 10; round++) {
      StoredReminder old = saved(1 + random.nextInt(50));
      AtomicInteger turn = new AtomicInteger(random.nextInt(2));
      int second = 100 + round;

      Crowds.together(
          2,
          () ->
              turn.getAndIncrement() % 2 == 0
                  ? done(reminders().save(old, targets(60), old.version()))
                  : done(reminders().fire(byHand(old, at(second)))).isPresent());

      assertThat(reminders().targets(old.id(), 0, 99)).isEqualTo(targets(60));
      for (StoredRun run : reminders().runs(RunFilter.of(old.id()), null, 9).items()) {
        assertThat(all(run)).hasSize(old.targets());
      }
    }
  }
}
