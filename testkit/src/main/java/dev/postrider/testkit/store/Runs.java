package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs: changed by whoever has seen them as they are, listed, found while they have not ended. */
abstract class Runs extends ReminderBehaviour {
  Runs(StoreContract contract) {
    super(contract);
  }

  private static StoredRun everythingChanged(StoredRun run) {
    return new StoredRun(
        run.id(),
        nextId(),
        "another name",
        at(999),
        "another account",
        RunStatus.PAUSED,
        "a reason",
        at(77),
        "another document",
        999,
        "a summary",
        at(999),
        at(5),
        at(6),
        at(7),
        run.version());
  }

  @Test
  void how_it_stands_is_stored_and_what_it_is_stays() {
    StoredRun run = fire(saved(2), 1);

    assertThat(done(reminders().update(everythingChanged(run)))).isTrue();

    StoredRun expected =
        new StoredRun(
            run.id(),
            run.reminder(),
            run.name(),
            run.instant(),
            run.account(),
            RunStatus.PAUSED,
            "a reason",
            at(77),
            run.document(),
            2,
            "a summary",
            run.createdAt(),
            at(5),
            at(6),
            at(7),
            run.version() + 1);
    assertThat(run(run.id())).isEqualTo(expected);
    reopen();
    assertThat(run(run.id())).isEqualTo(expected);
  }

  @Test
  void what_is_gone_is_forgotten() {
    StoredRun run = fire(saved(2), 1);
    done(reminders().update(everythingChanged(run)));
    StoredRun read = run(run.id());
    StoredRun bare =
        new StoredRun(
            run.id(),
            run.reminder(),
            run.name(),
            run.instant(),
            run.account(),
            RunStatus.RUNNING,
            null,
            null,
            run.document(),
            2,
            null,
            run.createdAt(),
            null,
            null,
            null,
            read.version());

    assertThat(done(reminders().update(bare))).isTrue();

    assertThat(run(run.id()).reason()).isNull();
    assertThat(run(run.id()).until()).isNull();
    assertThat(run(run.id()).summary()).isNull();
    assertThat(run(run.id()).startedAt()).isNull();
    assertThat(run(run.id()).endedAt()).isNull();
    assertThat(run(run.id()).resumedAt()).isNull();
  }

  @Test
  void who_has_not_seen_the_last_change_changes_nothing() {
    StoredRun first = fire(saved(2), 1);
    StoredRun second = become(first, RunStatus.RUNNING);

    assertThat(done(reminders().update(everythingChanged(first)))).isFalse();
    assertThat(run(first.id())).isEqualTo(second);
    assertThat(reminders().active(Set.of("bot"))).containsExactly(second);
  }

  @Test
  void a_run_that_is_not_there_is_not_changed() {
    StoredRun run = fire(saved(2), 1);
    StoredRun unknown =
        new StoredRun(
            nextId(),
            run.reminder(),
            run.name(),
            run.instant(),
            run.account(),
            RunStatus.RUNNING,
            null,
            null,
            run.document(),
            2,
            null,
            run.createdAt(),
            null,
            null,
            null,
            1);

    assertThat(done(reminders().update(unknown))).isFalse();
    assertThat(reminders().run(unknown.id())).isEmpty();
  }

  // ---- active ones

  private List<UUID> active(String... accounts) {
    return reminders().active(Set.of(accounts)).stream().map(StoredRun::id).toList();
  }

  @ParameterizedTest
  @EnumSource(RunStatus.class)
  void a_run_is_active_until_it_ends(RunStatus status) {
    StoredRun run = fire(saved(2), 1);

    StoredRun changed = become(run, status);

    assertThat(reminders().active(Set.of("bot")))
        .isEqualTo(status.ended() ? List.of() : List.of(changed));
  }

  @Test
  void a_run_that_goes_on_after_its_end_is_active_again() {
    StoredRun run = fire(saved(2), 1);
    become(run, RunStatus.PARTIAL);
    assertThat(active("bot")).isEmpty();

    become(run, RunStatus.WAITING);

    assertThat(active("bot")).containsExactly(run.id());
  }

  @Test
  void active_runs_are_those_with_targets_of_these_accounts_oldest_first() {
    StoredReminder split = saved(target("one", "ann"), target("two", "ben"), target("one", "cid"));
    UUID second = fire(split, 2).id();
    UUID third = fire(split, 3).id();
    UUID first = fire(saved(target("two", "ann")), 1).id();
    UUID ended = fire(split, 4).id();
    become(run(ended), RunStatus.CANCELLED);

    assertThat(active("one")).containsExactly(second, third);
    assertThat(active("two")).containsExactly(first, second, third);
    assertThat(active("one", "two", "nobody")).containsExactly(first, second, third);
    assertThat(active("bot")).as("has no target of theirs").isEmpty();
    assertThat(active()).isEmpty();
  }

  // ---- lists

  private List<UUID> listed(@Nullable UUID reminder, int limit) {
    return listed(new RunFilter(reminder, Set.of()), limit);
  }

  private List<UUID> listed(RunFilter filter, int limit) {
    List<UUID> ids = new ArrayList<>();
    Page<StoredRun> page = reminders().runs(filter, null, limit);
    page.items().forEach(one -> ids.add(one.id()));
    while (page.next() != null) {
      page = reminders().runs(filter, page.next(), limit);
      page.items().forEach(one -> ids.add(one.id()));
    }
    return ids;
  }

  @Test
  void runs_are_listed_newest_first_page_by_page() {
    StoredReminder one = saved(1);
    StoredReminder other = saved(1);
    UUID second = fire(one, 2).id();
    UUID third = fire(other, 3).id();
    UUID first = fire(one, 1).id();
    UUID alsoThird = fire(one, 3).id(); // has the higher id
    become(run(second), RunStatus.FAILED);

    for (int limit : List.of(1, 2, 3, 4, 100)) {
      assertThat(listed(RunFilter.ALL, limit)).containsExactly(alsoThird, third, second, first);
      assertThat(listed(one.id(), limit)).containsExactly(alsoThird, second, first);
      assertThat(listed(other.id(), limit)).containsExactly(third);
      assertThat(listed(nextId(), limit)).isEmpty();
    }
  }

  @Test
  void runs_are_listed_by_where_they_stand() {
    StoredReminder one = saved(1);
    StoredReminder other = saved(1);
    UUID waits = fire(one, 1).id();
    UUID runs = become(fire(other, 2), RunStatus.RUNNING).id();
    UUID failed = become(fire(one, 3), RunStatus.FAILED).id();
    UUID paused = become(fire(other, 4), RunStatus.PAUSED).id();
    UUID alsoWaits = fire(other, 5).id();
    Set<RunStatus> underWay = Set.of(RunStatus.WAITING, RunStatus.RUNNING, RunStatus.PAUSED);

    for (int limit : List.of(1, 2, 3, 4, 100)) {
      assertThat(listed(new RunFilter(null, underWay), limit))
          .containsExactly(alsoWaits, paused, runs, waits);
      assertThat(listed(new RunFilter(null, Set.of(RunStatus.WAITING)), limit))
          .containsExactly(alsoWaits, waits);
      assertThat(listed(new RunFilter(one.id(), underWay), limit)).containsExactly(waits);
      assertThat(listed(new RunFilter(one.id(), Set.of(RunStatus.FAILED)), limit))
          .containsExactly(failed);
      assertThat(listed(new RunFilter(null, Set.of(RunStatus.SUCCESS)), limit)).isEmpty();
    }
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    UUID run = fire(saved(1), 1).id();
    assertThatThrownBy(() -> reminders().runs(RunFilter.ALL, "x", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'x'");
    assertThatThrownBy(() -> reminders().targets(run, RunTargetFilter.ALL, "x", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'x'");
  }
}
