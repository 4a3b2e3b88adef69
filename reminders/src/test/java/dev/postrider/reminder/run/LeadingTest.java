package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.config.Pace;
import dev.postrider.message.MessageId;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.Content;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs can be paused, resumed and cancelled at any moment, and survive the death of the process.
 */
class LeadingTest extends RunsBehaviour {

  @Test
  void a_paused_run_finishes_what_is_under_way_and_goes_on_when_it_is_resumed() {
    pace(Pace.perSecond(2));
    start();
    UUID run = fire(notice(40));
    world.pass(seconds(5));
    reminders.runs().pause(run, "the boss wants to look");
    world.pass(seconds(5));
    int sent = arrived().size();
    crashAndStart();
    world.pass(minutes(5));
    assertThat(arrived()).hasSize(sent);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run(run).run().reason()).isEqualTo("the boss wants to look");
    assertThat(run(run).sending()).isZero();

    reminders.runs().resume(run, ResumeScope.PENDING);
    world.pass(minutes(1));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void a_target_that_was_begun_and_that_nobody_sends_to_is_found_and_counted() {
    settings = settings.with(s -> s.pace = Pace.perMinute(1).burst(1));
    start();
    UUID run = fire(notice(2));
    assertThat(chats()).containsExactly("g0");
    Instant now = world.time.instant();
    var begun =
        world
            .store()
            .reminders()
            .begin(targets(run).getLast(), 1, LocalDate.ofInstant(now, UTC), null, now);
    assertThat(world.time.await(begun)).isEqualTo(ReminderStore.Begun.YES); // behind its back

    world.pass(seconds(15));

    assertThat(chats()).containsExactly("g0", "g1");
    expectRescued(1);
    world.pass(minutes(1));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void a_cancelled_run_sends_nothing_more_and_can_be_taken_up_again() {
    pace(Pace.perSecond(2));
    start();
    UUID run = fire(notice(40));
    world.pass(seconds(5));
    reminders.runs().cancel(run);
    world.pass(minutes(1));
    int sent = arrived().size();
    assertThat(sent).isLessThan(20);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.CANCELLED);
    assertThat(run(run).cancelled()).isEqualTo(40 - sent);
    assertThat(ends())
        .singleElement()
        .satisfies(end -> assertThat(end.status()).isEqualTo("cancelled"));
    assertThat(
            catchThrowableOfType(Refused.class, () -> reminders.runs().pause(run, "again")).why())
        .isEqualTo(Refused.Cause.CONFLICT);

    reminders.runs().resume(run, ResumeScope.PENDING);
    world.pass(minutes(1));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void only_those_that_failed_can_be_tried_again() {
    Set<String> bad = new HashSet<>(Set.of("g1", "g3"));
    start();
    world.platform.mood(
        request ->
            bad.contains(request.message().to())
                ? FakeChannel.Reaction.of(rejected())
                : world.platform.delivered());
    UUID run = fire(notice(5));
    world.pass(minutes(1));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    bad.clear();
    reminders.runs().resume(run, ResumeScope.FAILED);
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(5).doesNotHaveDuplicates();
    assertThat(
            catchThrowableOfType(
                    Refused.class, () -> reminders.runs().resume(run, ResumeScope.FAILED))
                .why())
        .isEqualTo(Refused.Cause.CONFLICT);
  }

  @Test
  void an_account_that_breaks_pauses_its_runs_until_it_works_again() {
    pace(Pace.perSecond(2));
    start();
    UUID run = fire(notice(20));
    world.pass(seconds(3));
    world.platform.then(FakeChannel.Reaction.of(new Outcome.AccountBroken("token revoked")));
    world.platform.probe(new Probe.Broken("token revoked"));
    world.pass(seconds(3));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run(run).run().reason()).contains("token revoked");
    assertThat(run(run).waitingFor()).isInstanceOf(WaitingFor.AccountBroken.class);
    world.platform.probe(new Probe.Healthy("bot"));
    world.pass(minutes(10));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void a_run_waits_while_its_account_is_paused() {
    pace(Pace.perSecond(2));
    start();
    UUID run = fire(notice(20));
    world.pass(seconds(3));
    world.postrider().pauseAccount("bot", "maintenance");
    world.pass(seconds(3));
    assertThat(run(run).waitingFor()).isInstanceOf(WaitingFor.AccountPaused.class);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.WAITING);
    assertThat(run(run).run().reason()).contains("paused");
    world.postrider().resumeAccount("bot");
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  // ---- the plug is pulled

  @Test
  void a_run_goes_on_after_the_plug_was_pulled_again_and_again() {
    pace(Pace.perSecond(5));
    start();
    UUID run = fire(notice(200).messages(List.of(Content.text("one"), Content.text("two"))));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 25; i++) {
      for (int step = random.nextInt(400); step > 0; step--) {
        world.time.step();
      }
      crashAndStart();
    }
    world.pass(minutes(10));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertEachMessageOnce(run, 2);
    assertThat(mostWithin(seconds(1), arrived())).isLessThanOrEqualTo(5 + 5 + 1);
  }

  /** No target has got more messages than there are, whatever was sent again in doubt. */
  private void assertEachMessageOnce(UUID run, int messages) {
    Map<String, Set<MessageId>> handedIn = new HashMap<>();
    for (FakeChannel.Request request : arrived()) {
      handedIn.computeIfAbsent(request.chat(), _ -> new HashSet<>()).add(request.id());
    }
    for (RunTarget target : targets(run)) {
      assertThat(target.status()).isEqualTo(TargetStatus.SENT);
      assertThat(target.messages()).hasSize(messages).doesNotHaveDuplicates();
      assertThat(handedIn.get(target.target().to()))
          .containsExactlyInAnyOrderElementsOf(target.messages());
    }
  }

  // ---- at random

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whatever_is_done_to_a_run_its_targets_add_up_and_nobody_gets_a_message_twice(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> bad = new HashSet<>();
    settings = settings.with(s -> s.errorRatio = 2);
    pace(Pace.perSecond(10));
    world.platform.mood(
        request ->
            bad.contains(request.message().to())
                ? FakeChannel.Reaction.of(rejected())
                : world.platform.delivered());
    start();
    UUID run = fire(notice(100));
    for (int i = 0; i < 60; i++) {
      world.pass(Duration.ofMillis(random.nextInt(1500)));
      if (random.nextInt(3) == 0) {
        bad.add("g" + random.nextInt(100));
      }
      lead(run, random.nextInt(6));
      assertAddsUp(run);
    }
    bad.clear();
    try {
      reminders.runs().resume(run, ResumeScope.ALL);
    } catch (Refused e) {
      assertThat(e.why()).isEqualTo(Refused.Cause.CONFLICT); // everybody was reached
    }
    world.pass(minutes(5));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(100).doesNotHaveDuplicates();
  }

  private void lead(UUID run, int what) {
    try {
      switch (what) {
        case 0 -> reminders.runs().pause(run, "at random");
        case 1 -> reminders.runs().resume(run, ResumeScope.PENDING);
        case 2 -> reminders.runs().resume(run, ResumeScope.FAILED);
        case 3 -> reminders.runs().resume(run, ResumeScope.ALL);
        case 4 -> reminders.runs().cancel(run);
        default -> {}
      }
    } catch (Refused e) {
      assertThat(e.why()).isEqualTo(Refused.Cause.CONFLICT);
    }
  }

  private void assertAddsUp(UUID id) {
    RunView run = run(id);
    assertThat(
            run.sent()
                + run.failed()
                + run.skipped()
                + run.cancelled()
                + run.pending()
                + run.sending())
        .isEqualTo(100);
    assertThat(chats()).doesNotHaveDuplicates();
  }
}
