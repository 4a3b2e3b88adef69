package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of a chat that gets another name. */
abstract class JoinedSessions extends InboundStoreBehaviour {
  private static final String OLD = "bot/old";
  private static final String NEW = "bot/new";

  JoinedSessions(StoreContract contract) {
    super(contract);
  }

  /** Something comes in from this chat of bot. */
  private InboundId from(String chat, long second) {
    return from(chat, null, second);
  }

  private InboundId from(String chat, @Nullable String thread, long second) {
    InboundId id = new InboundId(MessageDraft.nextId().value());
    InboundMessage arrival =
        new InboundMessage(
            "platform's " + id,
            InboundMessage.Kind.MESSAGE,
            chat,
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", "Ann"),
            "hello",
            List.of(),
            null,
            null,
            thread,
            null,
            Map.of());
    String session = SessionKey.DEFAULT.of("bot", arrival);
    return hear("bot", new NewInbound(id, arrival, session, at(second)));
  }

  private void move(String from, String to) {
    assertThat(done(store.moveLane(lease, from, to, SessionKey.DEFAULT, at(50)))).isPresent();
  }

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

  private SessionView session(String id) {
    return desk().session(id).orElseThrow();
  }

  /** Handles all that is handed out, one at a time. */
  private List<InboundId> drain(long second) {
    List<InboundId> order = new ArrayList<>();
    for (List<StoredInbound> next = handOut(second); !next.isEmpty(); next = handOut(second)) {
      assertThat(next).as("one at a time").hasSize(1);
      order.add(next.getFirst().id());
      handled(next.getFirst(), second);
    }
    return order;
  }

  // ---- what waits

  @Test
  void messages_are_handed_out_in_the_order_in_which_they_came() {
    InboundId first = from("new", 1);
    InboundId second = from("old", 2);
    InboundId third = from("new", 3);
    InboundId fourth = from("old", 4);

    move("old", "new");
    reopen();

    assertThat(session(NEW))
        .isEqualTo(new SessionView(NEW, "bot", "new", null, 4, at(4), null, null));
    assertThat(session(OLD)).isEqualTo(session(NEW));
    assertThat(desk().sessions(null, null, 9).items()).containsExactly(session(NEW));
    assertThat(desk().sessions("bot", null, 9).items()).containsExactly(session(NEW));
    assertThat(event(second).sessionId()).isEqualTo(NEW);
    assertThat(drain(60)).containsExactly(first, second, third, fourth);
    assertThat(session(NEW).waiting()).isZero();
  }

  @Test
  void sessions_are_joined_when_a_platform_tells_of_another_name() {
    InboundId first = from("old", 1);
    tell("old", "new");

    InboundId second = from("new", 2);
    InboundId third = from("old", 3); // by whoever has not heard of it

    assertThat(session(NEW).waiting()).isEqualTo(3);
    assertThat(drain(9)).containsExactly(first, second, third);
    move("old", "new");
    assertThat(session(OLD)).isEqualTo(session(NEW));
  }

  @Test
  void threads_are_joined_to_their_like() {
    from("old", 1);
    from("old", "t", 2);
    from("new", "t", 3);
    from("old", "u", 4);

    move("old", "new");

    assertThat(desk().sessions(null, null, 9).items())
        .extracting(SessionView::id)
        .containsExactly("bot/new/u", "bot/new/t", NEW);
    assertThat(session("bot/old/t").waiting()).isEqualTo(2);
  }

  @Test
  void a_session_that_is_not_named_after_its_chat_stays_what_it_is() {
    InboundId mine = from("old", 1);
    hear("other", said("other/old", at(1)));
    handled(handOut(mine, 1), 1);
    follow(
        ended(saying("my own", 1).with(to -> to.sessionId("my own")), Status.DELIVERED, at(2)), 2);
    SessionKey key = new SessionKey("{account}/{sender}");

    done(store.moveLane(lease, "old", "new", key, at(50)));

    assertThat(session(OLD).id()).isEqualTo(OLD);
    assertThat(session("my own").id()).isEqualTo("my own");
    assertThat(session("other/old").waiting()).isEqualTo(1);
  }

  @Test
  void a_chat_that_moves_again_takes_all_along_under_every_name() {
    InboundId first = from("a", 1);
    move("a", "b");
    InboundId second = from("a", 2);
    InboundId third = from("b", 3);
    move("b", "c");
    InboundId fourth = from("a", 4);
    InboundId fifth = from("b", 5);

    for (String name : List.of("bot/a", "bot/b", "bot/c")) {
      assertThat(session(name).id()).isEqualTo("bot/c");
    }
    assertThat(drain(60)).containsExactly(first, second, third, fourth, fifth);
  }

  @Test
  void a_session_that_began_with_a_message_for_the_former_name_moves_on_too() {
    move("a", "b");
    InboundMessage arrival = event(from("a", 1)).arrival();
    InboundId named = new InboundId(MessageDraft.nextId().value());
    hear("bot", new NewInbound(named, arrival, "bot/b", at(2))); // known already
    InboundId second =
        hear("bot", new NewInbound(named, withId(arrival, "another"), "bot/b", at(3)));

    move("b", "c");

    assertThat(event(second).sessionId()).isEqualTo("bot/c");
  }

  private static InboundMessage withId(InboundMessage like, String platformId) {
    return new InboundMessage(
        platformId,
        like.kind(),
        like.chat(),
        like.chatKind(),
        like.sender(),
        like.text(),
        like.media(),
        like.messageId(),
        like.replyToId(),
        like.threadId(),
        like.sentAt(),
        like.raw());
  }

  // ---- what somebody has

  @Test
  void leases_hold_and_nothing_is_handed_out_beside_them() {
    InboundId first = from("old", 1);
    InboundId second = from("old", 2);
    StoredInbound given = handOut(first, 3);
    InboundId third = from("new", 4);

    move("old", "new");

    assertThat(handOut(51)).isEmpty();
    assertThat(done(desk().extend(present(given.handling().lease()), at(90)))).isTrue();
    assertThat(desk().leased(present(given.handling().lease()))).isPresent();
    handled(given, 52);
    assertThat(drain(60)).containsExactly(second, third);
  }

  @Test
  void a_message_that_is_given_back_comes_again_before_the_next() {
    InboundId first = from("old", 1);
    StoredInbound given = handOut(first, 3);
    InboundId second = from("new", 4);
    move("old", "new");

    again(given, 51, 55);

    assertThat(handOut(54)).isEmpty();
    assertThat(drain(60)).containsExactly(first, second);
  }

  @Test
  void of_two_that_are_being_handled_the_last_to_end_lets_the_next_one_go() {
    InboundId first = from("old", 1);
    InboundId second = from("new", 2);
    List<StoredInbound> given = handOut(3);
    assertThat(ids(given)).containsExactly(first, second);
    InboundId third = from("old", 4);
    move("old", "new");

    handled(given.getFirst(), 51);
    assertThat(handOut(52)).isEmpty();
    handled(given.getLast(), 53);

    assertThat(drain(60)).containsExactly(third);
  }

  @Test
  void of_two_that_are_being_handled_one_given_back_waits_for_the_other() {
    InboundId first = from("old", 1);
    InboundId second = from("new", 2);
    List<StoredInbound> given = handOut(3);
    move("old", "new");
    reopen();

    again(given.getFirst(), 51, 51);
    assertThat(handOut(52)).isEmpty();
    again(given.getLast(), 53, 53);

    assertThat(drain(60)).containsExactly(first, second);
  }

  @Test
  void an_earlier_message_waits_for_a_later_one_that_is_being_handled() {
    handled(handOut(from("old", 1), 1), 1);
    InboundId earlier = from("new", 2);
    done(desk().pauseSession(NEW, "later", at(3)));
    StoredInbound given = handOut(from("old", 3), 4);
    done(desk().resumeSession(NEW));

    move("old", "new");

    assertThat(handOut(51)).isEmpty();
    handled(given, 52);
    assertThat(drain(60)).containsExactly(earlier);
  }

  /** Some wait, some are being handled, given back, paused: each is handled once, and none lost. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whatever_was_under_way_all_is_handled_one_at_a_time(long seed) {
    Random random = new Random(seed);
    List<InboundId> all = new ArrayList<>();
    List<StoredInbound> given = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      all.add(from(random.nextBoolean() ? "old" : "new", i));
      if (random.nextInt(3) == 0) {
        given.addAll(handOut(i));
      }
      if (!given.isEmpty() && random.nextInt(3) == 0) {
        StoredInbound one = given.remove(random.nextInt(given.size()));
        if (random.nextBoolean()) {
          handled(one, i);
          all.remove(one.id());
        } else {
          again(one, i, i);
        }
      }
    }
    move("old", "new");
    all.add(from("old", 51));
    Collections.shuffle(given, random);
    while (!given.isEmpty()) {
      assertThat(handOut(52)).isEmpty();
      StoredInbound one = given.removeFirst();
      if (random.nextBoolean()) {
        handled(one, 52);
        all.remove(one.id());
      } else {
        again(one, 52, 52);
      }
    }

    assertThat(session(NEW).waiting()).isEqualTo(all.size());
    assertThat(drain(60)).isEqualTo(all);
  }

  // ---- pauses

  @Test
  void a_pause_goes_along() {
    InboundId first = from("old", 1);
    InboundId second = from("new", 2);
    done(desk().pauseSession(OLD, "Ann sees to it", at(3)));

    move("old", "new");

    assertThat(session(NEW))
        .isEqualTo(new SessionView(NEW, "bot", "new", null, 2, at(2), "Ann sees to it", at(3)));
    assertThat(handOut(51)).isEmpty();
    assertThat(done(desk().resumeSession(OLD))).isTrue();
    assertThat(session(NEW).pausedBecause()).isNull();
    assertThat(drain(60)).containsExactly(first, second);
  }

  @Test
  void a_pause_that_is_there_stays_and_holds_what_comes() {
    InboundId first = from("old", 1);
    from("new", 2);
    done(desk().pauseSession(OLD, "one reason", at(3)));
    done(desk().pauseSession(NEW, "another", at(4)));

    move("old", "new");

    assertThat(session(NEW).pausedBecause()).isEqualTo("another");
    assertThat(session(NEW).pausedSince()).isEqualTo(at(4));
    assertThat(handOut(51)).isEmpty();
    done(desk().resumeSession(NEW));
    handOut(first, 52);
  }

  @Test
  void a_session_is_paused_by_either_name_also_while_two_are_being_handled() {
    from("old", 1);
    from("new", 2);
    List<StoredInbound> given = handOut(3);
    InboundId third = from("new", 4);
    move("old", "new");

    assertThat(done(desk().pauseSession(OLD, "by hand", at(51)))).isTrue();
    given.forEach(one -> handled(one, 52));
    assertThat(handOut(53)).isEmpty();
    assertThat(done(desk().resumeSession(OLD))).isTrue();

    handOut(third, 54);
  }

  // ---- histories

  @Test
  void what_was_heard_and_said_is_one_history() {
    InboundId first = from("old", 1);
    follow(ended(saying(OLD, 2), Status.DELIVERED, at(2)), 2);
    InboundId second = from("new", 3);
    follow(ended(saying(NEW, 4), Status.DELIVERED, at(4)), 4);

    move("old", "new");
    follow(ended(saying(OLD, 60), Status.DELIVERED, at(60)), 60);

    List<SessionEntry> history = desk().history(NEW, null, 9).items();
    assertThat(history)
        .extracting(SessionEntry::at)
        .containsExactly(at(60), at(4), at(3), at(2), at(1));
    assertThat(desk().history(OLD, null, 9).items()).isEqualTo(history);
    assertThat(ids(store.inbound(new InboundFilter(null, OLD, null), null, 9).items()))
        .containsExactly(second, first);
    assertThat(session(OLD).lastAt()).isEqualTo(at(60));
  }

  @Test
  void a_dead_letter_is_replayed_into_the_session_that_its_own_was_joined_to() {
    InboundId dead = from("old", 1);
    failed(handOut(dead, 2), 3);
    move("old", "new");

    InboundId again = new InboundId(nextLease());
    StoredInbound replay = done(desk().replay(dead, again, at(51))).orElseThrow();

    assertThat(replay.sessionId()).isEqualTo(NEW);
    assertThat(session(NEW).waiting()).isEqualTo(1);
    assertThat(drain(60)).containsExactly(again);
  }

  @Test
  void a_former_name_is_known_when_all_that_was_heard_is_forgotten() {
    handled(handOut(from("old", 1), 2), 3);
    move("old", "new");

    done(store.pruneInbound(at(1_000), 99));
    assertThat(desk().session(NEW)).isEmpty();
    assertThat(desk().sessions(null, null, 9).items()).isEmpty();

    follow(ended(saying(OLD, 2_000), Status.DELIVERED, at(2_000)), 2_000);
    assertThat(event(from("old", 2_001)).sessionId()).isEqualTo(NEW);
    assertThat(session(OLD).id()).isEqualTo(NEW);
  }
}
