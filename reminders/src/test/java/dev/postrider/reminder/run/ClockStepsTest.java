package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.reminder.config.DailyCeilings;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that is set, forward or back, holds no run up. */
class ClockStepsTest extends RunsBehaviour {
  private static final Duration SOON = seconds(15);

  private ReminderStore store() {
    return world.store().reminders();
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void a_run_keeps_its_pace_when_the_clock_is_set(int step) {
    settings = settings.with(s -> s.pace = Pace.perMinute(10).burst(1));
    start();
    UUID run = fire(notice(20));
    world.pass(seconds(9));
    assertThat(arrived()).hasSize(2);

    world.time.jump(minutes(step));
    world.pass(minutes(1));
    assertThat(arrived()).hasSizeBetween(10, 12);
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(20).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void a_run_that_another_node_has_begun_is_found_when_the_clock_was_set(int step) {
    start();
    StoredReminder reminder =
        store().reminder(reminders.create(notice(2)).id().value()).orElseThrow();
    world.pass(seconds(20));

    world.time.jump(minutes(step));
    Instant now = world.time.instant().plusMillis(1);
    world.time.await(
        store()
            .fire(
                new ReminderStore.Firing(
                    UUID.randomUUID(), reminder, now, null, false, null, false, now)));
    world.pass(SOON);

    assertThat(chats()).containsExactlyInAnyOrder("g0", "g1");
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void targets_follow_later_word_when_the_clock_was_set(int step) {
    world.platform.mood(
        dispatch -> FakeChannel.Reaction.of(Outcome.accepted("r-" + dispatch.to())));
    world.platform.hook(
        request ->
            new Hook.Answer.Genuine(
                List.of(),
                List.of(new DeliveryReport("r-g0", State.DELIVERED, world.time.instant(), "there")),
                Hook.Reply.OK));
    start();
    UUID run = fire(notice(1));
    world.pass(minutes(1));

    world.time.jump(minutes(step));
    world
        .postrider()
        .receive("bot", new Hook.Request("POST", Map.of(), Map.of(), new byte[0], Instant.EPOCH));
    world.pass(seconds(2));

    assertThat(targets(run).getFirst().status()).isEqualTo(TargetStatus.DELIVERED);
  }

  @Test
  void its_progress_is_told_when_the_clock_was_set_back() {
    pace(Pace.perSecond(1));
    start();
    fire(notice(60));
    world.pass(seconds(10));

    world.time.jump(minutes(-10));
    int told = world.events(Event.RunProgress.class).size();
    world.pass(seconds(20));

    assertThat(world.events(Event.RunProgress.class)).hasSizeGreaterThan(told + 10);
  }

  @Test
  void what_was_used_up_on_a_day_does_not_count_for_the_day_before() {
    settings =
        settings.with(
            s -> {
              s.zone = UTC;
              s.accounts = Map.of("bot", new DailyCeilings(5, null));
            });
    start();
    until("2026-01-06T00:00:10Z");
    UUID run = fire(notice(8));
    world.pass(minutes(1));
    assertThat(arrived()).hasSize(5);
    assertThat(Objects.requireNonNull(run(run).run().reason())).contains("all it may today");

    world.time.jump(minutes(-10));
    world.pass(minutes(1));

    assertThat(arrived()).hasSize(8);
  }
}
