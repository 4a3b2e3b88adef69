package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Pace;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.estimate.FiringForecast;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.Cron;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is told of firings before they come, and of runs while they go, is what comes. */
class ForecastsTest extends RunsBehaviour {

  private List<FiringForecast> firings(Reminder.Builder draft) {
    return reminders.preview(draft).firings();
  }

  @Test
  void the_next_five_firings_are_told_in_local_time() {
    start();
    List<FiringForecast> firings = firings(notice(3).schedule(new Cron("0 12 * * *")));

    assertThat(firings).hasSize(5);
    assertThat(firings.getFirst().at().toString()).isEqualTo("2026-01-05T12:00Z[UTC]");
    assertThat(firings.getLast().at().toString()).isEqualTo("2026-01-09T12:00Z[UTC]");
    assertThat(firings.getFirst().note()).isEqualTo("All 3 are reached by 12:00.");
    assertThat(firings(notice(3))).isEmpty();
    assertThat(firings(notice(3).schedule(new Cron("0 12 * * *")).enabled(false))).isEmpty();
  }

  @Test
  void a_firing_shortly_before_closing_is_told_as_it_goes() {
    start();
    Reminder.Builder late =
        notice(1_000).window(Window.in(UTC)).schedule(new Cron("50 17 * * MON"));
    FiringForecast firing = firings(late).getFirst();
    assertThat(firing.fits()).isFalse();
    assertThat(firing.doneAt()).isNull();
    assertThat(firing.reached()).isEqualTo(404);
    assertThat(firing.note())
        .isEqualTo(
            "The window closes at 18:00: about 404 of 1,000 are reached, and the rest is skipped.");

    Reminder reminder = reminders.create(late);
    until("2026-01-05T18:01:00Z");
    UUID run =
        reminders.runs().list(RunFilter.of(reminder.id().value()), null, 1).items().getFirst().id();
    assertThat(run(run).sent()).isBetween(395, 404);
  }

  @Test
  void a_friday_does_not_fit_a_window_from_monday_to_thursday() {
    start();
    Window window = Window.in(UTC).on(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.THURSDAY));
    Reminder.Builder friday = notice(10).window(window).schedule(new Cron("0 9 * * FRI"));
    FiringForecast waits = firings(friday).getFirst();
    assertThat(waits.inWindow()).isFalse();
    assertThat(waits.startsAt()).isEqualTo(Instant.parse("2026-01-12T06:00:00Z"));
    assertThat(waits.note())
        .isEqualTo(
            "The window is closed then, and opens at Mon 12 Jan 06:00."
                + " All 10 are reached by Mon 12 Jan 06:00.");

    FiringForecast missed = firings(friday.afterClose(AfterClose.MISSED)).getFirst();
    assertThat(missed.fits()).isFalse();
    assertThat(missed.reached()).isZero();
    assertThat(missed.startsAt()).isNull();
    assertThat(missed.note()).contains("recorded as missed");
  }

  @Test
  void a_firing_that_comes_before_the_last_run_has_ended_is_told_as_skipped() {
    start();
    Reminder.Builder draft = notice(5_000).schedule(new Cron("0 * * * *"));

    assertThat(firings(draft))
        .extracting(FiringForecast::reached)
        .containsExactly(5_000L, 0L, 0L, 5_000L, 0L);
    assertThat(firings(draft).get(1).note()).contains("has not ended by then");
    assertThat(firings(draft.overlap(Overlap.ALLOW))).allMatch(FiringForecast::fits);
  }

  @Test
  void targets_with_hours_of_their_own_are_taken_into_account() {
    start();
    OwnHours tokyo = new OwnHours(ZoneId.of("Asia/Tokyo"), null, false);
    List<Target> targets =
        concat(
            groups(20),
            List.of(Target.to("t1").named("T").in(tokyo), Target.to("t2").named("T").in(tokyo)));
    FiringForecast firing =
        firings(
                notice(1)
                    .window(Window.in(UTC).between(TimeOfDay.of(9, 0), TimeOfDay.of(17, 0)))
                    .targets(targets)
                    .schedule(new Cron("0 12 * * *")))
            .getFirst();

    assertThat(firing.fits()).isTrue();
    assertThat(firing.inWindow()).isTrue();
    assertThat(firing.doneAt()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z")); // nine in Tokyo
  }

  // ---- the pace of runs

  @Test
  void a_run_is_held_to_the_pace_of_runs_also_where_the_account_is_faster() {
    world.account(
        account ->
            account.withPace(new dev.postrider.config.AccountPace(Pace.perSecond(80), null, null)));
    start();
    assertThat(reminders.preview(notice(1)).perMinute()).isEqualTo(40);
    fire(notice(400));
    world.pass(minutes(3));

    assertThat(mostWithin(minutes(1), arrived())).isLessThanOrEqualTo(45);
    assertThat(arrived()).hasSizeBetween(115, 126);
  }

  @Test
  void a_reminder_can_have_a_pace_of_its_own_below_that_of_the_account() {
    world.account(
        account ->
            account.withPace(
                new dev.postrider.config.AccountPace(Pace.perMinute(200), null, null)));
    start();
    assertThat(reminders.preview(notice(1).perMinute(120)).perMinute()).isEqualTo(120);
    assertThat(reminders.preview(notice(1).perMinute(900)).perMinute()).isEqualTo(200);
    fire(notice(1_000).perMinute(120));
    world.pass(minutes(3));

    assertThat(arrived()).hasSizeBetween(350, 366);
  }

  // ---- while it runs

  @Test
  void a_run_tells_how_far_it_will_get_and_when_it_ends() {
    start(); // at 09:00
    UUID run =
        fire(notice(1_000).window(Window.in(UTC).between(TimeOfDay.of(9, 0), TimeOfDay.of(9, 10))));
    world.pass(minutes(2));

    assertThat(run(run).eta()).isEqualTo(Instant.parse("2026-01-05T09:10:00Z"));
    assertThat(run(run).outlook()).matches("closes 09:10, about 4\\d\\d of 1,000");
    world.pass(minutes(10));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run(run).sent()).isBetween(395, 410);
    assertThat(run(run).outlook()).isNull();
    assertThat(reminders.runs().reasons(run)).hasSize(1);
    assertThat(reminders.runs().reasons(run).getFirst().reason())
        .isEqualTo("delivery window closed");
  }

  @Test
  void a_run_that_fits_tells_when_it_is_done() {
    start();
    UUID run = fire(notice(400).window(Window.in(UTC)));
    world.pass(minutes(1));

    assertThat(run(run).outlook()).matches("done about 09:(09|10), about 400 of 400");
  }
}
