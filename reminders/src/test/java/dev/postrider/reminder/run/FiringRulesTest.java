package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.config.Pace;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.Cron;
import dev.postrider.reminder.time.Once;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredRun;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When a reminder fires and when it does not, and what a run remembers when it is taken up. */
class FiringRulesTest extends RunsBehaviour {

  private static final Window NOON =
      Window.in(UTC).between(TimeOfDay.of(12, 0), TimeOfDay.of(13, 0));

  private List<StoredRun> runs(Reminder reminder) {
    return reminders.runs().list(RunFilter.of(reminder.id().value()), null, 99).items();
  }

  // ---- the usual window

  @Test
  void a_reminder_that_says_nothing_of_a_window_has_the_usual_one() {
    start();
    Reminder.Builder plain =
        Reminder.named("plain")
            .account("bot")
            .zone(UTC)
            .targets(groups(1))
            .messages(notice(1).build(ids(), Instant.EPOCH).messages());
    Reminder reminder = reminders.create(plain);

    assertThat(reminder.window()).isEqualTo(Window.in(UTC));
    assertThat(reminders.find(reminder.id()).orElseThrow()).isEqualTo(reminder);
    Reminder anyHour = reminders.create(notice(1));
    assertThat(reminders.find(anyHour.id()).orElseThrow().window()).isNull();
  }

  private static dev.postrider.reminder.ReminderId ids() {
    return new dev.postrider.reminder.ReminderId(new UUID(1, 2));
  }

  @Test
  void what_was_stored_without_a_window_before_there_was_a_usual_one_still_means_any_hour() {
    FrozenReminder script = FrozenReminder.of(notice(1).build(ids(), Instant.EPOCH));
    String now = ScriptJson.write(script);
    String before =
        now.replace("\"window\":\"none\",", "")
            .replace("\"afterClose\":\"wait\",\"overlap\":\"refuse\",", "");

    assertThat(before).isNotEqualTo(now).doesNotContain("window", "overlap");
    assertThat(ScriptJson.read(before)).isEqualTo(script);
    assertThat(ScriptJson.read(now)).isEqualTo(script);
  }

  // ---- a closed window

  @Test
  void a_firing_while_the_window_is_closed_waits_or_is_recorded_as_missed() {
    start();
    Reminder waits = reminders.create(notice(2).window(NOON).schedule(new Cron("0 10 * * *")));
    Reminder missed =
        reminders.create(
            notice(2).window(NOON).schedule(new Cron("0 10 * * *")).afterClose(AfterClose.MISSED));
    until("2026-01-05T10:01:00Z");

    assertThat(runs(waits)).extracting(StoredRun::status).containsExactly(RunStatus.WAITING);
    assertThat(runs(missed)).extracting(StoredRun::status).containsExactly(RunStatus.FAILED);
    assertThat(runs(missed).getFirst().summary())
        .isEqualTo("Missed: it was due at 2026-01-05T10:00, while the delivery window was closed.");
    until("2026-01-05T12:01:00Z");
    assertThat(runs(waits).getFirst().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(2);
    assertThat(reminders.fire(missed.id()).run().status())
        .as("by hand it waits")
        .isEqualTo(RunStatus.WAITING);
  }

  // ---- overlapping runs

  @Test
  void a_reminder_does_not_fire_again_while_a_run_of_it_has_not_ended() {
    pace(Pace.perMinute(1));
    start();
    Reminder reminder = reminders.create(notice(100).schedule(new Cron("0 10 * * *")));
    UUID going = reminders.fire(reminder.id()).run().id();
    world.time.settle();

    assertThat(catchThrowableOfType(Refused.class, () -> reminders.fire(reminder.id())))
        .hasMessageContaining("run " + going)
        .hasMessageContaining("\"overlap\": \"allow\"")
        .satisfies(refused -> assertThat(refused.why()).isEqualTo(Refused.Cause.CONFLICT));
    until("2026-01-05T10:01:00Z");
    assertThat(runs(reminder)).hasSize(2);
    assertThat(runs(reminder).getFirst().status()).isEqualTo(RunStatus.FAILED);
    assertThat(runs(reminder).getFirst().summary())
        .isEqualTo("Skipped: it was due at 2026-01-05T10:00, and run %s had not ended.", going);

    reminders.runs().cancel(going);
    world.time.settle();
    assertThat(reminders.fire(reminder.id()).total()).isEqualTo(100);
    assertThat(
            catchThrowableOfType(
                    Refused.class, () -> reminders.runs().resume(going, ResumeScope.PENDING))
                .why())
        .isEqualTo(Refused.Cause.CONFLICT);
  }

  @Test
  void runs_of_a_reminder_may_overlap_if_it_says_so() {
    pace(Pace.perMinute(1));
    start();
    Reminder reminder = reminders.create(notice(100).overlap(Overlap.ALLOW));
    reminders.fire(reminder.id());
    world.pass(seconds(1));
    reminders.fire(reminder.id());

    assertThat(runs(reminder)).hasSize(2).noneMatch(run -> run.status().ended());
  }

  // ---- enabled or not

  @Test
  void a_disabled_reminder_does_not_fire_by_its_schedule_but_by_hand() {
    start();
    Reminder reminder = reminders.create(notice(1).schedule(new Cron("0 10 * * *")));
    Reminder disabled = reminders.enable(reminder.id(), false);
    assertThat(disabled.nextFiring(world.time.instant())).isEmpty();
    until("2026-01-05T11:00:00Z");
    assertThat(chats()).isEmpty();
    reminders.fire(reminder.id());
    world.pass(minutes(1));
    assertThat(chats()).hasSize(1);

    reminders.enable(reminder.id(), true);
    until("2026-01-06T10:01:00Z");
    assertThat(chats()).hasSize(2);
    assertThat(reminders.find(reminder.id()).orElseThrow().targets()).hasSize(1);
  }

  @Test
  void a_reminder_whose_schedule_is_over_cannot_be_enabled() {
    start();
    Reminder once =
        reminders.create(
            notice(1).schedule(new Once(LocalDateTime.parse("2026-01-05T10:00"))).enabled(false));
    until("2026-01-05T11:00:00Z");

    assertThat(
            catchThrowableOfType(InvalidInput.class, () -> reminders.enable(once.id(), true))
                .first()
                .field())
        .isEqualTo("schedule");
  }

  // ---- taken up again

  @Test
  void a_run_keeps_its_beginning_when_it_is_resumed_and_gets_an_opening_of_its_own() {
    pace(Pace.perMinute(10));
    world.time.jump(minutes(180)); // to 12:00
    start();
    UUID run = fire(notice(1_500).window(NOON));
    until("2026-01-05T14:00:00Z");
    StoredRun ended = run(run).run();
    assertThat(ended.status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(ended.startedAt()).isEqualTo("2026-01-05T12:00:00Z");
    int first = chats().size();

    reminders.runs().resume(run, ResumeScope.PENDING);
    until("2026-01-06T12:30:00Z");
    assertThat(run(run).run().status()).isEqualTo(RunStatus.RUNNING);
    crashAndStart();
    until("2026-01-06T13:30:00Z");
    StoredRun again = run(run).run();
    assertThat(again.status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(again.startedAt()).isEqualTo(ended.startedAt());
    assertThat(again.resumedAt()).isEqualTo("2026-01-05T14:00:00Z");
    assertThat(chats()).hasSizeGreaterThan(first + 500).doesNotHaveDuplicates();
  }

  @Test
  void a_cancelled_run_keeps_showing_what_was_done() {
    pace(Pace.perSecond(1));
    start();
    UUID run = fire(notice(40));
    world.pass(seconds(10));
    reminders.runs().cancel(run);
    world.pass(minutes(1));

    RunView view = run(run);
    assertThat(view.total()).isEqualTo(40);
    assertThat(view.sent()).isEqualTo(chats().size()).isPositive();
    assertThat(view.sent() + view.cancelled()).isEqualTo(40);
    assertThat(view.run().startedAt()).isEqualTo("2026-01-05T09:00:00Z");
  }
}
