package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbound.InboundId;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conversations: which there are, what waits in them, and holding them back. */
abstract class Sessions extends InboundStoreBehaviour {
  Sessions(StoreContract contract) {
    super(contract);
  }

  private SessionView session(String id) {
    return desk().session(id).orElseThrow(() -> new AssertionError("there is no session " + id));
  }

  private static SessionView view(String id, int waiting, long lastSecond) {
    return new SessionView(id, "bot", "chat of " + id, null, waiting, at(lastSecond), null, null);
  }

  private List<String> walk(@Nullable String account, int limit) {
    List<String> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<SessionView> page = desk().sessions(account, cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(item -> all.add(item.id()));
      cursor = page.next();
      assertThat(cursor == null ? "-" : cursor).as("a printable cursor").matches("[\\w.~-]+");
      assertThat(all).as("a list that ends").hasSizeLessThan(1_000);
    } while (cursor != null);
    return all;
  }

  // ---- what there is

  @Test
  void a_session_begins_with_its_first_event() {
    assertThat(desk().session("s")).isEmpty();

    hear("bot", said("s", "thread", at(3)));
    hear("other", said("s", null, at(5)));

    SessionView expected = new SessionView("s", "bot", "chat of s", "thread", 2, at(5), null, null);
    assertThat(session("s")).isEqualTo(expected);
    assertThat(desk().sessions(null, null, 9).items()).containsExactly(expected);
    reopen();
    assertThat(session("s")).isEqualTo(expected);
  }

  @Test
  void a_session_may_begin_with_what_was_said_in_it() {
    StoredMessage message =
        ended(saying("s", 1).with(to -> to.threadId("t")), Status.DELIVERED, at(4));
    assertThat(desk().session("s")).isEmpty();

    follow(message, 6);

    assertThat(session("s"))
        .isEqualTo(new SessionView("s", "bot", "ann", "t", 0, at(4), null, null));
  }

  @Test
  void a_session_does_not_begin_with_what_did_not_arrive() {
    for (Status status : List.of(Status.FAILED, Status.HELD, Status.CANCELLED)) {
      follow(ended(saying("s", 1).unordered(), status, at(2)), 3);
    }

    assertThat(desk().session("s")).isEmpty();
  }

  @Test
  void an_event_that_was_known_is_not_counted_again() {
    var event = said("s", at(1));
    hear("bot", event);
    hear("bot", event);

    assertThat(session("s")).isEqualTo(view("s", 1, 1));
  }

  @Test
  void the_last_word_is_the_latest_that_was_heard_or_said() {
    hear("s", 5);
    hear("s", 3);
    assertThat(session("s").lastAt()).isEqualTo(at(5));
    follow(ended(saying("s", 1), Status.DELIVERED, at(4)), 9);
    assertThat(session("s").lastAt()).isEqualTo(at(5));

    follow(ended(saying("s", 1), Status.DELIVERED, at(7)), 9);

    assertThat(session("s").lastAt()).isEqualTo(at(7));
    assertThat(session("s").account()).isEqualTo("bot");
    assertThat(session("s").chat()).isEqualTo("chat of s");
  }

  @Test
  void events_wait_until_they_have_ended() {
    for (int i = 0; i < 3; i++) {
      hear("s", i);
    }
    hear("other", 9);
    assertThat(session("s")).isEqualTo(view("s", 3, 2));

    StoredInbound given = handOut(1, at(3), "bot").getFirst();
    assertThat(session("s").waiting()).isEqualTo(3);
    again(given, 4, 4);
    assertThat(session("s").waiting()).isEqualTo(3);
    handled(handOut(1, at(4), "bot").getFirst(), 5);
    assertThat(session("s").waiting()).isEqualTo(2);
    failed(handOut(1, at(5), "bot").getFirst(), 6);
    assertThat(session("s").waiting()).isEqualTo(1);
    handled(handOut(1, at(6), "bot").getFirst(), 7);
    assertThat(session("s").waiting()).isZero();
    assertThat(session("other").waiting()).isEqualTo(1);
  }

  // ---- lists

  @Test
  void the_session_with_the_latest_word_comes_first() {
    for (int i = 0; i < 6; i++) {
      hear(i % 2 == 0 ? "bot" : "other", "s" + i, i);
    }
    hear("s2", 9);

    for (int limit : List.of(1, 2, 3, 6, 50)) {
      assertThat(walk(null, limit)).containsExactly("s2", "s5", "s4", "s3", "s1", "s0");
      assertThat(walk("bot", limit)).containsExactly("s2", "s4", "s0");
      assertThat(walk("other", limit)).containsExactly("s5", "s3", "s1");
      assertThat(walk("nobody", limit)).isEmpty();
    }
  }

  @Test
  void sessions_of_the_same_moment_are_each_listed_once() {
    List<String> names = List.of("a-b", "-", "", "ä", "a\"b", "😀", "a/b", "0-1-2", "a", "A");
    names.forEach(name -> hear(name, 1));

    for (int limit : List.of(1, 2, 3, 10, 11)) {
      assertThat(walk(null, limit)).hasSize(10).containsExactlyInAnyOrderElementsOf(names);
      assertThat(walk("bot", limit)).isEqualTo(walk(null, 50));
    }
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    for (String cursor : List.of("x", "", "-", "x-y")) {
      assertThatThrownBy(() -> desk().sessions(null, cursor, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
  }

  // ---- pauses

  private void pause(String session, long second) {
    assertThat(done(desk().pauseSession(session, "on holiday", at(second)))).isTrue();
  }

  private void resume(String session) {
    assertThat(done(desk().resumeSession(session))).isTrue();
  }

  @Test
  void a_paused_session_says_so_until_it_is_resumed() {
    hear("s", 0);
    pause("s", 1);

    SessionView paused =
        new SessionView("s", "bot", "chat of s", null, 1, at(0), "on holiday", at(1));
    assertThat(session("s")).isEqualTo(paused);
    assertThat(done(desk().pauseSession("s", "another reason", at(2)))).isTrue();
    assertThat(session("s")).isEqualTo(paused);
    reopen();
    assertThat(session("s")).isEqualTo(paused);
    resume("s");
    assertThat(session("s")).isEqualTo(view("s", 1, 0));
    assertThat(done(desk().resumeSession("s"))).isFalse();
  }

  @Test
  void nobody_pauses_a_session_that_is_not_there() {
    assertThat(done(desk().pauseSession("s", "why not", at(0)))).isFalse();
    assertThat(done(desk().resumeSession("s"))).isFalse();
    assertThat(desk().session("s")).isEmpty();
  }

  @Test
  void a_head_that_waits_is_held_back_and_its_session_only() {
    InboundId held = hear("s", 0);
    InboundId other = hear("t", 0);
    pause("s", 1);

    handOut(other, 2);
    assertThat(done(desk().nextDue(Set.of("bot"), at(-1)))).isEmpty();
    reopen();
    assertThat(handOut(3)).isEmpty();
    resume("s");

    handOut(held, 4);
  }

  @Test
  void a_head_that_waits_for_its_time_keeps_it_over_a_pause() {
    InboundId id = hear("s", 0);
    again(handOut(id, 1), 2, 20);
    pause("s", 3);
    assertThat(done(desk().nextDue(Set.of("bot"), at(3)))).isEmpty();
    resume("s");

    assertThat(done(desk().nextDue(Set.of("bot"), at(3)))).contains(at(20));
    assertThat(handOut(19)).isEmpty();
    handOut(id, 20);
  }

  @Test
  void what_comes_for_a_paused_session_is_held_back() {
    handled(handOut(hear("s", 0), 1), 1);
    pause("s", 2);
    InboundId first = hear("s", 3);
    hear("s", 4);

    assertThat(handOut(5)).isEmpty();
    resume("s");

    handOut(first, 6);
  }

  @Test
  void whoever_has_an_event_may_go_on_but_it_is_not_handed_out_again() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);
    pause("s", 2);

    assertThat(event(id)).isEqualTo(given);
    assertThat(done(desk().extend(present(given.handling().lease()), at(90)))).isTrue();
    assertThat(ids(desk().expiredLeases(at(90), 9))).containsExactly(id);
    again(given, 91, 91);
    assertThat(handOut(100)).isEmpty();
    resume("s");

    handOut(id, 100);
  }

  @Test
  void after_a_head_that_ended_in_a_pause_the_next_is_held_back() {
    StoredInbound first = handOut(hear("s", 0), 1);
    InboundId second = hear("s", 2);
    InboundId third = hear("s", 2);
    pause("s", 3);

    handled(first, 4);
    assertThat(handOut(5)).isEmpty();
    resume("s");
    StoredInbound given = handOut(second, 6);
    pause("s", 7);
    failed(given, 8);
    assertThat(handOut(9)).isEmpty();
    resume("s");

    handOut(third, 10);
  }

  @Test
  void a_session_that_is_resumed_while_somebody_has_its_head_goes_on_as_ever() {
    InboundId first = hear("s", 0);
    InboundId second = hear("s", 0);
    StoredInbound given = handOut(first, 1);
    pause("s", 2);
    resume("s");

    assertThat(handOut(3)).isEmpty();
    again(given, 4, 4);
    handled(handOut(first, 5), 5);
    handOut(second, 6);
  }

  @Test
  void a_dead_letter_that_is_replayed_into_a_paused_session_is_held_back() {
    InboundId dead = dead("s", 0);
    pause("s", 1);

    InboundId again = new InboundId(nextLease());
    assertThat(done(desk().replay(dead, again, at(2)))).isPresent();
    assertThat(handOut(3)).isEmpty();
    resume("s");

    handOut(again, 4);
  }
}
