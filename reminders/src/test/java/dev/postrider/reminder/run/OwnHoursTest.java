package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowDraft;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Targets may have a time zone and a window of their own; a run ends when all have ended. */
class OwnHoursTest extends RunsBehaviour {
  private static final OwnHours TOKYO = new OwnHours(ZoneId.of("Asia/Tokyo"), null, false);
  private static final OwnHours NEW_YORK = new OwnHours(ZoneId.of("America/New_York"), null, false);
  private static final OwnHours EVENING =
      new OwnHours(null, new WindowDraft("20:00", "21:00", null, null), false);

  private static Target target(String chat, OwnHours hours) {
    return Target.to(chat).named(chat).in(hours);
  }

  /** From nine to ten; the clock stands at nine when the tests begin. */
  private static Reminder.Builder mixed(Target... targets) {
    return notice(1)
        .window(Window.in(UTC).between(TimeOfDay.of(9, 0), TimeOfDay.of(10, 0)))
        .targets(concat(groups(2), List.of(targets)));
  }

  private Instant sentAt(String chat) {
    return arrived().stream()
        .filter(request -> request.chat().equals(chat))
        .map(Request::at)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void each_target_is_sent_to_in_its_own_hours_and_the_run_ends_with_the_last() {
    start();
    UUID run =
        fire(
            mixed(
                target("tokyo", TOKYO),
                target("york", NEW_YORK),
                target("evening", EVENING),
                target("any", new OwnHours(null, null, true))));
    world.pass(minutes(30));
    assertThat(chats()).containsExactlyInAnyOrder("g0", "g1", "any");
    until("2026-01-05T10:30:00Z");
    assertThat(run(run).run().status()).isEqualTo(RunStatus.WAITING);
    assertThat(run(run).run().until()).isEqualTo(Instant.parse("2026-01-05T14:00:00Z"));
    crashAndStart();
    until("2026-01-06T02:00:00Z");

    assertThat(sentAt("york")).isEqualTo(Instant.parse("2026-01-05T14:00:00Z"));
    assertThat(sentAt("evening")).isEqualTo(Instant.parse("2026-01-05T20:00:00Z"));
    assertThat(sentAt("tokyo")).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(run(run).run().endedAt()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    assertThat(chats()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void those_whose_window_has_closed_are_skipped_while_the_others_wait() {
    settings = settings.with(s -> s.pace = dev.postrider.config.Pace.perMinute(1).burst(1));
    start();
    List<Target> targets =
        concat(groups(100), List.of(target("york", NEW_YORK), target("york2", NEW_YORK)));
    UUID run = fire(mixed().targets(targets));
    until("2026-01-05T11:00:00Z");
    assertThat(run(run).skipped()).isEqualTo(40);
    assertThat(run(run).pending()).isEqualTo(2);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.WAITING);
    until("2026-01-05T16:00:00Z");

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run(run).sent()).isEqualTo(62);
    assertThat(run(run).run().summary())
        .isEqualTo("62 of 102 delivered, 40 skipped (delivery window closed).");
    assertThat(targets(run, TargetStatus.SKIPPED)).hasSize(40);
  }

  @Test
  void of_two_open_windows_the_one_that_closes_first_goes_first() {
    settings = settings.with(s -> s.pace = dev.postrider.config.Pace.perMinute(60).burst(1));
    start();
    OwnHours soon = new OwnHours(null, new WindowDraft("09:00", "09:01", null, null), false);
    UUID run = fire(mixed(target("soon1", soon), target("soon2", soon)));
    world.pass(minutes(5));

    assertThat(chats().subList(0, 2)).containsExactlyInAnyOrder("soon1", "soon2");
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void hours_are_kept_with_their_targets() {
    start();
    Reminder reminder =
        reminders.create(mixed(target("a", TOKYO), target("b", EVENING), target("c", TOKYO)));

    Reminder read = reminders.find(reminder.id()).orElseThrow();
    assertThat(read).isEqualTo(reminder);
    assertThat(read.targets()).extracting(Target::to).containsExactly("g0", "g1", "a", "c", "b");
    assertThat(read.targets())
        .extracting(Target::hours)
        .containsExactly(null, null, TOKYO, TOKYO, EVENING);
    assertThat(reminders.targets(reminder.id(), "2", 2).items())
        .isEqualTo(read.targets().subList(2, 4));
  }

  @Test
  void a_run_that_has_nothing_left_in_a_closed_window_does_not_wait_for_it() {
    start();
    UUID run = fire(mixed(target("york", NEW_YORK)));
    until("2026-01-05T14:01:00Z");

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(run(run).run().endedAt()).isEqualTo(Instant.parse("2026-01-05T14:00:00Z"));
  }
}
