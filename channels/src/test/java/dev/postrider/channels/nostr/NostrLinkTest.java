package dev.postrider.channels.nostr;

import static dev.postrider.channels.nostr.NostrAccount.ME;
import static dev.postrider.channels.nostr.NostrAccount.config;
import static dev.postrider.channels.nostr.NostrAccount.connected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.nostr.FakeRelay.Answer;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.PartState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sending: to whom, over which relays, and what their answers come to. */
@Timeout(120)
class NostrLinkTest {
  private static final NostrKey BOB = GiftWrapsTest.key(22);
  private static final NostrKey CAT = GiftWrapsTest.key(33);
  private static final String TO_BOB = NostrNames.npub(BOB.publicKey());
  private static final long THEN = 1_700_000_000;

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private FakeRelay relay() throws Exception {
    FakeRelay relay = new FakeRelay();
    opened.add(relay);
    return relay;
  }

  private NostrAccount account(AccountConfig config) throws Exception {
    NostrAccount account = connected(config);
    opened.add(account);
    return account;
  }

  /** Says on a relay where somebody reads private messages. */
  static void inbox(FakeRelay at, NostrKey person, FakeRelay... relays) {
    at.has(
        NostrEvent.signed(
            person,
            THEN,
            NostrEvent.INBOX_RELAYS,
            Stream.of(relays).map(relay -> List.of("relay", relay.url() + "/")).toList(),
            ""));
  }

  private static NostrEvent opened(NostrKey reader, FakeRelay relay) throws Exception {
    return new GiftWraps(reader)
        .unwrap(
            relay.stored(NostrEvent.GIFT_WRAP).stream()
                .filter(wrap -> reader.publicKey().equals(wrap.tag("p")))
                .findFirst()
                .orElseThrow());
  }

  private static String id(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    return ((Outcome.Delivered) outcome).receipt().id();
  }

  @Test
  void a_private_message_goes_to_the_inbox_relays_of_its_receiver_and_a_copy_to_our_own()
      throws Exception {
    FakeRelay ours = relay();
    FakeRelay bobs = relay();
    inbox(ours, BOB, bobs);
    NostrAccount account = account(config(ours));

    Outcome outcome = account.link().send(account.part(TO_BOB, "hello **Bob**"));

    NostrEvent rumor = opened(BOB, bobs);
    assertThat(id(outcome)).isEqualTo(rumor.id());
    assertThat(rumor.kind()).isEqualTo(NostrEvent.CHAT);
    assertThat(rumor.publicKey()).isEqualTo(ME.publicKey());
    assertThat(rumor.content()).isEqualTo("hello **Bob**");
    assertThat(rumor.tags()).containsExactly(List.of("p", BOB.publicKey()));
    assertThat(opened(ME, ours)).as("our copy").isEqualTo(rumor);
    assertThat(ours.handed).as("only our copy").hasSize(1);
    assertThat(bobs.introduced).as("nobody has to know who writes to Bob").isEmpty();
  }

  @Test
  void who_has_no_inbox_relays_is_not_written_to() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).contains(TO_BOB).contains("10050");
            });
    assertThat(ours.handed).isEmpty();
  }

  @Test
  void who_has_no_inbox_relays_is_written_to_on_ours_if_we_say_so() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours).set("sendWithoutInbox", true));

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(opened(BOB, ours).content()).isEqualTo("hello");
  }

  @Test
  void inbox_relays_are_looked_for_elsewhere_too_and_known_for_a_while() throws Exception {
    FakeRelay ours = relay();
    FakeRelay collector = relay();
    inbox(collector, BOB, ours);
    NostrAccount account = account(config(ours).set("lookupRelays", collector.url()));

    assertThat(account.link().send(account.part(TO_BOB, "one")))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(account.link().send(account.part(TO_BOB, "two")))
        .isInstanceOf(Outcome.Delivered.class);

    assertThat(collector.connections).hasValue(1);
  }

  @Test
  void where_to_send_it_is_not_guessed_when_a_relay_does_not_tell() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));
    NostrAccount.next(account.cursors);
    ours.closesQuestions = true;

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOfSatisfying(
            Outcome.NotSent.class, it -> assertThat(it.cause()).contains("shutting down"));
  }

  @Test
  void a_forged_list_of_inbox_relays_is_not_believed() throws Exception {
    FakeRelay ours = relay();
    FakeRelay eves = relay();
    inbox(ours, BOB, ours);
    NostrEvent forged =
        NostrEvent.rumor(
            BOB.publicKey(),
            THEN + 1,
            NostrEvent.INBOX_RELAYS,
            List.of(List.of("relay", eves.url())),
            "");
    ours.has(
        new NostrEvent(
            forged.id(),
            forged.publicKey(),
            forged.createdAt(),
            forged.kind(),
            forged.tags(),
            "",
            "00".repeat(64)));
    NostrAccount account = account(config(ours));
    ours.page = 2;

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOf(Outcome.Rejected.class); // all that came was the forged one
    assertThat(eves.handed).isEmpty();
  }

  @Test
  void a_relay_in_a_private_network_is_not_connected_to_because_somebody_names_it()
      throws Exception {
    FakeRelay ours = relay();
    FakeRelay inside = relay();
    inbox(ours, BOB, inside);
    NostrAccount account = account(config(ours).set("allowedNetworks", "10.0.0.0/8"));

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("allowedNetworks"));
    assertThat(inside.connections).hasValue(0);
  }

  @Test
  void without_a_copy_for_ourselves_if_we_say_so() throws Exception {
    FakeRelay ours = relay();
    FakeRelay bobs = relay();
    inbox(ours, BOB, bobs);
    NostrAccount account = account(config(ours).set("copyToSelf", false));

    account.link().send(account.part(TO_BOB, "hello"));

    assertThat(ours.handed).isEmpty();
  }

  @Test
  void a_copy_that_is_refused_is_told_and_does_not_fail_the_message() throws Exception {
    FakeRelay ours = relay();
    FakeRelay bobs = relay();
    inbox(ours, BOB, bobs);
    NostrAccount account = account(config(ours));
    ours.refuse("restricted: not for you");

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class, it -> assertThat(it.note()).contains("copy"));
  }

  @Test
  void a_group_gets_a_wrap_each() throws Exception {
    FakeRelay ours = relay();
    inbox(ours, BOB, ours);
    inbox(ours, CAT, ours);
    NostrAccount account = account(config(ours));
    String group = NostrChannel.chat(List.of(CAT.publicKey(), BOB.publicKey()));

    assertThat(account.link().send(account.part(group, "hello all")))
        .isInstanceOf(Outcome.Delivered.class);

    assertThat(opened(CAT, ours)).isEqualTo(opened(BOB, ours));
    assertThat(opened(CAT, ours).all("p"))
        .containsExactlyInAnyOrder(BOB.publicKey(), CAT.publicKey());
  }

  @Test
  void a_reply_names_what_it_answers_and_a_subject_goes_along() throws Exception {
    FakeRelay ours = relay();
    inbox(ours, BOB, ours);
    NostrAccount account = account(config(ours));
    String answered = "ab".repeat(32);

    account
        .link()
        .send(
            account.part(
                Message.to("nos", TO_BOB)
                    .text("yes")
                    .replyToId(answered)
                    .channelData(java.util.Map.of("subject", "Lunch"))));

    assertThat(opened(BOB, ours).tags())
        .containsExactly(
            List.of("p", BOB.publicKey()), List.of("e", answered), List.of("subject", "Lunch"));
  }

  @Test
  void a_retry_is_the_same_event_to_the_byte_even_after_a_restart() throws Exception {
    FakeRelay ours = relay();
    inbox(ours, BOB, ours);
    NostrAccount account = account(config(ours).set("timeout", "3s"));
    Dispatch part = account.part(TO_BOB, "hello");
    ours.answer(new Answer.Silence());

    assertThat(account.link().send(part)).isInstanceOf(Outcome.Unknown.class);
    account.stop();
    NostrAccount after = new NostrAccount(config(ours));
    after.memory = account.memory;
    opened.add(after);
    after.listen();
    NostrAccount.next(after.readiness);
    NostrAccount.next(after.readiness);
    assertThat(after.link().send(part)).isInstanceOf(Outcome.Delivered.class);

    List<NostrEvent> toBob =
        ours.handed.stream().filter(e -> BOB.publicKey().equals(e.tag("p"))).toList();
    assertThat(toBob).hasSize(2);
    assertThat(toBob.get(0).json()).isEqualTo(toBob.get(1).json());
    assertThat(ours.stored(NostrEvent.GIFT_WRAP)).as("with our copy").hasSize(2);
  }

  @Test
  void parts_of_one_second_are_dated_one_after_the_other() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));
    for (String text : List.of("one", "two", "three")) {
      account.link().send(account.part("notes", text));
    }

    List<Long> dates = ours.handed.stream().map(NostrEvent::createdAt).toList();
    assertThat(dates).hasSize(3).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void a_note_is_public() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));

    Outcome outcome = account.link().send(account.part("notes", "hello\u0001 world\u0007\n✓"));

    NostrEvent note = ours.handed.getFirst();
    assertThat(id(outcome)).isEqualTo(note.id());
    assertThat(note.kind()).isEqualTo(NostrEvent.NOTE);
    assertThat(note.publicKey()).isEqualTo(ME.publicKey());
    assertThat(note.content()).isEqualTo("hello world\n✓");
    assertThat(note.tags()).isEmpty();
  }

  @Test
  void a_public_reply_names_the_root_the_parent_and_all_who_take_part() throws Exception {
    FakeRelay ours = relay();
    NostrEvent root = NostrEvent.signed(CAT, THEN, NostrEvent.NOTE, List.of(), "first");
    NostrEvent parent =
        NostrEvent.signed(
            BOB,
            THEN + 1,
            NostrEvent.NOTE,
            List.of(
                List.of("e", root.id(), "", "root", CAT.publicKey()),
                List.of("p", CAT.publicKey()),
                List.of("p", ME.publicKey())),
            "second");
    ours.has(root);
    ours.has(parent);
    NostrAccount account = account(config(ours));

    account.link().send(account.part(Message.to("nos", "notes").text("a").replyToId(root.id())));
    account.link().send(account.part(Message.to("nos", "notes").text("b").replyToId(parent.id())));

    assertThat(ours.handed.get(0).tags())
        .containsExactly(
            List.of("e", root.id(), "", "root", CAT.publicKey()), List.of("p", CAT.publicKey()));
    assertThat(ours.handed.get(1).tags())
        .containsExactly(
            List.of("e", root.id(), "", "root", CAT.publicKey()),
            List.of("e", parent.id(), "", "reply", BOB.publicKey()),
            List.of("p", BOB.publicKey()),
            List.of("p", CAT.publicKey()));
  }

  @Test
  void a_note_that_answers_what_no_relay_has_goes_out_without_the_answer() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));
    Dispatch part = account.part(Message.to("nos", "notes").text("a").replyToId("ab".repeat(32)));

    Outcome first = account.link().send(part);

    assertThat(first)
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    Dispatch repaired =
        new Dispatch(
            part.id(),
            part.message(),
            part.plan(),
            0,
            new PartState(PartState.State.PENDING, null, List.of(new Fix.DropReply()), null),
            List.of());
    assertThat(account.link().send(repaired)).isInstanceOf(Outcome.Delivered.class);
    assertThat(ours.handed.getFirst().tags()).isEmpty();
  }

  @Test
  void an_answer_that_may_have_arrived_waits_for_the_relay_that_may_have_what_it_answers()
      throws Exception {
    FakeRelay ours = relay();
    FakeRelay away = relay();
    AccountConfig config = config(ours, away).set("quorum", 1);
    away.close();
    NostrAccount account = account(config);
    Dispatch part = account.part(Message.to("nos", "notes").text("a").replyToId("ab".repeat(32)));

    assertThat(account.link().send(part.inDoubt(Instant.now())))
        .isInstanceOfSatisfying(
            Outcome.NotSent.class, it -> assertThat(it.cause()).contains("1 of 2 relays"));
    assertThat(account.link().send(part))
        .as("none that would be another can have arrived")
        .isInstanceOf(Outcome.Repairable.class);
    assertThat(ours.handed).isEmpty();
  }

  @Test
  void a_retry_is_the_same_event_however_much_was_said_meanwhile() throws Exception {
    FakeRelay ours = relay();
    NostrAccount account = account(config(ours));
    Dispatch waits = account.part("notes", "first");
    ours.refuse("error: not now");
    assertThat(account.link().send(waits)).isInstanceOf(Outcome.NotSent.class);
    for (int i = 0; i < 40; i++) {
      assertThat(account.link().send(account.part("notes", "meanwhile " + i)))
          .isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(account.link().send(waits)).isInstanceOf(Outcome.Delivered.class);
    assertThat(ours.handed.getLast().json()).isEqualTo(ours.handed.getFirst().json());
  }

  @Test
  void what_is_delivered_leaves_nothing_to_be_remembered_but_the_chats_last_second()
      throws Exception {
    FakeRelay ours = relay();
    inbox(ours, BOB, ours);
    NostrAccount account = account(config(ours));
    for (String to : List.of("notes", TO_BOB)) {
      Dispatch part = account.part(to, "x");
      assertThat(account.link().send(part))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it ->
                  assertThat(it.memory())
                      .singleElement()
                      .matches(one -> one.value() == null && one.key().endsWith(part.key())));
    }
  }

  // ---- what the relays' answers come to

  private Outcome noteTo(int quorum, FakeRelay... relays) throws Exception {
    NostrAccount account = account(config(relays).set("quorum", quorum).set("timeout", "3s"));
    for (FakeRelay relay : relays) { // all of them, and not only the first ones
      while (account.link().probe() instanceof Probe.Healthy(String told)
          && !told.contains("on %d of %d".formatted(relays.length, relays.length))) {
        LockSupport.parkNanos(1_000_000);
      }
      while (relay.open.isEmpty()) { // it has answered, and may not have noted it yet
        LockSupport.parkNanos(1_000_000);
      }
    }
    return account.link().send(account.part("notes", "hello"));
  }

  @Test
  void a_quorum_of_relays_is_enough() throws Exception {
    FakeRelay one = relay();
    FakeRelay two = relay();
    FakeRelay three = relay().refuse("blocked: no");
    assertThat(noteTo(2, one, two, three)).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_relay_that_does_not_read_keeps_nobody_waiting_and_does_not_hold_the_account()
      throws Exception {
    FakeRelay reads = relay();
    FakeRelay stuck = relay();
    assertThat(noteTo(1, reads, stuck)).isInstanceOf(Outcome.Delivered.class);
    NostrAccount account = (NostrAccount) opened.getLast();
    stuck.readsNoMore = true;
    String text = "x".repeat(60_000);
    for (int i = 0; i < 120; i++) { // more than the buffers of both ends hold
      assertThat(account.link().send(account.part("notes", text)))
          .isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(stuck.handed).hasSizeLessThan(3);
    account.stop(); // it ends all the same
    assertThat(NostrAccount.next(account.ends)).isNotEmpty();
  }

  @Test
  void most_of_the_relays_are_the_quorum_unless_it_is_set() {
    FakeRelay[] none = {};
    AccountConfig three =
        config(none)
            .set("relays", List.of("wss://a.example", "wss://b.example", "wss://c.example"));
    assertThat(NostrSettings.of(dev.postrider.channels.Settings.of(three)).quorum()).isEqualTo(2);
    assertThat(
            NostrSettings.of(dev.postrider.channels.Settings.of(three.set("quorum", 3))).quorum())
        .isEqualTo(3);
  }

  @Test
  void fewer_than_the_quorum_may_still_become_enough() throws Exception {
    FakeRelay one = relay();
    FakeRelay two = relay().answer(new Answer.Silence());
    assertThat(noteTo(2, one, two))
        .isInstanceOfSatisfying(
            Outcome.Unknown.class,
            it -> assertThat(it.cause()).contains("1 of 2 relays took it, 2 must"));
  }

  @Test
  void too_many_refusals_are_final() throws Exception {
    FakeRelay one = relay();
    FakeRelay two = relay().refuse("invalid: the event is too far in the past");
    assertThat(noteTo(2, one, two))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("too far in the past");
            });
  }

  @Test
  void a_relay_that_has_it_already_has_taken_it() throws Exception {
    assertThat(noteTo(1, relay().refuse("duplicate: have it")))
        .isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_connection_that_breaks_before_the_answer_leaves_the_outcome_unknown() throws Exception {
    assertThat(noteTo(1, relay().answer(new Answer.HangUp()))).isInstanceOf(Outcome.Unknown.class);
    assertThat(noteTo(1, relay().answer(new Answer.HalfAWord())))
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(noteTo(1, relay().answer(new Answer.Silence()))).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_receiver_whose_relays_are_away_keeps_nobody_else_waiting() throws Exception {
    FakeRelay ours = relay();
    FakeRelay gone = relay();
    inbox(ours, BOB, gone);
    gone.close();
    NostrAccount account = account(config(ours));

    Outcome first = account.link().send(account.part(TO_BOB, "hello"));

    assertThat(first).isInstanceOf(Outcome.Unreachable.class);
    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .as("in the same words")
        .isEqualTo(first);
    assertThat(account.link().server(TO_BOB)).isEqualTo(TO_BOB);
    assertThat(account.link().server("notes")).isNull();
  }

  @Test
  void a_relay_that_asks_who_we_are_is_told_and_gets_the_event() throws Exception {
    FakeRelay ours = relay();
    FakeRelay bobs = relay();
    bobs.wantsToKnowWho = true;
    inbox(ours, BOB, bobs);
    NostrAccount account = account(config(ours));

    assertThat(account.link().send(account.part(TO_BOB, "hello")))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(bobs.introduced).containsExactly(ME.publicKey());
    assertThat(bobs.handed).hasSize(2);
  }

  @Test
  void an_event_that_a_relay_says_is_too_long_is_not_sent_there() throws Exception {
    FakeRelay ours = relay();
    ours.document = "{\"limitation\":{\"max_message_length\":5000}}";
    NostrAccount account = account(config(ours));

    assertThat(account.link().send(account.part("notes", "x".repeat(4900))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("5000 bytes"));
    assertThat(account.link().send(account.part("notes", "x".repeat(4000))))
        .isInstanceOf(Outcome.Delivered.class);
    ours.document = "{\"limitation\":{\"max_content_length\":4200}}";
    NostrAccount other = account(config(ours));
    assertThat(other.link().send(other.part("notes", "ü".repeat(4201))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("4200 characters"));
  }

  @Test
  void without_a_connection_nothing_is_sent() throws Exception {
    NostrAccount account = new NostrAccount(config(relay()));
    opened.add(account);

    assertThat(account.link().send(account.part("notes", "hello")))
        .isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_probe_tells_who_we_are_with_and_without_a_standing_connection() throws Exception {
    FakeRelay ours = relay();
    String npub = NostrNames.npub(ME.publicKey());
    assertThat(account(config(ours)).link().probe())
        .isEqualTo(new Probe.Healthy(npub + " on 1 of 1 relays"));
    NostrAccount idle = new NostrAccount(config(ours));
    opened.add(idle);
    assertThat(idle.link().probe()).isEqualTo(new Probe.Healthy(npub + " on 1 of 1 relays"));
    ours.close();
    NostrAccount alone = new NostrAccount(config(ours));
    opened.add(alone);
    assertThat(alone.link().probe()).isInstanceOf(Probe.Unreachable.class);
  }
}
