package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Status;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneState;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists of lanes: those that hold messages, and those that are paused. */
abstract class LaneLists extends StoreBehaviour {
  LaneLists(StoreContract contract) {
    super(contract);
  }

  private List<LaneView> walk(@Nullable String account, int limit) {
    List<LaneView> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<LaneView> page = store.lanes(LaneFilter.of(account), cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.items());
      cursor = page.next();
      assertThat(cursor == null ? "-" : cursor).as("a printable cursor").matches("[\\w.~-]+");
      assertThat(all).as("a list that ends").hasSizeLessThan(1_000);
    } while (cursor != null);
    return all;
  }

  private List<String> names(@Nullable String account, int limit) {
    return walk(account, limit).stream().map(lane -> lane.account() + "/" + lane.chat()).toList();
  }

  private LaneView lane(String chat) {
    return walk("bot", 100).stream()
        .filter(lane -> lane.chat().equals(chat))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no lane " + chat));
  }

  private void pause(String account, String chat) {
    done(store.pauseLane(new PausedLane(account, chat, "why " + chat, at(1))));
  }

  @Test
  void a_lane_shows_its_depth_and_its_head() {
    StoredMessage first = stored(to("ann").at(at(2)));
    accept(to("ann"));
    accept(to("ann"));

    assertThat(lane("ann"))
        .isEqualTo(new LaneView("bot", "ann", 3, false, null, first.id(), Status.QUEUED, at(2)));

    StoredMessage sending = reserve(first, at(3));
    assertThat(lane("ann").headStatus()).isEqualTo(Status.SENDING);

    deliver(sending, at(4));
    assertThat(lane("ann").depth()).isEqualTo(2);
    assertThat(lane("ann").headDueAt()).isEqualTo(at(4));
  }

  @Test
  void a_depth_does_not_count_what_was_cancelled_in_the_middle() {
    accept(to("ann"));
    StoredMessage middle = stored(to("ann"));
    accept(to("ann"));

    done(store.cancel(middle.id(), at(1)));

    assertThat(lane("ann").depth()).isEqualTo(2);
  }

  @Test
  void a_lane_that_ran_empty_is_not_listed() {
    ended(to("ann"), Status.DELIVERED, at(1));

    assertThat(walk(null, 10)).isEmpty();
  }

  @Test
  void a_paused_lane_says_so_and_why() {
    StoredMessage first = stored(to("ann"));
    pause("bot", "ann");

    assertThat(lane("ann"))
        .isEqualTo(
            new LaneView("bot", "ann", 1, true, "why ann", first.id(), Status.QUEUED, at(0)));
  }

  @Test
  void a_paused_lane_is_listed_without_messages_too() {
    pause("bot", "ann");
    pause("nobody-else-knows", "ben");

    assertThat(walk(null, 10))
        .containsExactly(
            new LaneView("bot", "ann", 0, true, "why ann", null, null, null),
            new LaneView("nobody-else-knows", "ben", 0, true, "why ben", null, null, null));
  }

  @Test
  void lanes_are_listed_by_account_and_chat_on_pages_of_any_size() {
    for (String account : List.of("zoe", "bot", "bo")) {
      for (String chat : List.of("b", "a", "-100", "A", "ä", "a/b", "ab")) {
        accept(MessageDraft.to(account, chat));
        accept(MessageDraft.to(account, chat));
      }
      pause(account, "a");
      pause(account, "aa");
      pause(account, "zz");
    }
    List<String> all = names(null, 1_000);

    assertThat(all).hasSize(27).doesNotHaveDuplicates();
    assertThat(walk(null, 1_000).stream().map(LaneView::account).distinct())
        .containsExactly("bo", "bot", "zoe");
    assertThat(names("bot", 1_000))
        .containsExactly(
            "bot/-100",
            "bot/A",
            "bot/a",
            "bot/a/b",
            "bot/aa",
            "bot/ab",
            "bot/b",
            "bot/zz",
            "bot/ä");
    for (int limit : List.of(1, 2, 3, 9, 10, 27)) {
      assertThat(names(null, limit)).isEqualTo(all);
      assertThat(names("bot", limit)).isEqualTo(names("bot", 1_000));
    }
    assertThat(names("nobody", 10)).isEmpty();
  }

  private List<String> lanes(@Nullable String account, @Nullable LaneState state, boolean byAge) {
    List<String> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<LaneView> page = store.lanes(new LaneFilter(account, state, byAge), cursor, 2);
      page.items().forEach(lane -> all.add(lane.account() + "/" + lane.chat()));
      cursor = page.next();
      if (cursor != null) {
        assertThat(page.items()).as("a page before the last").hasSize(2);
        assertThat(cursor).as("a printable cursor").matches("[\\w.~-]+");
      }
    } while (cursor != null);
    return all;
  }

  /** Three lanes each that wait, are sent from, are paused, and are paused and empty. */
  private void lanesOfEveryState() {
    for (int i = 0; i < 3; i++) {
      accept(to("waits" + i).at(at(10 - i)));
      accept(to("waits" + i).at(at(30)));
      sending(to("sends" + i).at(at(20 - i)));
      accept(to("paused" + i).at(at(5 + 10 * i)));
      pause("bot", "paused" + i);
      pause("other", "empty" + i);
    }
    accept(MessageDraft.to("other", "waits").at(at(9)));
  }

  @Test
  void lanes_are_listed_by_what_they_do() {
    lanesOfEveryState();

    assertThat(lanes(null, LaneState.WAITING, false))
        .containsExactly("bot/waits0", "bot/waits1", "bot/waits2", "other/waits");
    assertThat(lanes(null, LaneState.SENDING, false))
        .containsExactly("bot/sends0", "bot/sends1", "bot/sends2");
    assertThat(lanes(null, LaneState.PAUSED, false))
        .containsExactly(
            "bot/paused0",
            "bot/paused1",
            "bot/paused2",
            "other/empty0",
            "other/empty1",
            "other/empty2");
    assertThat(lanes("other", LaneState.WAITING, false)).containsExactly("other/waits");
    assertThat(lanes("other", LaneState.SENDING, false)).isEmpty();
  }

  @Test
  void lanes_are_listed_by_the_age_of_their_oldest_message() {
    lanesOfEveryState();

    assertThat(lanes(null, null, true))
        .containsExactly(
            "bot/paused0",
            "bot/waits2",
            "bot/waits1",
            "other/waits",
            "bot/waits0",
            "bot/paused1",
            "bot/sends2",
            "bot/sends1",
            "bot/sends0",
            "bot/paused2");
    assertThat(lanes(null, LaneState.WAITING, true))
        .containsExactly("bot/waits2", "bot/waits1", "other/waits", "bot/waits0");
    assertThat(lanes("bot", LaneState.PAUSED, true))
        .containsExactly("bot/paused0", "bot/paused1", "bot/paused2");
    assertThat(lanes("nobody", null, true)).isEmpty();
    assertThatThrownBy(() -> store.lanes(new LaneFilter(null, null, true), "Ym90.YQ", 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_lane_is_found_by_its_chat_of_one_account_or_of_all() {
    accept(MessageDraft.to("bot", "ann"));
    accept(MessageDraft.to("bot", "bob"));
    accept(MessageDraft.to("other", "ann").unordered());
    pause("third", "ann");

    LaneFilter all = LaneFilter.of(null).ofChat("ann");
    assertThat(store.lanes(all, null, 10).items())
        .extracting(LaneView::account)
        .containsExactly("bot", "other", "third");
    Page<LaneView> first = store.lanes(all, null, 2);
    assertThat(first.items()).hasSize(2);
    assertThat(store.lanes(all, first.next(), 2).items())
        .extracting(LaneView::account)
        .containsExactly("third");
    assertThat(store.lanes(LaneFilter.of("bot").ofChat("ann"), null, 10).items())
        .extracting(LaneView::chat)
        .containsExactly("ann");
    assertThat(store.lanes(LaneFilter.of("bot").ofChat("nobody"), null, 10).items()).isEmpty();
    assertThat(store.lanes(new LaneFilter(null, "ann", LaneState.PAUSED, true), null, 10).items())
        .extracting(LaneView::account)
        .containsExactly("third");
  }

  @Test
  void a_cursor_that_is_none_is_refused_by_name() {
    for (String cursor : List.of("nonsense", "", "bot", "a.b.c", "!.!", "_w._w")) {
      assertThatThrownBy(() -> store.lanes(LaneFilter.of(null), cursor, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
  }

  @Test
  void no_lane_is_missed_whatever_its_chat_is_called() {
    List<String> chats =
        List.of("😀", "！", "\uffff", "\uffffx", "é", "e\u0301", " x", "'\"\\%_", "z");
    for (int paused = 0; paused < 2; paused++) {
      for (int i = 0; i < chats.size(); i++) {
        if (i % 2 == paused) {
          pause("bot" + paused, chats.get(i));
        } else {
          accept(MessageDraft.to("bot" + paused, chats.get(i)));
        }
      }
      String account = "bot" + paused;
      for (int limit : List.of(1, 2, 100)) {
        assertThat(walk(account, limit))
            .extracting(LaneView::chat)
            .containsExactlyInAnyOrderElementsOf(chats);
      }
    }
    assertThat(walk(null, 1)).hasSize(2 * chats.size()).doesNotHaveDuplicates();
  }
}
