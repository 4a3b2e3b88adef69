package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.store.Retention;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What platforms say of runs' messages is noted until the run has taken it in. */
abstract class RunReports extends ReminderBehaviour {
  RunReports(StoreContract contract) {
    super(contract);
  }

  private static MessageDraft ofRun(String chat) {
    return to(chat).with(message -> message.metadata(Map.of("run", "r1", "target", 0)));
  }

  private void settleAs(StoredMessage sending, String receipt) {
    PartState part = PartState.PENDING.delivered(new Receipt(receipt, true));
    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(new Progress(List.of(part))));
  }

  private StoredMessage accepted(MessageDraft draft, String receipt) {
    StoredMessage sending = sending(draft);
    settleAs(sending, receipt);
    return sending;
  }

  private void tell(String receipt, State state) {
    DeliveryReport report = new DeliveryReport(receipt, state, at(2), null);
    done(store.report("bot", List.of(report), OnReceiptFailed.DEAD_LETTER, at(2)));
  }

  private List<RunReport> reported() {
    return reminders().reported(Set.of("bot"), null, 99);
  }

  private List<MessageId> reportedOn() {
    return reported().stream().map(RunReport::message).toList();
  }

  @Test
  void word_on_a_message_of_a_run_is_noted_until_it_was_taken_in() {
    StoredMessage message = accepted(ofRun("ann"), "r");
    assertThat(reported()).isEmpty();

    tell("r", State.DELIVERED);
    assertThat(reportedOn()).containsExactly(message.id());
    tell("r", State.DELIVERED);
    assertThat(reported()).singleElement().satisfies(one -> assertThat(one.changes()).isOne());

    done(reminders().followed(reported()));
    assertThat(reported()).isEmpty();
    tell("r", State.FAILED);
    reopen();
    assertThat(reportedOn()).containsExactly(message.id());
  }

  @Test
  void word_that_comes_while_it_is_taken_in_is_not_forgotten() {
    accepted(ofRun("ann"), "r");
    tell("r", State.SENT);
    List<RunReport> read = reported();

    tell("r", State.READ);
    done(reminders().followed(read));

    assertThat(reported()).hasSize(1);
    done(reminders().followed(reported()));
    assertThat(reported()).isEmpty();
  }

  @Test
  void word_that_is_faster_than_our_own_outcome_is_noted_when_the_message_is_known() {
    StoredMessage sending = sending(ofRun("ann"));
    tell("r", State.READ);
    assertThat(reported()).isEmpty();

    settleAs(sending, "r");

    assertThat(reportedOn()).containsExactly(sending.id());
  }

  @Test
  void only_messages_of_runs_are_noted_and_each_account_is_given_its_own() {
    accepted(to("ann"), "alone");
    StoredMessage ours = accepted(ofRun("ben"), "ours");
    tell("alone", State.READ);
    tell("ours", State.READ);

    assertThat(reportedOn()).containsExactly(ours.id());
    assertThat(reminders().reported(Set.of("other", "nobody"), null, 9)).isEmpty();
    assertThat(reminders().reported(Set.of(), null, 9)).isEmpty();
  }

  @Test
  void notes_are_read_page_by_page_and_go_with_their_message() {
    for (int i = 0; i < 5; i++) {
      accepted(ofRun("chat" + i), "r" + i);
      tell("r" + i, State.SENT);
    }

    List<RunReport> first = reminders().reported(Set.of("bot"), null, 2);
    List<RunReport> rest = reminders().reported(Set.of("bot"), first.getLast().row(), 9);
    assertThat(first).hasSize(2);
    assertThat(rest).hasSize(3).doesNotContainAnyElementsOf(first);

    done(store.prune(new Retention(at(10), at(10), at(10)), 99));
    assertThat(reported()).isEmpty();
  }

  // ---- targets

  @Test
  void a_target_follows_if_it_is_as_it_was_read() {
    StoredRun run = running(2);
    RunTarget begun = begun(run, 0);
    assertThatThrownBy(() -> done(reminders().follow(begun, TargetStatus.READ, 0, null)))
        .isInstanceOf(IllegalArgumentException.class);
    settle(begun, TargetStatus.SENT);
    RunTarget sent = target(run, 0);

    assertThat(done(reminders().follow(sent, TargetStatus.DELIVERED, 0, null))).isTrue();
    assertThat(done(reminders().follow(sent, TargetStatus.READ, 0, null))).as("stale").isFalse();
    RunTarget delivered = target(run, 0);
    assertThat(delivered.status()).isEqualTo(TargetStatus.DELIVERED);
    assertThat(delivered.endedAt()).isEqualTo(sent.endedAt());
    assertThat(done(reminders().follow(delivered, TargetStatus.FAILED, 1, "131026"))).isTrue();

    RunTarget failed = target(run, 0);
    assertThat(failed.status()).isEqualTo(TargetStatus.FAILED);
    assertThat(failed.error()).isEqualTo("131026");
    assertThat(failed.step()).isOne();
    assertThat(reminders().counts(run.id()))
        .containsOnly(Map.entry(TargetStatus.PENDING, 1), Map.entry(TargetStatus.FAILED, 1));
    assertThat(done(reminders().revive(run.id(), Set.of(TargetStatus.FAILED), 9))).isOne();
  }

  @Test
  void a_chat_that_has_got_or_read_it_is_known() {
    StoredRun run = running(saved(target("a"), target("b"), target("c")), 1);
    for (int n = 0; n < 3; n++) {
      end(run, n, TargetStatus.SENT);
    }
    done(reminders().follow(target(run, 1), TargetStatus.DELIVERED, 0, null));
    done(reminders().follow(target(run, 2), TargetStatus.READ, 0, null));

    assertThat(reminders().known("bot", List.of("a", "b", "c", "d")))
        .containsExactlyInAnyOrder("a", "b", "c");
  }
}
