package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A reminder fires once for an instant, whoever says so and how often. */
abstract class Firings extends ReminderBehaviour {
  Firings(StoreContract contract) {
    super(contract);
  }

  private Optional<StoredRun> tryTo(Firing firing) {
    return done(reminders().fire(firing));
  }

  private StoredReminder savedFor(long second, int targets) {
    return save(draft("bot", at(second), 0), targets(targets));
  }

  /** Nothing comes of it, and nothing changes. */
  private void assertNothing(Firing firing) {
    UUID id = firing.reminder().id();
    Optional<StoredReminder> reminder = reminders().reminder(id);
    Page<StoredRun> runs = reminders().runs(RunFilter.of(id), null, 99);

    assertThat(tryTo(firing)).isEmpty();

    assertThat(reminders().reminder(id)).isEqualTo(reminder);
    assertThat(reminders().runs(RunFilter.of(id), null, 99)).isEqualTo(runs);
    assertThat(reminders().run(firing.run())).isEmpty();
  }

  @Test
  void a_run_is_made_with_a_pending_target_for_each_of_the_reminders() {
    List<ReminderTarget> targets = List.of(target("ann"), target("other", "ben"), target("ann"));
    StoredReminder reminder = save(draft("bot", at(60), 0), targets);

    StoredRun run = fire(scheduled(reminder, at(60), null));

    assertThat(run)
        .isEqualTo(
            new StoredRun(
                run.id(),
                reminder.id(),
                reminder.name(),
                at(60),
                "bot",
                RunStatus.WAITING,
                null,
                null,
                reminder.document(),
                3,
                null,
                at(60),
                null,
                null,
                null,
                1));
    assertThat(run(run.id())).isEqualTo(run);
    for (int n = 0; n < 3; n++) {
      RunTarget fresh =
          new RunTarget(
              run.id(), n, targets.get(n), TargetStatus.PENDING, 0, 0, List.of(), null, null, null);
      assertThat(target(run, n)).isEqualTo(fresh);
    }
    reopen();
    assertThat(run(run.id())).isEqualTo(run);
    assertThat(all(run)).extracting(RunTarget::target).isEqualTo(targets);
  }

  @Test
  void for_one_instant_it_fires_once() {
    StoredReminder reminder = savedFor(60, 2);
    fire(scheduled(reminder, at(60), at(120)));
    StoredReminder fired = read(reminder.id());

    assertNothing(scheduled(reminder, at(60), at(180)));
    assertNothing(scheduled(fired, at(60), null));
    assertNothing(byHand(fired, at(60)));

    assertThat(tryTo(scheduled(fired, at(120), at(180)))).isPresent();
    assertThat(tryTo(byHand(fired, at(61)))).isPresent();
    assertThat(reminders().runs(RunFilter.of(reminder.id()), null, 99).items()).hasSize(3);
  }

  @Test
  void two_reminders_may_fire_for_the_same_instant() {
    assertThat(tryTo(byHand(savedFor(60, 1), at(60)))).isPresent();
    assertThat(tryTo(byHand(savedFor(60, 1), at(60)))).isPresent();
  }

  @Test
  void one_that_was_changed_since_it_was_read_does_not_fire() {
    StoredReminder old = savedFor(60, 2);
    done(reminders().save(old, targets(1), old.version()));

    assertNothing(scheduled(old, at(60), at(120)));
    assertThat(reminders().active(Set.of("bot"))).isEmpty();

    StoredRun run = fire(scheduled(read(old.id()), at(60), at(120)));
    assertThat(all(run)).hasSize(1);
  }

  @Test
  void one_that_is_gone_does_not_fire() {
    StoredReminder gone = savedFor(60, 2);
    done(reminders().delete(gone.id()));

    assertNothing(scheduled(gone, at(60), at(120)));
    assertNothing(byHand(draft("bot", null, 0), at(60)));
  }

  @Test
  void a_schedule_says_when_it_fires_next_in_the_same_write() {
    StoredReminder reminder = savedFor(60, 1);

    fire(scheduled(reminder, at(60), at(120)));
    StoredReminder moved = read(reminder.id());
    assertThat(moved.nextFire()).isEqualTo(at(120));
    assertThat(moved.version()).isEqualTo(reminder.version());
    assertThat(reminders().due(Set.of("bot"), at(119), 9)).isEmpty();

    fire(scheduled(moved, at(120), null));
    assertThat(read(reminder.id()).nextFire()).isNull();
    assertThat(reminders().due(Set.of("bot"), FAR, 9)).isEmpty();
  }

  @Test
  void firing_by_hand_leaves_the_schedule_as_it_is() {
    StoredReminder reminder = savedFor(60, 1);

    fire(reminder, 30);

    assertThat(read(reminder.id())).isEqualTo(reminder);
  }

  @Test
  void a_firing_that_was_missed_is_a_run_that_has_ended() {
    StoredReminder reminder = savedFor(60, 3);
    Firing missed =
        new Firing(nextId(), reminder, at(60), at(120), true, "nobody was there", false, at(90));

    StoredRun run = fire(missed);

    assertThat(run)
        .isEqualTo(
            new StoredRun(
                missed.run(),
                reminder.id(),
                reminder.name(),
                at(60),
                "bot",
                RunStatus.FAILED,
                null,
                null,
                reminder.document(),
                0,
                "nobody was there",
                at(90),
                null,
                at(90),
                null,
                1));
    assertThat(run(run.id())).isEqualTo(run);
    assertThat(all(run)).isEmpty();
    assertThat(reminders().counts(run.id())).isEmpty();
    assertThat(reminders().active(Set.of("bot"))).isEmpty();
    assertThat(read(reminder.id()).nextFire()).isEqualTo(at(120));
    assertNothing(scheduled(reminder, at(60), null));
  }

  private static Firing alone(StoredReminder reminder, long second) {
    return new Firing(nextId(), reminder, at(second), null, false, null, true, at(second));
  }

  @Test
  void what_is_to_fire_alone_waits_for_the_end_of_the_run_before() {
    StoredReminder reminder = savedFor(60, 2);
    StoredReminder other = savedFor(60, 2);
    assertThat(reminders().going(reminder.id())).isEmpty();
    StoredRun before = fire(alone(reminder, 1));

    assertNothing(alone(reminder, 2));
    assertThat(reminders().going(reminder.id())).contains(before);
    assertThat(reminders().going(other.id())).isEmpty();
    assertThat(tryTo(alone(other, 2))).isPresent();
    assertThat(tryTo(byHand(reminder, at(3)))).as("does not mind").isPresent();
    before = become(before, RunStatus.PAUSED);
    assertNothing(alone(reminder, 4));

    reminders()
        .runs(RunFilter.of(reminder.id()), null, 9)
        .items()
        .forEach(it -> become(it, RunStatus.PARTIAL));
    assertThat(reminders().going(reminder.id())).isEmpty();
    assertThat(tryTo(alone(reminder, 5))).isPresent();
  }

  @Test
  void what_it_fires_with_is_frozen() {
    StoredReminder reminder = saved(target("ann"), target("ben"));
    StoredRun run = fire(reminder, 1);
    StoredReminder changed =
        new StoredReminder(
            reminder.id(), "new", "other", null, "new", 0, 1, reminder.createdAt(), at(5));

    done(reminders().save(changed, List.of(target("cid")), reminder.version()));

    assertThat(run(run.id())).isEqualTo(run);
    assertThat(all(run)).extracting(one -> one.target().to()).containsExactly("ann", "ben");
  }

  @Test
  void a_run_without_targets_is_its_reminders_account_to_end() {
    StoredRun run = fire(saved(0), 1);

    assertThat(run.total()).isZero();
    assertThat(reminders().counts(run.id())).isEmpty();
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of());
    assertThat(reminders().active(Set.of("bot"))).containsExactly(run);
    become(run, RunStatus.SUCCESS);
    assertThat(reminders().active(Set.of("bot"))).isEmpty();
  }
}
