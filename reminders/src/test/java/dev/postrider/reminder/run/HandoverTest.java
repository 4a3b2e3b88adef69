package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Outcome;
import dev.postrider.config.Pace;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rest of a run can be sent through another account; nobody gets it twice or not at all. */
class HandoverTest extends RunsBehaviour {

  private void twoAccounts() {
    pace(Pace.perMinute(60));
    accounts("second");
  }

  private List<String> by(String account) {
    return arrived().stream()
        .filter(request -> request.account().equals(account))
        .map(Request::chat)
        .toList();
  }

  @Test
  void what_a_window_has_cut_off_is_sent_through_another_account() {
    twoAccounts();
    start(); // at 09:00
    UUID run =
        fire(notice(300).window(Window.in(UTC).between(TimeOfDay.of(9, 0), TimeOfDay.of(9, 2))));
    world.pass(minutes(5));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    int first = by("bot").size();

    reminders.runs().resume(run, ResumeScope.PENDING, "second");
    until("2026-01-06T09:05:00Z");

    assertThat(by("bot")).hasSize(first);
    assertThat(by("second")).isNotEmpty();
    assertThat(chats()).doesNotHaveDuplicates();
    assertThat(arrived()).allSatisfy(it -> assertThat(it.text()).startsWith("Hello Team"));
    assertThat(targets(run, TargetStatus.SENT)).hasSize(chats().size());
  }

  @Test
  void a_run_that_is_going_changes_its_account_and_nobody_gets_it_twice_over_a_crash() {
    twoAccounts();
    start();
    UUID run = fire(notice(120));
    world.pass(seconds(20));
    reminders.runs().resume(run, ResumeScope.PENDING, "second");
    world.time.settle();
    crashAndStart();
    world.pass(seconds(10));
    crashAndStart();
    world.pass(minutes(5));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(120).doesNotHaveDuplicates();
    assertThat(by("second")).hasSizeGreaterThan(80);
    assertThat(targets(run))
        .filteredOn(target -> by("second").contains(target.target().to()))
        .allSatisfy(target -> assertThat(target.target().account()).isEqualTo("second"));
  }

  @Test
  void what_is_on_its_way_stays_with_the_old_account() {
    twoAccounts();
    start();
    world.platform.mood(_ -> world.platform.delivered().taking(Duration.ofSeconds(30)));
    UUID run = fire(notice(10));
    world.pass(seconds(5));
    List<String> underWay =
        targets(run, TargetStatus.SENDING).stream().map(it -> it.target().to()).toList();
    assertThat(underWay).isNotEmpty();

    reminders.runs().resume(run, ResumeScope.PENDING, "second");
    world.pass(minutes(10));

    assertThat(chats()).hasSize(10).doesNotHaveDuplicates();
    assertThat(by("bot")).containsExactlyInAnyOrderElementsOf(underWay);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void those_that_failed_are_tried_by_the_other_account_and_what_they_have_got_stays() {
    twoAccounts();
    start();
    world.platform.mood(
        request ->
            request.message().account().equals("bot")
                ? FakeChannel.Reaction.of(
                    new Outcome.Rejected(Outcome.Blame.TARGET, "chat not found"))
                : world.platform.delivered());
    UUID run = fire(notice(5));
    world.pass(minutes(1));
    assertThat(run(run).failed()).isEqualTo(5);

    reminders.runs().resume(run, ResumeScope.FAILED, "second");
    world.pass(minutes(1));

    assertThat(by("second")).hasSize(5).doesNotHaveDuplicates();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(targets(run)).extracting(RunTarget::error).containsOnlyNulls();
  }

  @Test
  void an_account_that_cannot_take_over_is_refused_with_the_reason() {
    twoAccounts();
    start();
    UUID run = fire(notice(200));
    world.pass(seconds(5));

    assertThat(refusal(run, "secnd")).hasMessageContaining("second");
    assertThat(refusal(run, "bot")).hasMessageContaining("already");
    assertThat(run(run).run().status()).isEqualTo(RunStatus.RUNNING);
  }

  private Refused refusal(UUID run, String account) {
    return catchThrowableOfType(
        Refused.class, () -> reminders.runs().resume(run, ResumeScope.PENDING, account));
  }
}
