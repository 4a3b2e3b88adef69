package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.Content;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs follow what platforms say of their messages later. */
class LaterWordTest extends RunsBehaviour {

  @BeforeEach
  void acceptAndReport() {
    world.platform.mood(dispatch -> accepted(dispatch.id()));
    world.platform.hook(
        request -> {
          String[] words = request.text().split(" ", 3);
          return new Hook.Answer.Genuine(
              List.of(),
              List.of(
                  new DeliveryReport(
                      words[0], State.valueOf(words[1]), world.time.instant(), words[2])),
              Hook.Reply.OK);
        });
  }

  private static FakeChannel.Reaction accepted(MessageId message) {
    return FakeChannel.Reaction.of(Outcome.accepted("r-" + message));
  }

  private void hear(MessageId message, State state) {
    report(message, state);
    world.time.settle();
  }

  private void report(MessageId message, State state) {
    String body = "r-" + message + " " + state + " 131026: not on WhatsApp";
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH));
  }

  private void hear(RunTarget target, State state) {
    target.messages().forEach(message -> hear(message, state));
  }

  private RunTarget target(UUID run, int n) {
    return targets(run).get(n);
  }

  @Test
  void a_run_whose_messages_all_failed_by_webhook_has_failed_and_can_be_retried() {
    start();
    UUID run = fire(notice(2));
    world.pass(seconds(30));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);

    hear(target(run, 0), State.FAILED);
    hear(target(run, 1), State.FAILED);
    world.pass(seconds(20));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.FAILED);
    assertThat(run(run).run().summary()).isEqualTo("0 of 2 delivered, 2 failed.");
    assertThat(run(run).failed()).isEqualTo(2);
    assertThat(run(run).sent()).isZero();
    assertThat(targets(run))
        .allSatisfy(
            target -> {
              assertThat(target.status()).isEqualTo(TargetStatus.FAILED);
              assertThat(target.error()).isEqualTo("131026: not on WhatsApp");
            });
    assertThat(ends()).first().matches(end -> end.before() == null);
    assertThat(ends())
        .last()
        .matches(end -> end.status().equals("failed") && end.before().equals("success"));
    reminders.runs().resume(run, ResumeScope.FAILED);
    world.pass(seconds(30));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).containsExactlyInAnyOrder("g0", "g1", "g0", "g1");
  }

  @Test
  void too_many_that_failed_by_webhook_pause_a_run() {
    settings = settings.with(s -> s.errorSample = 10);
    world.platform.mood(
        dispatch -> {
          world.time.after(minutes(1), () -> report(dispatch.id(), State.FAILED));
          return accepted(dispatch.id());
        });
    start();
    UUID run = fire(notice(500));
    world.pass(minutes(5));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run(run).run().reason()).contains("of the last 10 targets failed");
    assertThat(run(run).pending()).isPositive();
  }

  @Test
  void one_that_failed_of_many_makes_the_run_partial_and_only_that_one_is_sent_again() {
    start();
    UUID run = fire(notice(3));
    world.pass(seconds(30));

    hear(target(run, 1), State.FAILED);
    world.pass(seconds(20));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run(run).run().summary()).isEqualTo("2 of 3 delivered, 1 failed.");
    reminders.runs().resume(run, ResumeScope.FAILED);
    world.pass(seconds(30));
    assertThat(chats().subList(3, 4)).containsExactly("g1");
    assertThat(chats()).hasSize(4);
  }

  @Test
  void targets_go_on_to_delivered_and_read_and_count_as_sent_all_the_same() {
    start();
    UUID run = fire(notice(3));
    world.pass(seconds(30));

    hear(target(run, 0), State.DELIVERED);
    hear(target(run, 1), State.READ);
    hear(target(run, 1), State.DELIVERED);
    world.pass(seconds(20));

    assertThat(targets(run))
        .extracting(RunTarget::status)
        .containsExactly(TargetStatus.DELIVERED, TargetStatus.READ, TargetStatus.SENT);
    assertThat(run(run).sent()).isEqualTo(3);
    assertThat(run(run).delivered()).isEqualTo(2);
    assertThat(run(run).read()).isOne();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(ends()).hasSize(1);
    assertThat(
            catchThrowableOfType(
                    Refused.class, () -> reminders.runs().resume(run, ResumeScope.FAILED))
                .why())
        .isEqualTo(Refused.Cause.CONFLICT);
  }

  @Test
  void a_target_of_two_messages_is_where_the_one_is_that_got_least_far() {
    start();
    UUID run = fire(notice(1).messages(List.of(Content.text("one"), Content.text("two"))));
    world.pass(minutes(2));
    List<MessageId> messages = target(run, 0).messages();

    hear(messages.get(0), State.READ);
    world.pass(seconds(20));
    assertThat(target(run, 0).status()).isEqualTo(TargetStatus.SENT);
    hear(messages.get(1), State.DELIVERED);
    world.pass(seconds(20));

    assertThat(target(run, 0).status()).isEqualTo(TargetStatus.DELIVERED);
  }

  @Test
  void a_retry_sends_the_message_that_failed_and_not_the_one_that_arrived_after_it() {
    start();
    UUID run = fire(notice(1).messages(List.of(Content.text("one"), Content.text("two"))));
    world.pass(minutes(2));

    hear(target(run, 0).messages().getFirst(), State.FAILED);
    world.pass(seconds(20));
    reminders.runs().resume(run, ResumeScope.FAILED);
    world.pass(minutes(2));

    assertThat(arrived())
        .extracting(FakeChannel.Request::text)
        .containsExactly("one", "two", "one");
    assertThat(target(run, 0).status()).isEqualTo(TargetStatus.SENT);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void word_that_was_not_taken_in_before_a_crash_is_taken_in_after_it() {
    start();
    UUID run = fire(notice(2));
    world.pass(seconds(30));

    RunTarget first = target(run, 0);
    hear(first, State.FAILED); // stored; the run is looked at a second later
    world.crash();
    start();
    world.pass(seconds(20));

    assertThat(target(run, 0).status()).isEqualTo(TargetStatus.FAILED);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    crashAndStart();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
  }

  @Test
  void word_while_the_run_still_sends_counts_when_it_ends() {
    pace(Pace.perSecond(1));
    start();
    UUID run = fire(notice(20));
    world.pass(seconds(5));
    RunTarget first = targets(run, TargetStatus.SENT).getFirst();

    hear(first, State.FAILED);
    world.pass(seconds(3));
    assertThat(target(run, first.n()).status()).isEqualTo(TargetStatus.FAILED);
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(run(run).failed()).isOne();
    assertThat(ends()).hasSize(1);
  }

  @Test
  void word_that_is_faster_than_the_end_of_the_target_is_not_lost() {
    world.platform.mood(
        dispatch -> {
          report(dispatch.id(), State.READ);
          return accepted(dispatch.id());
        });
    start();

    UUID run = fire(notice(2));
    world.pass(seconds(40));

    assertThat(targets(run)).extracting(RunTarget::status).containsOnly(TargetStatus.READ);
  }

  @Test
  void a_failure_that_is_only_recorded_leaves_the_run_as_it_is() {
    world.account(
        account ->
            account.withDelivery(
                account.delivery().with(s -> s.onReceiptFailed = OnReceiptFailed.RECORD)));
    start();
    UUID run = fire(notice(2));
    world.pass(seconds(30));

    hear(target(run, 0), State.FAILED);
    world.pass(seconds(20));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(targets(run)).extracting(RunTarget::status).containsOnly(TargetStatus.SENT);
  }

  @Test
  void a_target_whose_message_was_sent_again_follows_that_one() {
    world.account(
        account ->
            account.withDelivery(
                account.delivery().with(s -> s.onReceiptFailed = OnReceiptFailed.RETRY)));
    start();
    UUID run = fire(notice(2));
    world.pass(seconds(30));

    hear(target(run, 0), State.FAILED);
    world.pass(seconds(3));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    world.pass(seconds(30));
    MessageId first = target(run, 0).messages().getFirst();
    MessageId again = world.message(first).replayedAs();
    assertThat(again).isNotNull();
    hear(again, State.DELIVERED);
    world.pass(seconds(20));

    assertThat(target(run, 0).status()).isEqualTo(TargetStatus.DELIVERED);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(3);
  }
}
