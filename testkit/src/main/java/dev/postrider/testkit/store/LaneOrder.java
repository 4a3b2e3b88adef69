package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Places in a lane: given at commit, one head at a time, and who stands outside. */
abstract class LaneOrder extends StoreBehaviour {
  LaneOrder(StoreContract contract) {
    super(contract);
  }

  @Test
  void a_lane_is_worked_in_the_order_of_acceptance() {
    for (String text : List.of("one", "two", "three")) {
      accept(to("ann").text(text));
    }

    assertThat(drain("ann")).containsExactly("one", "two", "three");
  }

  @Test
  void a_lane_keeps_its_order_over_reopening() {
    accept(to("ann").text("one"));
    accept(to("ann").text("two"));

    reopen();
    accept(to("ann").text("three"));

    assertThat(drain("ann")).containsExactly("one", "two", "three");
  }

  @Test
  void places_follow_the_order_of_writes_in_a_bulk_of_a_thousand_over_many_lanes() {
    int lanes = 40;
    Map<String, List<String>> sent = new HashMap<>();
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String chat = "chat" + (i * 7 % lanes);
      String text = "text" + i;
      sent.computeIfAbsent(chat, _ -> new ArrayList<>()).add(text);
      writes.add(store.accept(to(chat).text(text).build()));
    }
    for (CompletableFuture<AcceptResult> write : writes) {
      assertThat(done(write)).isInstanceOf(AcceptResult.Stored.class);
    }

    assertThat(heads("bot")).hasSize(lanes).extracting(Head::chat).doesNotHaveDuplicates();
    Map<String, List<@Nullable String>> found = new HashMap<>();
    List<StoredMessage> round = new ArrayList<>();
    for (Head head : heads("bot")) {
      round.add(done(store.reserve(head.row(), leave(at(1)))).orElseThrow());
    }
    while (!round.isEmpty()) { // one message of every lane, all lanes at once
      List<CompletableFuture<SettleResult>> settling = new ArrayList<>();
      for (StoredMessage sending : round) {
        found
            .computeIfAbsent(sending.message().to(), _ -> new ArrayList<>())
            .add(sending.message().text());
        settling.add(
            store.settle(SettlementDraft.of(sending, lease).at(at(1)).then(leave(at(1))).build()));
      }
      round.clear();
      for (var settled : settling) {
        StoredMessage next = done(settled).reserved();
        if (next != null) {
          round.add(next);
        }
      }
    }
    assertThat(found).isEqualTo(sent);
  }

  @Test
  void two_accounts_have_lanes_of_their_own_to_one_chat() {
    lease("other");
    StoredMessage ours = stored(MessageDraft.to("bot", "ann"));
    StoredMessage theirs = stored(MessageDraft.to("other", "ann"));

    assertThat(heads("bot")).extracting(Head::row).containsExactly(ours.row());
    assertThat(heads("other")).extracting(Head::row).containsExactly(theirs.row());
  }

  @Test
  void a_lane_that_ran_empty_starts_again() {
    ended(to("ann"), Status.DELIVERED, at(1));

    assertThat(accept(to("ann")).head()).isNotNull();
  }

  // ---- the limit

  @Test
  void a_lane_is_full_at_exactly_its_limit() {
    accept(to("ann").laneHolds(2));
    accept(to("ann").laneHolds(2));
    MessageDraft third = to("ann").laneHolds(2);

    assertThat(done(store.accept(third.build()))).isEqualTo(new AcceptResult.LaneFull(2));
    assertThat(store.find(third.id())).isEmpty();
    accept(to("ben").laneHolds(2));
    accept(to("ann").laneHolds(3));
  }

  @Test
  void a_full_lane_has_room_again_when_its_head_ends() {
    StoredMessage first = sending(to("ann").laneHolds(2));
    accept(to("ann").laneHolds(2));
    assertThat(done(store.accept(to("ann").laneHolds(2).build())))
        .isInstanceOf(AcceptResult.LaneFull.class);

    deliver(first, at(1));

    accept(to("ann").laneHolds(2));
    assertThat(done(store.accept(to("ann").laneHolds(2).build())))
        .isEqualTo(new AcceptResult.LaneFull(2));
  }

  @Test
  void a_full_lane_has_room_again_when_one_in_the_middle_is_cancelled() {
    accept(to("ann").laneHolds(3));
    StoredMessage middle = stored(to("ann").laneHolds(3));
    accept(to("ann").laneHolds(3));

    done(store.cancel(middle.id(), at(1)));

    accept(to("ann").laneHolds(3));
    assertThat(done(store.accept(to("ann").laneHolds(3).build())))
        .isEqualTo(new AcceptResult.LaneFull(3));
  }

  @Test
  void what_stands_outside_the_lane_does_not_fill_it() {
    accept(to("ann").unordered());
    accept(to("ann").due(at(60)));

    accept(to("ann").laneHolds(1));
  }

  // ---- priorities

  @Test
  void a_live_message_raises_the_bulk_before_it() {
    StoredMessage bulk = stored(to("ann").bulk());
    accept(to("ann").bulk());
    StoredMessage elsewhere = stored(to("ben").bulk());

    AcceptResult.Stored live = accept(to("ann"));

    assertThat(live.raised()).isTrue();
    assertThat(done(store.due("bot", Priority.LIVE, FAR, null, 9)))
        .extracting(Head::row)
        .containsExactly(bulk.row());
    assertThat(done(store.due("bot", Priority.BULK, FAR, null, 9)))
        .extracting(Head::row)
        .containsExactly(elsewhere.row());
  }

  @Test
  void raised_bulk_behind_the_head_is_live_when_its_turn_comes() {
    StoredMessage first = sending(to("ann").bulk());
    StoredMessage second = stored(to("ann").bulk());
    accept(to("ann"));

    Head next = present(deliver(first, at(1)).next());

    assertThat(next.row()).isEqualTo(second.row());
    assertThat(next.priority()).isEqualTo(Priority.LIVE);
  }

  @Test
  void nothing_is_raised_where_nothing_is_bulk() {
    accept(to("ann"));
    assertThat(accept(to("ann")).raised()).isFalse();
    assertThat(accept(to("ben")).raised()).isFalse();
  }

  @Test
  void bulk_raises_nothing_and_stays_bulk_behind_live() {
    StoredMessage live = sending(to("ann"));

    assertThat(accept(to("ann").bulk()).raised()).isFalse();

    assertThat(present(deliver(live, at(1)).next()).priority()).isEqualTo(Priority.BULK);
  }

  @Test
  void a_live_message_outside_the_order_raises_nothing() {
    accept(to("ann").bulk());

    assertThat(accept(to("ann").unordered()).raised()).isFalse();

    assertThat(done(store.due("bot", Priority.BULK, FAR, null, 9))).hasSize(1);
  }

  // ---- outside the order

  @Test
  void a_message_outside_the_order_neither_waits_nor_blocks() {
    StoredMessage before = sending(to("ann"));

    AcceptResult.Stored outside = accept(to("ann").unordered());
    StoredMessage after = stored(to("ann"));

    assertThat(present(outside.head()).ordered()).isFalse();
    StoredMessage other = reserve(outside.message(), at(1));
    assertThat(present(deliver(before, at(1)).next()).row()).isEqualTo(after.row());
    assertThat(deliver(other, at(1)).next()).isNull();
    assertThat(headRows()).containsExactly(after.row());
  }

  @Test
  void messages_outside_the_order_are_due_side_by_side() {
    StoredMessage one = stored(to("ann").unordered());
    StoredMessage two = stored(to("ann").unordered());

    assertThat(headRows()).containsExactly(one.row(), two.row());
  }

  // ---- scheduled messages

  @Test
  void a_scheduled_message_is_due_at_its_time_and_says_that_it_must_enter() {
    AcceptResult.Stored scheduled = accept(to("ann").due(at(60)));

    Head head = present(scheduled.head());
    assertThat(head.scheduled()).isTrue();
    assertThat(head.ordered()).isTrue();
    assertThat(head.dueAt()).isEqualTo(at(60));
    assertThat(heads("bot")).containsExactly(head);
    assertThat(done(store.due("bot", Priority.LIVE, at(59), null, 9))).isEmpty();
  }

  @Test
  void a_scheduled_message_has_no_place_until_it_enters() {
    StoredMessage scheduled = stored(to("ann").text("scheduled").due(at(60)));
    StoredMessage first = stored(to("ann").text("first"));
    accept(to("ann").text("second"));
    assertThat(headRows()).containsExactly(first.row(), scheduled.row());

    assertThat(done(store.enter("bot", scheduled.row(), at(60)))).isEmpty();
    accept(to("ann").text("third"));

    assertThat(headRows()).containsExactly(first.row());
    assertThat(drain("ann")).containsExactly("first", "second", "scheduled", "third");
  }

  @Test
  void a_scheduled_message_that_enters_an_empty_lane_is_its_head() {
    StoredMessage scheduled = stored(to("ann").due(at(60)));

    Head head = done(store.enter("bot", scheduled.row(), at(61))).orElseThrow();

    assertThat(head)
        .isEqualTo(new Head(scheduled.row(), "bot", "ann", Priority.LIVE, at(60), true, false));
    assertThat(heads("bot")).containsExactly(head);
    assertThat(canReserve(scheduled, at(61))).isTrue();
  }

  @Test
  void a_scheduled_message_does_not_enter_before_its_time_nor_twice() {
    StoredMessage scheduled = stored(to("ann").due(at(60)));

    assertThat(done(store.enter("bot", scheduled.row(), at(59)))).isEmpty();
    assertThat(present(heads("bot").getFirst()).scheduled()).isTrue();

    assertThat(done(store.enter("bot", scheduled.row(), at(60)))).isPresent();
    assertThat(done(store.enter("bot", scheduled.row(), at(60)))).isEmpty();
    assertThat(headRows()).containsExactly(scheduled.row());
  }

  @Test
  void only_what_is_scheduled_enters() {
    StoredMessage plain = stored(to("ann"));
    StoredMessage gone = stored(to("ben").due(at(60)));
    done(store.cancel(gone.id(), at(1)));

    assertThat(done(store.enter("bot", plain.row(), at(60)))).isEmpty();
    assertThat(done(store.enter("bot", gone.row(), at(60)))).isEmpty();
    assertThat(done(store.enter("bot", 987_654_321, at(60)))).isEmpty();
  }

  @Test
  void a_scheduled_message_is_not_reserved_before_it_has_entered() {
    StoredMessage scheduled = stored(to("ann").due(at(60)));

    assertThat(canReserve(scheduled, at(60))).isFalse();
    assertThat(status(scheduled)).isEqualTo(Status.QUEUED);
  }

  @Test
  void a_live_message_that_enters_raises_the_bulk_before_it() {
    StoredMessage bulk = stored(to("ann").bulk());
    StoredMessage scheduled = stored(to("ann").due(at(60)));
    assertThat(done(store.due("bot", Priority.BULK, at(60), null, 9))).hasSize(1);

    done(store.enter("bot", scheduled.row(), at(60)));

    assertThat(done(store.due("bot", Priority.LIVE, at(60), null, 9)))
        .extracting(Head::row)
        .containsExactly(bulk.row());
  }

  @Test
  void overdue_scheduled_messages_take_their_places_by_due_time() {
    List<StoredMessage> latestFirst = new ArrayList<>();
    for (int due = 40; due > 0; due--) {
      latestFirst.add(stored(to("ann").text("due at " + due).due(at(due))));
    }

    List<CompletableFuture<Optional<Head>>> entering = new ArrayList<>();
    for (StoredMessage message : latestFirst.reversed()) { // as they are found: the oldest first
      entering.add(store.enter("bot", message.row(), at(60)));
    }
    entering.forEach(this::done);

    assertThat(drain("ann"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 40).mapToObj(due -> "due at " + due).toList());
  }

  @Test
  void a_scheduled_message_waits_over_reopening() {
    StoredMessage scheduled = stored(to("ann").due(at(60)));

    reopen();

    assertThat(present(heads("bot").getFirst()).scheduled()).isTrue();
    assertThat(done(store.enter("bot", scheduled.row(), at(60)))).isPresent();
  }

  @Test
  void a_scheduled_message_outside_the_order_needs_not_enter() {
    AcceptResult.Stored accepted = accept(to("ann").unordered().due(at(60)));

    assertThat(present(accepted.head()).scheduled()).isFalse();
    assertThat(canReserve(accepted.message(), at(59))).isFalse();
    assertThat(canReserve(accepted.message(), at(60))).isTrue();
  }
}
