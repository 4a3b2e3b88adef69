package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reminders, runs, targets and days are taken out of a store and put into another. */
abstract class ReminderExports extends ReminderBehaviour {
  private final StoreContract contract;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private Store other;

  ReminderExports(StoreContract contract) {
    super(contract);
    this.contract = contract;
  }

  @BeforeEach
  void openOther() {
    other = contract.open(folder.resolve("other"), time);
  }

  @AfterEach
  void closeOther() {
    other.close();
  }

  private void move() {
    Exports.copy(store, other);
  }

  private static List<RunTarget> targets(Store of, StoredRun run) {
    return of.reminders().targets(run.id(), RunTargetFilter.ALL, null, 99).items();
  }

  @Test
  void everything_moves_as_it_is() {
    StoredReminder first = saved(target("a"), target("b"), target("other", "c"), target("d"));
    StoredReminder second = save(draft("other", at(60), 5), List.of());
    done(reminders().save(first, List.of(target("z")), first.version()));
    StoredReminder third = saved(5);
    StoredRun running = running(third, 1);
    end(running, 0, TargetStatus.SENT);
    end(running, 1, TargetStatus.FAILED);
    done(reminders().advance(begun(running, 2), 1, messages(1)));
    StoredRun ended = become(fire(third, 2), RunStatus.SUCCESS);
    StoredRun empty = fire(saved(0), 3);

    move();

    ReminderStore there = other.reminders();
    assertThat(there.reminders(null, null, 99)).isEqualTo(reminders().reminders(null, null, 99));
    assertThat(there.targets(first.id(), 0, 9)).containsExactly(target("z"));
    assertThat(there.targets(third.id(), 0, 9)).isEqualTo(targets(5));
    assertThat(there.runs(RunFilter.ALL, null, 99))
        .isEqualTo(reminders().runs(RunFilter.ALL, null, 99));
    for (StoredRun run : List.of(running, ended, empty)) {
      assertThat(targets(other, run)).isEqualTo(all(run));
      assertThat(there.counts(run.id())).isEqualTo(reminders().counts(run.id()));
    }
    assertThat(there.active(Set.of("bot", "other")))
        .isEqualTo(reminders().active(Set.of("bot", "other")))
        .extracting(StoredRun::id)
        .containsExactly(running.id(), empty.id());
    assertThat(there.due(Set.of("other"), at(60), 9)).containsExactly(second);
    assertThat(there.known("bot", List.of("chat-0", "chat-1"))).containsExactly("chat-0");
    assertThat(Exports.lines(other, Kind.SENT_ON_DAY))
        .hasSize(1)
        .isEqualTo(Exports.lines(store, Kind.SENT_ON_DAY));
    assertThat(there.sentOn("bot", DAY)).isEqualTo(3);
  }

  @Test
  void what_moved_goes_on() {
    StoredRun run = running(saved(target("a"), target("other", "b")), 1);
    RunTarget begun = begun(run, 0);

    move();

    ReminderStore there = other.reminders();
    assertThat(there.sending("bot")).containsExactly(begun);
    assertThat(done(there.settle(begun, TargetStatus.SENT, 1, messages(1), null, at(20)))).isTrue();
    assertThat(done(there.begin(targets(other, run).get(1), 1, DAY, null, at(20))))
        .isEqualTo(ReminderStore.Begun.YES);
    StoredRun read = there.run(run.id()).orElseThrow();
    assertThat(done(there.update(with(read, RunStatus.SUCCESS, at(21))))).isTrue();
    assertThat(there.active(Set.of("bot", "other"))).isEmpty();
  }

  @Test
  void what_is_there_already_stays_as_it_is() {
    StoredReminder reminder = saved(2);
    StoredRun run = running(reminder, 1);
    move();
    ReminderStore there = other.reminders();
    StoredReminder moved = there.reminder(reminder.id()).orElseThrow();
    done(there.save(moved, targets(1), moved.version()));
    done(there.begin(targets(other, run).getFirst(), 3, DAY, null, at(20)));
    StoredReminder changed = there.reminder(reminder.id()).orElseThrow();
    List<RunTarget> targets = targets(other, run);
    end(run, 1, TargetStatus.SENT);

    move();

    assertThat(there.reminder(reminder.id())).contains(changed);
    assertThat(there.targets(reminder.id(), 0, 9)).isEqualTo(targets(1));
    assertThat(targets(other, run)).isEqualTo(targets);
    assertThat(there.sentOn("bot", DAY)).isEqualTo(3);
  }

  @Test
  void a_run_for_an_instant_that_has_one_there_stays_behind() {
    StoredReminder reminder = saved(2);
    StoredRun here = fire(reminder, 1);
    done(other.reminders().save(reminder, targets(2), null));
    StoredRun there = done(other.reminders().fire(byHand(reminder, at(1)))).orElseThrow();

    move();

    assertThat(other.reminders().runs(RunFilter.ALL, null, 9).items()).containsExactly(there);
    assertThat(targets(other, here)).isEmpty();
    assertThat(targets(other, there)).hasSize(2);
  }
}
