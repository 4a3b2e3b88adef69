package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs are forgotten some time after their end, the largest ones bit by bit. */
abstract class RunRetention extends ReminderBehaviour {
  RunRetention(StoreContract contract) {
    super(contract);
  }

  private int prune(Instant before, int limit) {
    return done(reminders().prune(before, limit));
  }

  private StoredRun endedAt(StoredRun run, long second) {
    assertThat(done(reminders().update(with(run(run.id()), RunStatus.PARTIAL, at(second)))))
        .isTrue();
    return run(run.id());
  }

  @Test
  void a_run_that_ended_before_is_forgotten_with_its_targets() {
    StoredReminder reminder = saved(3);
    StoredRun old = endedAt(fire(reminder, 1), 49);
    StoredRun kept = endedAt(fire(reminder, 2), 50);
    StoredRun active = fire(reminder, 3);

    assertThat(prune(at(50), 100)).isEqualTo(4);

    assertThat(reminders().run(old.id())).isEmpty();
    assertThat(all(old)).isEmpty();
    assertThat(reminders().runs(RunFilter.ALL, null, 9).items()).containsExactly(active, kept);
    assertThat(all(kept)).hasSize(3);
    assertThat(all(active)).hasSize(3);
    assertThat(read(reminder.id())).isEqualTo(reminder);
    assertThat(reminders().active(Set.of("bot"))).containsExactly(active);
    assertThat(prune(at(50), 100)).isZero();
  }

  @Test
  void a_large_run_is_forgotten_bit_by_bit() {
    StoredRun run = endedAt(fire(saved(5), 1), 1);

    assertThat(prune(at(50), 2)).isEqualTo(2);
    assertThat(all(run)).hasSize(3);
    assertThat(reminders().run(run.id())).contains(run);
    assertThat(prune(at(50), 2)).isEqualTo(2);
    assertThat(prune(at(50), 2)).as("the last target, and the run").isEqualTo(2);
    assertThat(reminders().run(run.id())).isEmpty();
    assertThat(prune(at(50), 2)).isZero();
  }

  @Test
  void who_asks_until_less_is_forgotten_than_the_limit_has_forgotten_everything() {
    for (int i = 0; i < 3; i++) {
      StoredReminder reminder = saved(i);
      endedAt(fire(reminder, i), i);
      Firing missed =
          new Firing(nextId(), reminder, at(90 + i), null, false, "missed", false, at(2));
      fire(missed);
    }

    for (int limit = 3, last = limit; last == limit; ) {
      last = prune(at(50), limit);
      assertThat(last).isLessThanOrEqualTo(limit);
    }

    assertThat(reminders().runs(RunFilter.ALL, null, 9).items()).isEmpty();
  }

  @Test
  void a_run_that_goes_on_after_its_end_is_kept() {
    StoredRun run = endedAt(fire(saved(2), 1), 1);
    become(run, RunStatus.RUNNING);

    assertThat(prune(FAR, 100)).isZero();

    assertThat(all(run)).hasSize(2);
  }

  @Test
  void a_run_may_come_for_an_instant_that_is_forgotten() {
    StoredReminder reminder = saved(2);
    StoredRun first = endedAt(fire(reminder, 1), 1);
    prune(at(50), 100);

    StoredRun second = fire(reminder, 1);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(statuses(second)).containsExactly(TargetStatus.PENDING, TargetStatus.PENDING);
  }

  @Test
  void days_are_forgotten_once_they_are_over_everywhere() {
    StoredRun run = running(3);
    List<LocalDate> days = List.of(DAY, DAY.plusDays(1), DAY.plusDays(2));
    for (int n = 0; n < 3; n++) {
      done(reminders().begin(target(run, n), 1, days.get(n), null, at(1)));
    }
    Instant over = DAY.plusDays(1).atStartOfDay().toInstant(ZoneOffset.ofHours(-12));

    prune(over.minusSeconds(1), 100);
    assertThat(days).allMatch(day -> reminders().sentOn("bot", day) == 1);
    prune(over, 100);

    assertThat(reminders().sentOn("bot", DAY)).isZero();
    assertThat(days.subList(1, 3)).allMatch(day -> reminders().sentOn("bot", day) == 1);
    assertThat(statuses(run)).containsOnly(TargetStatus.SENDING);
  }
}
