package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.config.SessionKey;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A chat that has moved: what waits for it goes along, in order, behind what waits there. */
abstract class LaneMoves extends StoreBehaviour {
  LaneMoves(StoreContract contract) {
    super(contract);
  }

  private int move(String from, String to) {
    return done(store.moveLane(lease, from, to, SessionKey.DEFAULT, at(10))).orElseThrow();
  }

  private boolean refuses(String from, String to) {
    return done(store.moveLane(lease, from, to, SessionKey.DEFAULT, at(10))).isEmpty();
  }

  private StoredMessage text(String chat, String text) {
    return stored(to(chat).text(text));
  }

  private List<LaneView> lanes() {
    return store.lanes(LaneFilter.of("bot"), null, 100).items();
  }

  // ---- names that a platform tells

  private void tell(String former, String chat) {
    done(
        store.receive(
            "bot",
            List.of(),
            null,
            List.of(),
            List.of(new Alias(former, chat)),
            SessionKey.DEFAULT));
  }

  @Test
  void a_name_that_was_told_waits_until_its_lane_is_joined() {
    text("old", "o1");
    tell("old", "new");
    tell("older", "new");
    assertThat(store.toldAliases())
        .containsExactly(new ChatAlias("bot", "old", "new"), new ChatAlias("bot", "older", "new"));
    assertThat(store.aliases()).isEmpty();
    text("new", "n1");
    text("old", "o2");

    reopen();
    assertThat(store.toldAliases()).hasSize(2);
    assertThat(move("old", "new")).isEqualTo(2);

    assertThat(store.toldAliases()).containsExactly(new ChatAlias("bot", "older", "new"));
    assertThat(drain("new")).containsExactly("n1", "o1", "o2");
  }

  @Test
  void a_name_that_was_told_stays_while_its_lane_is_being_sent_from() {
    sending(to("old").text("o1"));
    tell("old", "new");
    assertThat(refuses("old", "new")).isTrue();
    assertThat(store.toldAliases()).hasSize(1);
  }

  @Test
  void a_name_that_is_in_force_already_is_not_told_of_for_ever() {
    move("old", "new");
    tell("new", "old");
    assertThat(refuses("new", "old")).isTrue();
    assertThat(store.toldAliases()).isEmpty();
    tell("old", "new");
    move("old", "new");
    assertThat(store.toldAliases()).isEmpty();
    assertThat(store.aliases()).containsExactly(new ChatAlias("bot", "old", "new"));
  }

  // ---- order

  @Test
  void messages_move_in_their_order_behind_those_that_are_there() {
    text("new", "n1");
    text("old", "o1");
    text("new", "n2");
    text("old", "o2");

    assertThat(move("old", "new")).isEqualTo(2);

    text("new", "n3");
    assertThat(lanes()).extracting(LaneView::chat).containsExactly("new");
    assertThat(drain("new")).containsExactly("n1", "n2", "o1", "o2", "n3");
    assertThat(heads("bot")).isEmpty();
  }

  @Test
  void a_moved_lane_has_one_head_where_nobody_was() {
    StoredMessage first = text("old", "one");
    text("old", "two");

    move("old", "new");

    assertThat(heads("bot"))
        .containsExactly(new Head(first.row(), "bot", "new", Priority.LIVE, at(0), true, false));
    assertThat(drain("new")).containsExactly("one", "two");
  }

  @Test
  void a_message_keeps_everything_but_its_chat_and_the_store_remembers() {
    HistoryEntry entry = new HistoryEntry(at(1), 1, 0, "not-sent", "why", at(5));
    StoredMessage sending = sending(to("old").key("k").text("one"));
    settle(
        SettlementDraft.of(sending, lease)
            .at(at(1))
            .again(at(5))
            .because("why", "x")
            .history(entry));
    StoredMessage before = find(sending.id());

    assertThat(move("old", "new")).isEqualTo(1);
    reopen();

    StoredMessage after = find(sending.id());
    assertThat(after.message()).isEqualTo(to("new").key("k").text("one").build().message());
    assertThat(after.dueAt()).isEqualTo(at(5));
    assertThat(after.attempts()).isEqualTo(before.attempts());
    assertThat(after.error()).isEqualTo("why");
    assertThat(after.row()).isEqualTo(before.row());
    assertThat(history(after)).containsExactly(entry);
    assertThat(done(store.accept(to("old").key("k").text("one").build())))
        .isEqualTo(new AcceptResult.Duplicate(after, true));
    assertThat(canReserve(after, at(4))).isFalse();
    assertThat(reserve(after, at(5)).message().to()).isEqualTo("new");
  }

  @Test
  void a_head_that_waits_to_be_tried_again_moves_behind_others_and_has_its_turn_there() {
    StoredMessage sending = sending(to("old").text("again"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(500)));
    text("old", "after");
    StoredMessage there = sending(to("new").text("there"));

    assertThat(move("old", "new")).isEqualTo(2);
    assertThat(heads("bot")).isEmpty();

    Head next = present(deliver(there, at(20)).next());
    assertThat(next.row()).isEqualTo(sending.row());
    assertThat(next.dueAt()).isEqualTo(at(500));
    assertThat(drain("new")).containsExactly("again", "after");
  }

  @Test
  void a_lane_of_any_length_moves_whole() {
    List<String> expected = new ArrayList<>(List.of("there"));
    text("new", "there");
    for (int i = 0; i < 700; i++) {
      expected.add("t" + i);
      store.accept(to("old").text("t" + i).build());
    }

    assertThat(move("old", "new")).isEqualTo(700);

    assertThat(heads("bot")).extracting(Head::chat).containsExactly("new");
    assertThat(drain("new")).isEqualTo(expected);
  }

  // ---- what is being sent

  @Test
  void a_lane_whose_first_message_is_being_sent_does_not_move() {
    StoredMessage sending = sending(to("old").text("one"));
    text("old", "two");

    assertThat(refuses("old", "new")).isTrue();

    assertThat(store.aliases()).isEmpty();
    assertThat(present(deliver(sending, at(11)).next()).chat()).isEqualTo("old");
    assertThat(move("old", "new")).isEqualTo(1);
    assertThat(drain("new")).containsExactly("two");
  }

  @Test
  void what_is_being_sent_outside_the_order_stays_and_ends_where_it_is() {
    StoredMessage sending = sending(to("old").text("one").unordered());
    text("old", "two");

    assertThat(move("old", "new")).isEqualTo(1);

    assertThat(status(sending)).isEqualTo(Status.SENDING);
    assertThat(find(sending.id()).message().to()).isEqualTo("old");
    assertThat(settle(SettlementDraft.of(sending, lease).at(at(11))).applied()).isTrue();
    assertThat(drain("new")).containsExactly("two");
  }

  @Test
  void what_is_put_back_after_the_rest_moved_can_move_after_it() {
    StoredMessage sending = sending(to("old").text("one").unordered());
    text("old", "two");
    move("old", "new");
    settle(SettlementDraft.of(sending, lease).at(at(11)).again(at(11)));

    assertThat(move("old", "new")).isEqualTo(1);

    assertThat(reserve(find(sending.id()), at(12)).message().to()).isEqualTo("new");
  }

  @Test
  void a_lane_moves_behind_one_that_is_being_sent() {
    StoredMessage there = sending(to("new").text("there"));
    text("old", "one");

    assertThat(move("old", "new")).isEqualTo(1);

    assertThat(heads("bot")).isEmpty();
    assertThat(present(deliver(there, at(11)).next()).chat()).isEqualTo("new");
    assertThat(drain("new")).containsExactly("one");
  }

  // ---- from then on

  @Test
  void whatever_comes_for_the_old_name_takes_its_place_under_the_new_one() {
    text("old", "o1");
    text("old", "o2");
    move("old", "new");

    AcceptResult.Stored late = accept(to("old").text("o3"));
    text("new", "n1");
    text("old", "o4");

    assertThat(late.message().message().to()).isEqualTo("new");
    assertThat(find(late.message().id())).isEqualTo(late.message());
    assertThat(late.head()).isNull();
    assertThat(lanes()).extracting(LaneView::chat).containsExactly("new");
    assertThat(drain("new")).containsExactly("o1", "o2", "o3", "n1", "o4");
  }

  @Test
  void a_first_message_for_the_old_name_is_a_head_of_the_new_one_and_not_reserved() {
    move("old", "new");

    AcceptResult.Stored accepted = accept(to("old").text("x").reserve(leave(at(11))));

    assertThat(accepted.reserved()).isFalse();
    assertThat(present(accepted.head()).chat()).isEqualTo("new");
    assertThat(accept(to("other").reserve(leave(at(11)))).reserved()).isTrue();
  }

  @Test
  void scheduled_messages_and_those_outside_the_order_follow_as_well() {
    move("old", "new");

    StoredMessage outside = stored(to("old").unordered());
    StoredMessage scheduled = stored(to("old").due(at(60)));

    assertThat(heads("bot")).extracting(Head::chat).containsOnly("new");
    assertThat(find(outside.id()).message().to()).isEqualTo("new");
    assertThat(find(scheduled.id()).message().to()).isEqualTo("new");
  }

  @Test
  void the_same_key_for_the_old_name_is_the_same_message() {
    move("old", "new");
    StoredMessage first = stored(to("old").key("k").text("x"));

    assertThat(done(store.accept(to("old").key("k").text("x").build())))
        .isEqualTo(new AcceptResult.Duplicate(find(first.id()), true));
  }

  @Test
  void a_chat_that_moves_again_is_found_under_every_name() {
    text("a", "one");
    move("a", "b");
    text("b", "two");
    move("b", "c");

    assertThat(store.aliases())
        .containsExactlyInAnyOrder(new ChatAlias("bot", "a", "c"), new ChatAlias("bot", "b", "c"));
    text("a", "three");
    text("b", "four");
    assertThat(drain("c")).containsExactly("one", "two", "three", "four");
  }

  @Test
  void a_chat_that_moves_to_a_former_name_of_another_goes_where_that_is_now() {
    move("b", "c");
    text("a", "one");

    assertThat(move("a", "b")).isEqualTo(1);

    assertThat(store.aliases())
        .containsExactlyInAnyOrder(new ChatAlias("bot", "a", "c"), new ChatAlias("bot", "b", "c"));
    assertThat(drain("c")).containsExactly("one");
  }

  @Test
  void a_chat_does_not_move_to_a_former_name_of_its_own() {
    move("a", "b");
    move("b", "c");
    text("c", "one");

    assertThat(refuses("c", "a")).isTrue();
    assertThat(refuses("c", "b")).isTrue();

    assertThat(store.aliases())
        .containsExactlyInAnyOrder(new ChatAlias("bot", "a", "c"), new ChatAlias("bot", "b", "c"));
    assertThat(drain("c")).containsExactly("one");
  }

  @Test
  void the_store_remembers_and_other_accounts_have_other_chats() {
    move("old", "new");
    reopen();

    assertThat(text("old", "x").message().to()).isEqualTo("new");
    lease("other");
    assertThat(stored(MessageDraft.to("other", "old")).message().to()).isEqualTo("old");
  }

  // ---- outside the lane

  @Test
  void scheduled_messages_and_those_outside_the_order_move_too() {
    StoredMessage scheduled = stored(to("old").text("scheduled").due(at(60)));
    StoredMessage outside = stored(to("old").text("outside").unordered());
    StoredMessage inLane = text("old", "in");

    assertThat(move("old", "new")).isEqualTo(3);

    assertThat(heads("bot"))
        .containsExactlyInAnyOrder(
            new Head(inLane.row(), "bot", "new", Priority.LIVE, at(0), true, false),
            new Head(outside.row(), "bot", "new", Priority.LIVE, at(0), false, false),
            new Head(scheduled.row(), "bot", "new", Priority.LIVE, at(60), true, true));
    assertThat(reserve(outside, at(11)).message().to()).isEqualTo("new");
    assertThat(done(store.enter("bot", scheduled.row(), at(60)))).isEmpty();
    assertThat(drain("new")).containsExactly("in", "scheduled");
  }

  // ---- priorities

  @Test
  void moved_live_messages_raise_the_bulk_before_them() {
    StoredMessage bulk = stored(to("new").bulk());
    text("old", "live");

    move("old", "new");

    assertThat(done(store.due("bot", Priority.LIVE, FAR, null, 9)))
        .extracting(Head::row)
        .containsExactly(bulk.row());
  }

  @Test
  void moved_bulk_stays_bulk_and_raises_nothing() {
    StoredMessage there = stored(to("new").bulk());
    stored(to("old").bulk());

    move("old", "new");
    assertThat(done(store.due("bot", Priority.BULK, FAR, null, 9)))
        .extracting(Head::row)
        .containsExactly(there.row());

    assertThat(accept(to("new")).raised()).isTrue();
    assertThat(done(store.due("bot", Priority.BULK, FAR, null, 9))).isEmpty();
  }

  @Test
  void depth_limits_do_not_stop_a_move_but_count_what_moved() {
    accept(to("new").laneHolds(2));
    text("old", "one");
    text("old", "two");

    move("old", "new");

    assertThat(done(store.accept(to("new").laneHolds(3).build())))
        .isEqualTo(new AcceptResult.LaneFull(3));
    assertThat(done(store.accept(to("old").laneHolds(3).build())))
        .isEqualTo(new AcceptResult.LaneFull(3));
  }

  // ---- the note, the lease, nothing to do

  @Test
  void a_pause_goes_along() {
    done(store.pauseLane(new PausedLane("bot", "old", "why", at(1))));
    text("old", "one");

    move("old", "new");

    assertThat(store.pausedLanes()).containsExactly(new PausedLane("bot", "new", "why", at(1)));
  }

  @Test
  void a_lane_is_paused_and_resumed_by_either_name() {
    move("old", "new");

    done(store.pauseLane(new PausedLane("bot", "old", "why", at(1))));
    assertThat(store.pausedLanes()).containsExactly(new PausedLane("bot", "new", "why", at(1)));

    assertThat(done(store.resumeLane("bot", "old"))).isTrue();
    assertThat(store.pausedLanes()).isEmpty();
  }

  @Test
  void a_pause_that_is_there_stays_as_it_is() {
    done(store.pauseLane(new PausedLane("bot", "old", "why", at(1))));
    done(store.pauseLane(new PausedLane("bot", "new", "other", at(2))));
    done(store.pauseLane(new PausedLane("other", "old", "theirs", at(3))));

    assertThat(move("old", "new")).isZero();

    assertThat(store.pausedLanes())
        .containsExactlyInAnyOrder(
            new PausedLane("bot", "new", "other", at(2)),
            new PausedLane("other", "old", "theirs", at(3)));
  }

  @Test
  void a_lost_lease_moves_nothing() {
    text("old", "one");
    Lease stale = lease;
    lease = lease("bot");

    assertThat(failure(store.moveLane(stale, "old", "new", SessionKey.DEFAULT, at(10))))
        .isInstanceOf(LeaseLost.class);

    assertThat(store.aliases()).isEmpty();
    assertThat(lanes()).extracting(LaneView::chat).containsExactly("old");
  }

  @Test
  void other_lanes_and_accounts_and_what_has_ended_stay() {
    StoredMessage ended = ended(to("old"), Status.DELIVERED, at(1));
    lease("other");
    StoredMessage theirs = stored(MessageDraft.to("other", "old"));
    StoredMessage beside = text("older", "x");

    assertThat(move("old", "new")).isZero();

    for (StoredMessage message : List.of(ended, theirs, beside)) {
      assertThat(find(message.id())).isEqualTo(message);
    }
  }

  @Test
  void a_lane_moved_to_itself_stays() {
    text("old", "one");
    text("old", "two");

    assertThat(refuses("old", "old")).isTrue();

    assertThat(drain("old")).containsExactly("one", "two");
  }
}
