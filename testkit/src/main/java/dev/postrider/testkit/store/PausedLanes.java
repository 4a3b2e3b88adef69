package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.SessionKey;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What waits in a paused lane is not due, and costs those that are due nothing; when the lane is
 * resumed, it is due at once, whatever has happened meanwhile.
 */
abstract class PausedLanes extends StoreBehaviour {
  PausedLanes(StoreContract contract) {
    super(contract);
  }

  private void pause(String chat) {
    done(store.pauseLane(new PausedLane("bot", chat, "why", at(1))));
  }

  private void resume(String chat) {
    assertThat(done(store.resumeLane("bot", chat))).isTrue();
  }

  @Test
  void paused_lanes_cost_nothing() {
    List<CompletableFuture<?>> writes = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      writes.add(store.accept(to("paused" + i).build()));
      writes.add(store.pauseLane(new PausedLane("bot", "paused" + i, "why", at(1))));
    }
    writes.forEach(this::done);
    StoredMessage free = stored(to("free").at(at(5)));
    StoredMessage later = stored(to("later").at(at(20)));

    List<Head> page = done(store.due("bot", Priority.LIVE, at(9), null, 1));

    assertThat(page).extracting(Head::row).containsExactly(free.row());
    assertThat(done(store.due("bot", Priority.LIVE, at(9), page.getFirst(), 1))).isEmpty();
    assertThat(done(store.nextDue("bot", at(0)))).contains(at(5));
    assertThat(done(store.nextDue("bot", at(9)))).contains(later.dueAt());
  }

  @Test
  void a_paused_lane_is_still_seen_by_whoever_looks_at_what_waits() {
    StoredMessage first = stored(to("ann"));
    accept(to("ann"));
    pause("ann");

    assertThat(store.oldestDue("bot", at(9))).contains(at(0));
    assertThat(store.oldestWaiting("bot")).contains(at(0));
    for (boolean byAge : List.of(true, false)) {
      assertThat(store.lanes(new LaneFilter("bot", null, byAge), null, 9).items())
          .containsExactly(
              new LaneView("bot", "ann", 2, true, "why", first.id(), Status.QUEUED, at(0)));
    }
  }

  @Test
  void a_resumed_lane_is_due_at_once() {
    StoredMessage first = stored(to("ann"));
    accept(to("ann"));
    StoredMessage loose = stored(to("ann").unordered());
    pause("ann");
    pause("ann");
    assertThat(headRows()).isEmpty();
    assertThat(canReserve(first, at(9))).isFalse();

    resume("ann");

    assertThat(headRows()).containsExactly(first.row(), loose.row());
    assertThat(canReserve(first, at(9))).isTrue();
  }

  @Test
  void a_pause_is_of_one_lane_of_one_account() {
    lease("other");
    StoredMessage ben = stored(to("ben"));
    StoredMessage other = stored(MessageDraft.to("other", "ann"));

    pause("ann");

    assertThat(headRows()).containsExactly(ben.row());
    assertThat(heads("other")).extracting(Head::row).containsExactly(other.row());
    assertThat(accept(to("cid").reserve(leave(at(0)))).reserved()).isTrue();
  }

  @Test
  void what_is_accepted_into_a_paused_lane_is_neither_due_nor_reserved() {
    pause("ann");

    AcceptResult.Stored first = accept(to("ann").reserve(leave(at(0))));
    AcceptResult.Stored second = accept(to("ann"));
    AcceptResult.Stored loose = accept(to("ann").unordered().reserve(leave(at(0))));
    assertThat(List.of(first.reserved(), loose.reserved())).containsOnly(false);
    assertThat(List.of(first, second, loose)).allMatch(stored -> stored.head() == null);
    assertThat(headRows()).isEmpty();

    resume("ann");
    assertThat(headRows()).containsExactly(first.message().row(), loose.message().row());
    deliver(reserve(first.message(), at(9)), at(9));
    assertThat(headRows()).contains(second.message().row());
  }

  @Test
  void what_was_under_way_when_its_lane_was_paused_comes_back_to_a_paused_lane() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage loose = sending(to("ann").unordered());
    pause("ann");
    settle(SettlementDraft.of(sending, lease).again(at(3)).at(at(2)));
    settle(SettlementDraft.of(loose, lease).again(at(3)).at(at(2)));
    assertThat(headRows()).isEmpty();

    resume("ann");

    assertThat(headRows()).containsExactlyInAnyOrder(sending.row(), loose.row());
  }

  @Test
  void what_was_under_way_when_its_lane_was_resumed_comes_back_to_a_lane_that_goes_on() {
    StoredMessage sending = sending(to("ann"));
    pause("ann");
    resume("ann");

    settle(SettlementDraft.of(sending, lease).again(at(3)).at(at(2)));

    assertThat(headRows()).containsExactly(sending.row());
  }

  @Test
  void the_next_of_a_paused_lane_waits_at_its_head() {
    StoredMessage first = sending(to("ann"));
    StoredMessage second = stored(to("ann"));
    StoredMessage third = stored(to("ann"));
    pause("ann");

    SettleResult settled = settle(SettlementDraft.of(first, lease).at(at(2)).then(leave(at(2))));
    assertThat(settled).isEqualTo(new SettleResult(true, null, null));
    assertThat(headRows()).isEmpty();
    assertThat(status(second)).isEqualTo(Status.QUEUED);

    OperationResult cancelled = done(store.cancel(second.id(), at(3)));
    assertThat(cancelled.applied()).isTrue();
    assertThat(cancelled.next()).isNull();
    assertThat(headRows()).isEmpty();

    resume("ann");
    assertThat(headRows()).containsExactly(third.row());
  }

  @Test
  void what_expires_in_a_paused_lane_makes_way_for_the_next() {
    accept(to("ann").expires(at(5)));
    StoredMessage second = stored(to("ann").expires(at(50)));
    pause("ann");

    assertThat(done(store.expire(at(6), 9))).hasSize(1).allMatch(ended -> ended.next() == null);
    assertThat(headRows()).isEmpty();

    resume("ann");
    assertThat(headRows()).containsExactly(second.row());
  }

  @Test
  void what_waits_for_its_time_gets_its_place_in_a_paused_lane() {
    StoredMessage timed = stored(to("ann").due(at(5)));
    pause("ann");
    StoredMessage second = stored(to("ann").due(at(6)));
    assertThat(headRows()).as("found when they are due").containsExactly(timed.row(), second.row());

    assertThat(done(store.enter("bot", timed.row(), at(7)))).isEmpty();
    assertThat(done(store.enter("bot", second.row(), at(7)))).isEmpty();
    assertThat(headRows()).isEmpty();

    resume("ann");
    assertThat(headRows()).containsExactly(timed.row());
  }

  @Test
  void a_head_of_a_paused_lane_can_be_hurried_and_still_waits() {
    StoredMessage loose = stored(to("ann").unordered().due(at(60)));
    pause("ann");

    OperationResult hurried = done(store.retry(loose.id(), at(2)));

    assertThat(hurried.applied()).isTrue();
    assertThat(hurried.next()).isNull();
    assertThat(headRows()).isEmpty();
    resume("ann");
    assertThat(done(store.due("bot", Priority.LIVE, at(2), null, 9)))
        .extracting(Head::row)
        .containsExactly(loose.row());
  }

  @Test
  void bulk_that_becomes_live_in_a_paused_lane_is_live_when_it_goes_on() {
    StoredMessage bulk = stored(to("ann").bulk());
    pause("ann");
    accept(to("ann"));

    resume("ann");

    assertThat(done(store.due("bot", Priority.LIVE, at(9), null, 9)))
        .extracting(Head::row)
        .containsExactly(bulk.row());
  }

  @Test
  void a_lane_that_moves_takes_its_pause_along_over_those_that_wait_there() {
    StoredMessage there = stored(to("new"));
    accept(to("old"));
    StoredMessage loose = stored(to("old").unordered());
    StoredMessage sending = sending(to("old").unordered());
    pause("old");

    assertThat(done(store.moveLane(lease, "old", "new", SessionKey.DEFAULT, at(2)))).contains(2);
    assertThat(headRows()).isEmpty();

    // What was under way kept its name, and nobody has paused that one.
    settle(SettlementDraft.of(sending, lease).again(at(3)).at(at(3)));
    assertThat(headRows()).containsExactly(sending.row());

    resume("old");
    assertThat(headRows()).containsExactlyInAnyOrder(there.row(), loose.row(), sending.row());
  }

  @Test
  void a_lane_that_moves_into_a_paused_one_waits_there() {
    StoredMessage first = stored(to("old"));
    StoredMessage loose = stored(to("old").unordered());
    pause("new");

    assertThat(done(store.moveLane(lease, "old", "new", SessionKey.DEFAULT, at(2)))).contains(2);
    assertThat(accept(to("old").unordered().reserve(leave(at(3)))).reserved()).isFalse();
    assertThat(headRows()).isEmpty();

    resume("new");
    assertThat(headRows()).hasSize(3).contains(first.row(), loose.row());
  }

  @Test
  void a_paused_lane_waits_and_goes_on_after_reopening() {
    StoredMessage first = stored(to("ann"));
    pause("ann");

    reopen();

    assertThat(headRows()).isEmpty();
    assertThat(accept(to("ann").unordered()).head()).isNull();
    resume("ann");
    assertThat(headRows()).hasSize(2).contains(first.row());
  }
}
