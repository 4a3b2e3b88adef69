package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Pace;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.time.Cron;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing is sent outside the window, and schedules fire once. */
class WindowsTest extends RunsBehaviour {

  private static Window nineToTen(ZoneId zone) {
    return Window.in(zone).between(TimeOfDay.of(9, 0), TimeOfDay.of(10, 0));
  }

  @Test
  void a_window_that_closes_ends_the_run_and_says_so() {
    start(); // at 09:00
    UUID run = fire(notice(3_000).window(nineToTen(UTC)));
    world.pass(Duration.ofHours(2));

    int sent = arrived().size();
    assertThat(sent).isBetween(2_350, 2_450);
    assertThat(arrived())
        .allSatisfy(
            request -> assertThat(request.at()).isBefore(Instant.parse("2026-01-05T10:00:00Z")));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run(run).skipped()).isEqualTo(3_000 - sent);
    assertThat(targets(run, TargetStatus.SKIPPED))
        .allSatisfy(target -> assertThat(target.error()).isEqualTo("delivery window closed"));
    assertThat(ends().getFirst().summary())
        .isEqualTo(
            "Delivery window closed at 10:00 (UTC). "
                + sent
                + " of 3000 groups delivered. This account is at capacity for this fan-out —"
                + " consider sending the remainder from another paired account.");
  }

  @Test
  void outside_its_window_a_run_waits_for_it_to_open() {
    start();
    UUID run =
        fire(notice(10).window(Window.in(UTC).between(TimeOfDay.of(12, 0), TimeOfDay.of(13, 0))));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.WAITING);
    assertThat(run(run).run().until()).isEqualTo(Instant.parse("2026-01-05T12:00:00Z"));
    assertThat(run(run).waitingFor())
        .isEqualTo(
            new WaitingFor.Window(
                Instant.parse("2026-01-05T12:00:00Z"), null, "the delivery window is closed"));
    world.pass(Duration.ofHours(4));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(arrived().getFirst().at()).isEqualTo(Instant.parse("2026-01-05T12:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({
    "Asia/Kuala_Lumpur, 2026-03-07",
    "America/New_York, 2026-03-07", // clocks go forward in the night
    "America/New_York, 2026-10-31", // and back
    "Europe/London, 2026-03-28",
    "Europe/London, 2026-10-24",
    "Australia/Lord_Howe, 2026-04-04", // by half an hour
    "Australia/Lord_Howe, 2026-10-03"
  })
  void a_run_that_resumes_goes_on_when_the_window_opens_next(String name, String day) {
    ZoneId zone = ZoneId.of(name);
    pace(Pace.perMinute(1));
    LocalDateTime nine = LocalDateTime.parse(day + "T09:00");
    world.time.jump(Duration.between(world.time.instant(), nine.atZone(zone).toInstant()));
    start();
    UUID run = fire(notice(100).zone(zone).window(nineToTen(zone).resuming()));
    world.pass(Duration.ofHours(30));

    Instant closes = nine.plusHours(1).atZone(zone).toInstant();
    Instant opens = nine.plusDays(1).atZone(zone).toInstant();
    Instant end = nine.plusDays(1).plusHours(1).atZone(zone).toInstant();
    assertThat(arrived())
        .allSatisfy(
            request ->
                assertThat(
                        request.at().isBefore(closes)
                            || (!request.at().isBefore(opens) && request.at().isBefore(end)))
                    .isTrue());
    Request first =
        arrived().stream().filter(r -> !r.at().isBefore(opens)).findFirst().orElseThrow();
    assertThat(first.at()).isEqualTo(opens);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(100).doesNotHaveDuplicates();
  }

  // ---- firing

  @Test
  void a_schedule_fires_once_for_each_of_its_instants() {
    start();
    Reminder reminder = reminders.create(notice(2).schedule(new Cron("0 12 * * *")));
    until("2026-01-07T13:00:00Z");

    assertThat(reminders.runs().list(RunFilter.of(reminder.id().value()), null, 10).items())
        .extracting(run -> run.instant().toString())
        .containsExactly("2026-01-07T12:00:00Z", "2026-01-06T12:00:00Z", "2026-01-05T12:00:00Z");
    assertThat(chats()).hasSize(6);
  }

  @Test
  void a_firing_that_was_missed_comes_late_within_the_grace() {
    start();
    reminders.create(notice(2).schedule(new Cron("0 12 * * *")));
    world.crash();
    world.time.jump(Duration.ofHours(3).plusMinutes(40));
    start();
    world.pass(minutes(1));

    assertThat(chats()).hasSize(2);
    assertThat(reminders.runs().list(RunFilter.ALL, null, 10).items()).hasSize(1);
  }

  @Test
  void a_firing_that_was_missed_by_far_is_recorded_as_missed() {
    start();
    reminders.create(notice(2).schedule(new Cron("0 12 * * *")));
    world.crash();
    world.time.jump(Duration.ofDays(3));
    start();
    world.pass(minutes(1));

    assertThat(chats()).isEmpty();
    assertThat(reminders.runs().list(RunFilter.ALL, null, 10).items())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.status()).isEqualTo(RunStatus.FAILED);
              assertThat(run.summary()).startsWith("Missed: it was due at 2026-01-07T12:00");
            });
    until("2026-01-08T12:01:00Z");
    assertThat(chats()).hasSize(2);
  }

  @Test
  void a_run_whose_time_is_over_skips_the_rest() {
    pace(Pace.perMinute(10));
    start();
    UUID run = fire(notice(100).expiresIn(minutes(5)));
    world.pass(minutes(10));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(targets(run, TargetStatus.SKIPPED))
        .allSatisfy(target -> assertThat(target.error()).isEqualTo("the run's time was over"));
    assertThat(arrived().getLast().at()).isBefore(Instant.parse("2026-01-05T09:05:00Z"));
  }

  @Test
  void what_was_queued_when_the_window_closed_is_no_dead_letter() {
    pace(Pace.perMinute(1));
    start();
    fire(notice(100).window(nineToTen(UTC)));
    world.pass(Duration.ofHours(2));

    assertThat(world.postrider().stats().deadLetters()).isZero();
    assertThat(List.of(world.postrider().stats().queued())).containsExactly(0L);
  }
}
