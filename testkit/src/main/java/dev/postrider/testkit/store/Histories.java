package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbound.InboundId;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was heard and said in a session: all of it, once, the newest first. */
abstract class Histories extends InboundStoreBehaviour {
  Histories(StoreContract contract) {
    super(contract);
  }

  private SessionReply say(String session, long second) {
    MessageDraft draft = saying(session, second).unordered();
    return present(follow(ended(draft, Status.DELIVERED, at(second)), second).mirrored());
  }

  private List<SessionEntry> walk(String session, int limit) {
    List<SessionEntry> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<SessionEntry> page = desk().history(session, cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.items());
      cursor = page.next();
      assertThat(all).as("a list that ends").hasSizeLessThan(1_000);
    } while (cursor != null);
    return all;
  }

  private SessionEntry heard(InboundId id) {
    return new SessionEntry.Heard(event(id));
  }

  private static SessionEntry said(SessionReply message) {
    return new SessionEntry.Said(message);
  }

  @Test
  void a_delivered_message_is_added_as_the_person_saw_it() {
    MessageDraft draft =
        saying("s", 1)
            .with(
                to ->
                    to.threadId("t")
                        .dispatchKind(DispatchKind.FINAL)
                        .metadata(Map.of("order", "77")))
            .plan(part("one"), part("two"), part("three"));
    StoredMessage sending = sending(draft);
    Progress progress =
        new Progress(
            List.of(
                PartState.PENDING.delivered(new Receipt("r1 ✓ \"", false)),
                PartState.PENDING.failed(),
                PartState.PENDING.delivered(new Receipt("", true))));
    settle(SettlementDraft.of(sending, lease).at(at(4)).progress(progress));

    EndEffects followed = follow(sending, 9);

    SessionReply expected =
        new SessionReply("s", at(4), sending.id(), sending.message(), List.of("r1 ✓ \"", ""));
    assertThat(followed).isEqualTo(new EndEffects(expected, null));
    assertThat(desk().history("s", null, 9).items()).containsExactly(said(expected));
    reopen();
    assertThat(walk("s", 1)).containsExactly(said(expected));
  }

  private static Part part(String text) {
    return new Part(text, null, List.of(), List.of());
  }

  @Test
  void a_message_is_added_once() {
    SessionReply message = say("s", 1);

    assertThat(follow(message.id(), 2)).isEqualTo(EndEffects.NOTHING);

    assertThat(walk("s", 9)).hasSize(1);
  }

  @Test
  void what_did_not_arrive_was_not_said() {
    for (Status status : List.of(Status.FAILED, Status.EXPIRED, Status.HELD, Status.CANCELLED)) {
      StoredMessage message = ended(saying("s", 1).unordered(), status, at(2));
      assertThat(follow(message, 3)).isEqualTo(EndEffects.NOTHING);
    }

    assertThat(walk("s", 9)).isEmpty();
  }

  @Test
  void a_message_may_be_of_a_turn_and_of_another_session() {
    InboundId id = hear("s", 0);
    var given = handOut(id, 1);
    StoredMessage message =
        ended(answer(id).with(to -> to.sessionId("t")), Status.DELIVERED, at(2));

    assertThat(follow(message, 3).mirrored()).isNotNull();

    assertThat(walk("s", 9)).containsExactly(new SessionEntry.Heard(given));
    assertThat(walk("t", 9)).hasSize(1);
  }

  @Test
  void what_was_heard_and_said_is_one_list_the_newest_first() {
    InboundId first = hear("s", 1);
    SessionReply second = say("s", 2);
    InboundId third = hear("s", 3);
    InboundId fourth = hear("s", 4);
    SessionReply fifth = say("s", 5);
    SessionReply sixth = say("s", 6);
    hear("t", 4);
    say("t", 4);
    List<SessionEntry> expected =
        List.of(said(sixth), said(fifth), heard(fourth), heard(third), said(second), heard(first));

    for (int limit : List.of(1, 2, 3, 4, 5, 6, 7, 50)) {
      assertThat(walk("s", limit)).as("by %d", limit).isEqualTo(expected);
    }
    assertThat(walk("nothing here", 9)).isEmpty();
    reopen();
    assertThat(walk("s", 2)).isEqualTo(expected);
  }

  @Test
  void an_event_is_heard_whatever_became_of_it() {
    InboundId dead = dead("s", 1);
    InboundId again = new InboundId(nextLease());
    done(desk().replay(dead, again, at(3)));
    done(desk().discard(dead, at(4)));
    InboundId waiting = hear("s", 5);

    assertThat(walk("s", 9)).containsExactly(heard(waiting), heard(again), heard(dead));
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33})
  void entries_of_the_same_moment_are_each_listed_once(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 40; i++) {
      if (random.nextBoolean()) {
        hear("s", random.nextInt(4));
      } else {
        say("s", random.nextInt(4));
      }
    }

    List<SessionEntry> all = walk("s", 100);
    assertThat(all).as("seed %d", seed).hasSize(40).doesNotHaveDuplicates();
    assertThat(all.stream().map(SessionEntry::at).toList())
        .isSortedAccordingTo(Comparator.<Instant>reverseOrder());
    for (int limit : List.of(1, 2, 3, 7, 39, 40, 41)) {
      assertThat(walk("s", limit)).as("seed %d, by %d", seed, limit).isEqualTo(all);
    }
  }

  @Test
  void of_the_same_moment_what_was_said_is_newer_and_events_keep_their_order() {
    InboundId first = hear("s", 1);
    InboundId second = hear("s", 1);
    SessionReply answer = say("s", 1);
    InboundId third = hear("s", 1);

    assertThat(walk("s", 1))
        .containsExactly(said(answer), heard(third), heard(second), heard(first));
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    for (String cursor : List.of("x", "", "1", "1-2", "1-2-x", "x-2-" + nextLease())) {
      assertThatThrownBy(() -> desk().history("s", cursor, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
  }
}
