package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageId;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a target: begun, told of each message it has got, ended or put back. */
abstract class RunTargets extends ReminderBehaviour {
  RunTargets(StoreContract contract) {
    super(contract);
  }

  private static RunTarget as(
      RunTarget target,
      TargetStatus status,
      int step,
      List<MessageId> messages,
      @Nullable String error) {
    return new RunTarget(
        target.run(),
        target.n(),
        target.target(),
        status,
        step,
        target.tries(),
        messages,
        error,
        target.beganAt(),
        status.ended() ? at(20) : null);
  }

  // ---- beginning

  @Test
  void a_pending_target_is_begun_and_has_one_more_try() {
    StoredRun run = running(2);
    RunTarget pending = target(run, 0);

    assertThat(begin(pending)).isEqualTo(Begun.YES);

    RunTarget begun =
        new RunTarget(
            run.id(),
            0,
            pending.target(),
            TargetStatus.SENDING,
            0,
            1,
            List.of(),
            null,
            at(10),
            null);
    assertThat(target(run, 0)).isEqualTo(begun);
    assertThat(statuses(run)).containsExactly(TargetStatus.SENDING, TargetStatus.PENDING);
    reopen();
    assertThat(target(run, 0)).isEqualTo(begun);
    assertThat(reminders().sending("bot")).containsExactly(begun);
  }

  @Test
  void what_has_begun_is_not_begun_again() {
    StoredRun run = running(1);
    RunTarget pending = target(run, 0);
    RunTarget begun = begun(run, 0);

    assertThat(begin(pending)).isEqualTo(Begun.STALE);
    assertThat(begin(begun)).isEqualTo(Begun.STALE);

    assertThat(target(run, 0)).isEqualTo(begun);
    assertThat(sent()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = TargetStatus.class,
      names = {"SENT", "FAILED", "SKIPPED", "CANCELLED"})
  void what_has_ended_is_not_begun(TargetStatus status) {
    StoredRun run = running(1);
    RunTarget pending = target(run, 0);
    end(run, 0, status);
    RunTarget ended = target(run, 0);

    assertThat(begin(pending)).isEqualTo(Begun.STALE);
    assertThat(begin(ended)).isEqualTo(Begun.STALE);
    assertThat(target(run, 0)).isEqualTo(ended);
  }

  @Test
  void a_target_that_was_put_back_is_begun_by_who_has_seen_that() {
    StoredRun run = running(1);
    RunTarget first = target(run, 0);
    settle(begun(run, 0), TargetStatus.PENDING);
    RunTarget again = target(run, 0);

    assertThat(begin(first)).isEqualTo(Begun.STALE);
    assertThat(target(run, 0)).isEqualTo(again);
    assertThat(begin(again)).isEqualTo(Begun.YES);
    assertThat(target(run, 0).tries()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(RunStatus.class)
  void only_targets_of_a_run_that_runs_are_begun(RunStatus status) {
    StoredRun run = become(running(1), status);

    Begun begun = begin(target(run, 0));

    boolean runs = status == RunStatus.RUNNING;
    assertThat(begun).isEqualTo(runs ? Begun.YES : Begun.STALE);
    assertThat(statuses(run)).containsExactly(runs ? TargetStatus.SENDING : TargetStatus.PENDING);
    assertThat(sent()).isEqualTo(runs ? 1 : 0);
  }

  @Test
  void a_target_that_is_not_there_is_not_begun() {
    StoredRun run = running(1);
    RunTarget known = target(run, 0);
    RunTarget elsewhere =
        new RunTarget(
            nextId(), 0, known.target(), TargetStatus.PENDING, 0, 0, List.of(), null, null, null);
    RunTarget beyond =
        new RunTarget(
            run.id(), 1, known.target(), TargetStatus.PENDING, 0, 0, List.of(), null, null, null);

    assertThat(begin(elsewhere)).isEqualTo(Begun.STALE);
    assertThat(begin(beyond)).isEqualTo(Begun.STALE);
    assertThat(sent()).isZero();
  }

  // ---- the day

  @Test
  void a_day_takes_as_much_as_its_ceiling_and_not_more() {
    StoredRun run = running(3);
    assertThat(begin(target(run, 0), 3, 5)).isEqualTo(Begun.YES);
    RunTarget second = target(run, 1);

    assertThat(begin(second, 3, 5)).isEqualTo(Begun.FULL);

    assertThat(target(run, 1)).isEqualTo(second);
    assertThat(sent()).isEqualTo(3);
    assertThat(begin(second, 2, 5)).isEqualTo(Begun.YES);
    assertThat(sent()).isEqualTo(5);
    assertThat(begin(target(run, 2), 1, 5)).isEqualTo(Begun.FULL);
    assertThat(begin(target(run, 2), 1, null)).isEqualTo(Begun.YES);
    assertThat(sent()).isEqualTo(6);
  }

  @Test
  void a_target_that_no_day_has_room_for_is_not_begun() {
    StoredRun run = running(1);

    assertThat(begin(target(run, 0), 2, 1)).isEqualTo(Begun.FULL);
    assertThat(begin(target(run, 0), 1, 0)).isEqualTo(Begun.FULL);

    assertThat(statuses(run)).containsExactly(TargetStatus.PENDING);
    assertThat(sent()).isZero();
  }

  @Test
  void days_and_accounts_have_ceilings_of_their_own() {
    StoredRun run = running(saved(target("ann"), target("ben"), target("other", "cid")), 1);
    assertThat(begin(target(run, 0), 2, 2)).isEqualTo(Begun.YES);

    assertThat(done(reminders().begin(target(run, 1), 2, DAY.plusDays(1), 2, at(10))))
        .isEqualTo(Begun.YES);
    assertThat(begin(target(run, 2), 1, 2)).isEqualTo(Begun.YES);

    assertThat(sent()).isEqualTo(2);
    assertThat(reminders().sentOn("bot", DAY.plusDays(1))).isEqualTo(2);
    assertThat(reminders().sentOn("bot", DAY.minusDays(1))).isZero();
    assertThat(reminders().sentOn("other", DAY)).isEqualTo(1);
    assertThat(reminders().sentOn("nobody", DAY)).isZero();
    reopen();
    assertThat(sent()).isEqualTo(2);
  }

  @Test
  void what_was_counted_stays_counted_whatever_came_of_it() {
    StoredRun run = running(2);
    begin(target(run, 0), 3, null);
    settle(target(run, 0), TargetStatus.PENDING);
    begin(target(run, 1), 3, null);
    settle(target(run, 1), TargetStatus.FAILED);

    assertThat(sent()).isEqualTo(6);
  }

  @Test
  void who_comes_too_late_hears_that_and_not_that_the_day_is_full() {
    StoredRun run = running(1);
    RunTarget pending = target(run, 0);
    begun(run, 0);

    assertThat(begin(pending, 9, 1)).isEqualTo(Begun.STALE);
  }

  // ---- going on

  @Test
  void a_target_advances_message_by_message() {
    StoredRun run = running(2);
    RunTarget begun = begun(run, 1);
    List<MessageId> messages = messages(2);

    assertThat(done(reminders().advance(begun, 1, messages.subList(0, 1)))).isTrue();
    assertThat(target(run, 1))
        .isEqualTo(as(begun, TargetStatus.SENDING, 1, messages.subList(0, 1), null));
    assertThat(done(reminders().advance(begun, 2, messages))).isTrue();

    RunTarget advanced = as(begun, TargetStatus.SENDING, 2, messages, null);
    assertThat(target(run, 1)).isEqualTo(advanced);
    assertThat(target(run, 0).step()).isZero();
    reopen();
    assertThat(target(run, 1)).isEqualTo(advanced);
  }

  @ParameterizedTest
  @EnumSource(
      value = TargetStatus.class,
      names = {"SENDING"},
      mode = EnumSource.Mode.EXCLUDE)
  void a_target_is_settled_with_what_it_has_got(TargetStatus status) {
    StoredRun run = running(2);
    RunTarget begun = begun(run, 0);
    List<MessageId> messages = messages(3);

    assertThat(done(reminders().settle(begun, status, 2, messages, "why 😀", at(20)))).isTrue();

    assertThat(target(run, 0)).isEqualTo(as(begun, status, 2, messages, "why 😀"));
    assertThat(statuses(run)).containsExactly(status, TargetStatus.PENDING);
    assertThat(reminders().sending("bot")).isEmpty();
  }

  @Test
  void an_error_that_is_over_is_forgotten() {
    StoredRun run = running(1);
    settle(begun(run, 0), TargetStatus.PENDING);
    assertThat(target(run, 0).error()).isEqualTo("because");

    settle(begun(run, 0), TargetStatus.SENT);

    assertThat(target(run, 0).error()).isNull();
  }

  @Test
  void what_is_said_of_another_try_changes_nothing() {
    StoredRun run = running(1);
    RunTarget pending = target(run, 0);
    RunTarget first = begun(run, 0);
    settle(first, TargetStatus.PENDING);
    RunTarget again = target(run, 0);
    assertStale(first, again);

    RunTarget second = begun(run, 0);
    assertStale(first, second);
    assertStale(pending, second);
    assertThat(settle(second, TargetStatus.SENT)).isTrue();
    assertStale(second, target(run, 0));
  }

  private void assertStale(RunTarget said, RunTarget is) {
    assertThat(done(reminders().advance(said, 9, messages(1)))).isFalse();
    for (TargetStatus status : TargetStatus.values()) {
      if (status != TargetStatus.SENDING) {
        assertThat(done(reminders().settle(said, status, 9, messages(1), "late", at(99))))
            .isFalse();
      }
    }
    assertThat(reminders().targets(is.run(), RunTargetFilter.ALL, null, 9).items())
        .containsExactly(is);
  }

  @Test
  void a_target_that_is_under_way_goes_on_while_its_run_does_not_run() {
    for (RunStatus status : RunStatus.values()) {
      StoredRun run = running(1);
      RunTarget begun = begun(run, 0);
      become(run, status);

      assertThat(done(reminders().advance(begun, 1, messages(1)))).isTrue();
      assertThat(settle(begun, TargetStatus.SENT)).isTrue();
    }
  }

  @Test
  void nothing_is_settled_as_being_sent_to() {
    RunTarget begun = begun(running(1), 0);

    assertThatThrownBy(() -> settle(begun, TargetStatus.SENDING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sending");
  }
}
