package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that comes back from a backup sends nothing that may have been sent since. */
abstract class Restorations extends InboundStoreBehaviour {
  private static final long TAKEN = 100;
  private static final long BACK = 200;

  Restorations(StoreContract contract) {
    super(contract);
  }

  private Restoration restoration(boolean everything) {
    return store.restoration(at(TAKEN), at(BACK), everything).orElseThrow();
  }

  private static Restored finish(Restoration restoration) {
    Restored restored;
    do {
      restored = restoration.next();
    } while (!restored.finished());
    return restored;
  }

  /** Everything that may have been sent is held, and the store was opened again. */
  private Restored restore() {
    Restored restored = finish(restoration(false));
    if (remembers()) {
      reopen();
    }
    return restored;
  }

  private void assertHeld(StoredMessage message) {
    StoredMessage now = find(message.id());
    assertThat(now.status()).isEqualTo(Status.HELD);
    assertThat(now.reason()).isEqualTo("restored");
    assertThat(now.possibleDuplicate()).isTrue();
    assertThat(now.error()).contains(at(TAKEN).toString());
  }

  private List<QueueDepth> depths() {
    return done(store.depths());
  }

  // ---- messages

  @Test
  void what_waits_or_is_being_sent_is_held_and_what_has_ended_stays() {
    StoredMessage delivered = ended(to("ann"), Status.DELIVERED, at(1));
    StoredMessage failed = ended(to("ann"), Status.FAILED, at(2));
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));
    StoredMessage later = sending(to("bob"));
    settle(SettlementDraft.of(later, lease).again(at(BACK + 50)));
    done(store.pauseLane(new PausedLane("bot", "cy", "holidays", at(3))));
    StoredMessage paused = stored(to("cy"));

    Restored restored = restore();

    assertThat(List.of(sending, behind, later, paused)).allSatisfy(this::assertHeld);
    assertThat(find(delivered.id()).status()).isEqualTo(Status.DELIVERED);
    assertThat(find(failed.id()).reason()).isNotEqualTo("restored");
    assertThat(heads("bot")).isEmpty();
    assertThat(store.interrupted("bot")).isEmpty();
    assertThat(restored).isEqualTo(new Restored(at(TAKEN), at(BACK), true, 4, 0, 0, 0));
    assertThat(depths()).containsExactly(new QueueDepth("bot", 0, 5, 0, 0));
  }

  @Test
  void parts_that_were_delivered_stay_so() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));
    PartState first = PartState.PENDING.delivered(new Receipt("r", false));
    done(store.progress(sending, lease, sending.progress().with(0, first), null));

    restore();

    assertHeld(sending);
    assertThat(find(sending.id()).progress())
        .isEqualTo(new Progress(List.of(first, PartState.PENDING)));
  }

  @Test
  void what_was_not_due_yet_stays_and_is_sent_when_its_time_comes() {
    StoredMessage scheduled = stored(to("ann").due(at(BACK + 1)));
    StoredMessage loose = stored(to("bob").unordered().due(at(BACK + 1)));
    StoredMessage overdue = stored(to("ann").due(at(BACK)));
    StoredMessage looseAndDue = stored(to("bob").unordered());
    StoredMessage looseAndTried = sending(to("bob").unordered());

    Restored restored = restore();

    assertThat(List.of(overdue, looseAndDue, looseAndTried)).allSatisfy(this::assertHeld);
    assertThat(restored.held()).isEqualTo(3);
    assertThat(restored.scheduled()).isEqualTo(2);
    assertThat(depths()).containsExactly(new QueueDepth("bot", 2, 3, 0, 0));
    assertThat(done(store.enter("bot", scheduled.row(), at(BACK + 1)))).isPresent();
    assertThat(canReserve(scheduled, at(BACK + 1))).isTrue();
    assertThat(canReserve(loose, at(BACK + 1))).isTrue();
  }

  @Test
  void everything_is_held_if_that_is_wished() {
    StoredMessage scheduled = stored(to("ann").due(at(BACK + 1)));

    Restored restored = finish(restoration(true));

    assertHeld(scheduled);
    assertThat(restored.scheduled()).isZero();
  }

  @Test
  void dead_letters_end_in_the_order_of_their_lanes() {
    StoredMessage scheduled = stored(to("ann").due(at(9)).text("third"));
    stored(to("ann").text("first"));
    stored(to("ann").text("second"));
    done(store.enter("bot", scheduled.row(), at(10)));
    stored(to("ann").text("fourth"));

    restore();

    assertThat(byEnd())
        .extracting(message -> message.message().text())
        .containsExactly("first", "second", "third", "fourth");
  }

  private List<StoredMessage> byEnd() {
    List<StoredMessage> held =
        new ArrayList<>(store.list(MessageFilter.status(Status.HELD), null, 10_000).items());
    held.sort(Comparator.comparing(StoredMessage::endedAt));
    return held;
  }

  @Test
  void a_lane_begins_anew_and_replays_join_it_in_order() {
    List<MessageId> dead = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      dead.add(stored(to("ann").text("old " + i)).id());
    }
    restore();

    for (MessageId id : dead) {
      StoredMessage old = find(id);
      stored(MessageDraft.of(old.message()).at(at(BACK + 5)).replays(id).inDoubt());
    }
    stored(to("ann").at(at(BACK + 6)).text("new"));

    assertThat(drain("ann")).containsExactly("old 0", "old 1", "old 2", "new");
  }

  @Test
  void one_that_was_stopped_goes_on_where_it_was() {
    for (int i = 0; i < 2_500; i++) {
      store.accept(to("chat " + i % 7).build());
    }
    stored(to("ann").unordered());
    restoration(false).next();
    Restored half = restoration(false).next();
    assertThat(half.finished()).isFalse();
    assertThat(half.held()).isPositive().isLessThan(2_501);
    if (remembers()) {
      reopenWithoutLease();
      assertThat(store.restored()).contains(half);
    }

    Restored restored = finish(store.restoration(at(50), at(BACK + 9), false).orElseThrow());

    assertThat(restored).isEqualTo(new Restored(at(TAKEN), at(BACK), true, 2_501, 0, 0, 0));
    assertThat(depths()).containsExactly(new QueueDepth("bot", 0, 2_501, 0, 0));
    assertThat(byEnd()).extracting(StoredMessage::endedAt).doesNotHaveDuplicates();
  }

  // ---- what is known of it

  @Test
  void a_store_that_never_came_back_says_nothing() {
    assertThat(store.restored()).isEmpty();
  }

  @Test
  void it_is_undecided_until_everything_was_replayed_or_discarded() {
    StoredMessage one = stored(to("ann"));
    StoredMessage other = stored(to("bob"));
    ended(to("cy"), Status.FAILED, at(1)); // another matter
    Restored restored = restore();
    assertThat(store.restored()).contains(restored);
    assertThat(store.isUndecided(restored)).isTrue();

    stored(to("ann").at(at(BACK + 5)).replays(one.id()));
    assertThat(store.isUndecided(restored)).isTrue();
    assertThat(done(store.discard(other.id()))).isTrue();

    assertThat(store.isUndecided(restored)).isFalse();
  }

  @Test
  void the_last_time_counts() {
    stored(to("ann"));
    finish(restoration(false));
    stored(to("ann").at(at(BACK + 1)));

    Restored again = finish(store.restoration(at(BACK), at(BACK + 9), false).orElseThrow());

    assertThat(again).isEqualTo(new Restored(at(BACK), at(BACK + 9), true, 1, 0, 0, 0));
    assertThat(store.restored()).contains(again);
  }

  // ---- what would be sent by itself

  @Test
  void what_was_to_be_sent_again_by_itself_is_not() {
    StoredMessage sending = sending(to("ann"));
    PartState accepted = PartState.PENDING.delivered(new Receipt("r", true));
    settle(SettlementDraft.of(sending, lease).progress(new Progress(List.of(accepted))));
    done(
        store.report(
            "bot",
            List.of(new DeliveryReport("r", DeliveryReport.State.FAILED, at(7), "it is off")),
            OnReceiptFailed.RETRY,
            at(8)));
    assertThat(store.toRetry(null, 9)).hasSize(1);

    restore();

    assertThat(store.toRetry(null, 9)).isEmpty();
    assertThat(find(sending.id()).reason()).isEqualTo("receipt-failed");
  }

  @Test
  void runs_that_have_not_ended_are_paused_with_their_targets_as_they_are() {
    StoredRun waiting = fire(3, 1);
    StoredRun paused = become(fire(1, 2), RunStatus.PAUSED);
    StoredRun over = become(fire(1, 3), RunStatus.CANCELLED);

    Restored restored = restore();

    assertThat(restored.runs()).isEqualTo(2);
    for (StoredRun run : List.of(waiting, paused)) {
      StoredRun now = store.reminders().run(run.id()).orElseThrow();
      assertThat(now.status()).isEqualTo(RunStatus.PAUSED);
      assertThat(now.reason()).contains(at(TAKEN).toString());
      assertThat(now.version()).isEqualTo(run.version() + 1);
    }
    assertThat(store.reminders().run(over.id())).contains(over);
    assertThat(store.reminders().targets(waiting.id(), RunTargetFilter.ALL, null, 9).items())
        .extracting(RunTarget::status)
        .isEqualTo(Collections.nCopies(3, TargetStatus.PENDING));
  }

  private StoredRun fire(int targets, long second) {
    StoredReminder reminder = ReminderBehaviour.draft("bot", null, 0);
    assertThat(done(store.reminders().save(reminder, ReminderBehaviour.targets(targets), null)))
        .isTrue();
    StoredReminder saved = store.reminders().reminder(reminder.id()).orElseThrow();
    return done(store.reminders().fire(ReminderBehaviour.byHand(saved, at(second)))).orElseThrow();
  }

  private StoredRun become(StoredRun run, RunStatus status) {
    StoredRun changed =
        status.ended() ? run.ended(status, "over", at(9)) : run.with(status, "by hand", null);
    assertThat(done(store.reminders().update(changed))).isTrue();
    return store.reminders().run(run.id()).orElseThrow();
  }

  // ---- inbound messages

  @Test
  void inbound_messages_that_wait_or_are_handled_become_dead_letters() {
    InboundId handled = hear("s", 0);
    handled(handOut(handled, 1), 2);
    InboundId leased = hear("s", 3);
    StoredInbound given = handOut(leased, 4);
    InboundId behind = hear("s", 5);

    Restored restored = restore();

    assertThat(restored.inbound()).isEqualTo(2);
    for (InboundId id : List.of(leased, behind)) {
      assertThat(status(id)).isEqualTo(InboundStatus.FAILED);
      assertThat(event(id).handling().error()).contains(at(TAKEN).toString());
      assertThat(turn(id)).isEqualTo(TurnState.FAILED);
    }
    assertThat(status(handled)).isEqualTo(InboundStatus.HANDLED);
    assertThat(give(CompletionDraft.of(given).at(at(BACK + 1))).applied()).isFalse();
    assertThat(depths()).containsExactly(new QueueDepth("bot", 0, 0, 0, 2));
  }

  @Test
  void a_session_goes_on_with_what_comes_then() {
    hear("s", 0);
    hear("s", 1);
    restore();

    InboundId fresh = hear("s", BACK + 1);

    assertThat(handOutIds(BACK + 2)).containsExactly(fresh);
  }

  @Test
  void a_turn_whose_messages_are_held_ends_when_they_are_followed() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message = stored(answer(given.id()));

    restore();
    assertThat(turn(given.id())).isEqualTo(TurnState.OPEN);
    follow(message, BACK + 1);

    assertThat(turn(given.id())).isEqualTo(TurnState.FAILED);
  }

  // ---- elsewhere

  @Test
  void heads_of_other_accounts_are_held_too() {
    lease("other");
    StoredMessage message = accept(MessageDraft.to("other", "ann")).message();

    restore();

    assertHeld(message);
    assertThat(heads("other")).extracting(Head::row).isEmpty();
  }
}
