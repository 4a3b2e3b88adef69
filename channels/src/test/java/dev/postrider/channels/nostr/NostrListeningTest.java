package dev.postrider.channels.nostr;

import static dev.postrider.channels.nostr.NostrAccount.ME;
import static dev.postrider.channels.nostr.NostrAccount.config;
import static dev.postrider.channels.nostr.NostrAccount.connected;
import static dev.postrider.channels.nostr.NostrAccount.next;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes in, over connections that break. */
@Timeout(300)
class NostrListeningTest {
  private static final NostrKey BOB = GiftWrapsTest.key(22);
  private static final NostrKey CAT = GiftWrapsTest.key(33);
  private static final String FROM_BOB = NostrNames.npub(BOB.publicKey());

  private final List<AutoCloseable> opened = new ArrayList<>();
  private int parts;

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

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  private NostrEvent rumor(NostrKey author, int kind, List<List<String>> tags, String text) {
    return NostrEvent.rumor(author.publicKey(), now(), kind, tags, text);
  }

  private NostrEvent chat(NostrKey author, String text) {
    return rumor(author, NostrEvent.CHAT, List.of(List.of("p", ME.publicKey())), text);
  }

  private NostrEvent wrapped(NostrKey author, NostrEvent rumor) {
    return new GiftWraps(author).wrap(rumor, ME.publicKey(), "part " + parts++);
  }

  @Test
  void a_private_message_comes_in_whether_it_waited_or_is_new() throws Exception {
    FakeRelay relay = relay();
    NostrEvent waited = chat(BOB, "before");
    relay.has(wrapped(BOB, waited));
    NostrAccount account = account(config(relay));

    InboundMessage first = next(account.arrived);
    assertThat(first.text()).isEqualTo("before");
    assertThat(first.platformId()).isEqualTo(waited.id());
    assertThat(first.messageId()).isEqualTo(waited.id());
    assertThat(first.chat()).isEqualTo(FROM_BOB);
    assertThat(first.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(first.sender().id()).isEqualTo(FROM_BOB);
    assertThat(first.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(first.sentAt()).isEqualTo(Instant.ofEpochSecond(waited.createdAt()));
    next(account.cursors);
    relay.has(wrapped(BOB, chat(BOB, "after")));
    assertThat(next(account.arrived).text()).isEqualTo("after");
    assertThat(Json.write(first.raw())).doesNotContain(NostrAccount.SECRET);
  }

  @Test
  void replies_reactions_files_and_groups_are_told_as_such() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay));
    String said = "ab".repeat(32);
    relay.has(
        wrapped(
            BOB,
            rumor(
                BOB,
                NostrEvent.CHAT,
                List.of(List.of("p", ME.publicKey()), List.of("e", said)),
                "yes")));
    assertThat(next(account.arrived).replyToId()).isEqualTo(said);
    relay.has(wrapped(BOB, rumor(BOB, NostrEvent.REACTION, List.of(List.of("e", said)), "+")));
    InboundMessage reaction = next(account.arrived);
    assertThat(reaction.kind()).isEqualTo(Kind.REACTION);
    assertThat(reaction.messageId()).isEqualTo(said);
    relay.has(
        wrapped(
            BOB,
            rumor(
                BOB,
                NostrEvent.CHAT,
                List.of(List.of("p", ME.publicKey()), List.of("p", CAT.publicKey())),
                "all")));
    InboundMessage group = next(account.arrived);
    assertThat(group.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(group.chat())
        .isEqualTo(NostrChannel.chat(List.of(BOB.publicKey(), CAT.publicKey())));
    relay.has(
        wrapped(
            BOB,
            rumor(
                BOB,
                NostrEvent.FILE,
                List.of(List.of("file-type", "image/png"), List.of("size", "12")),
                "https://files.example/a")));
    InboundMessage file = next(account.arrived);
    assertThat(file.media()).hasSize(1);
    assertThat(file.media().getFirst().kind()).isEqualTo("image");
    assertThat(file.media().getFirst().url()).isEqualTo("https://files.example/a");
  }

  @Test
  void what_is_forged_broken_or_our_own_is_left_out() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay));
    relay.has(wrapped(CAT, chat(BOB, "Cat says that Bob says")));
    relay.has(wrapped(ME, chat(ME, "our own copy")));
    relay.say("[\"EVENT\",\"private\",{\"kind\":1059}]");
    relay.say("[\"EVENT\",\"private\"]");
    relay.say("[\"NOTICE\",\"maintenance at noon\"]");
    NostrEvent notForUs = new GiftWraps(BOB).wrap(chat(BOB, "x"), CAT.publicKey(), "p");
    relay.say("[\"EVENT\",\"private\"," + notForUs.json() + "]");
    relay.has(wrapped(BOB, chat(BOB, "genuine")));

    assertThat(next(account.arrived).text()).isEqualTo("genuine");
    assertThat(account.arrived).isEmpty();
  }

  @Test
  void the_same_message_on_three_relays_and_after_a_restart_comes_in_once() throws Exception {
    FakeRelay[] relays = {relay(), relay(), relay()};
    NostrEvent rumor = chat(BOB, "once");
    for (FakeRelay relay : relays) {
      relay.has(wrapped(BOB, rumor)); // wrapped anew for each: other events, one message
    }
    NostrAccount account = account(config(relays));
    for (int i = 0; i < 3; i++) {
      next(account.cursors);
    }
    account.stop();
    account.listen();
    for (int i = 0; i < 3; i++) {
      next(account.cursors);
    }

    assertThat(account.arrived).hasSize(1);
    assertThat(next(account.arrived).platformId()).isEqualTo(rumor.id());
  }

  @Test
  void a_connection_begins_two_days_before_the_last_one_ended() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = new NostrAccount(config(relay));
    opened.add(account);
    account.cursor = "{\"" + relay.url() + "\":1700000000}";
    account.listen();

    long since = Json.readArray(next(relay.questions)).path(2).path("since").asLong();
    assertThat(since).isEqualTo(1700000000 - NostrInbox.LOOK_BACK.toSeconds());
    assertThat(Json.readObject(next(account.cursors)).path(relay.url()).asLong())
        .as("read until now")
        .isGreaterThan(1700000000);
  }

  @Test
  void an_account_that_listens_for_the_first_time_begins_now() throws Exception {
    FakeRelay relay = relay();
    NostrEvent old =
        NostrEvent.rumor(
            BOB.publicKey(),
            now() - 3600,
            NostrEvent.CHAT,
            List.of(List.of("p", ME.publicKey())),
            "an hour ago");
    relay.has(wrapped(BOB, old));
    NostrAccount account = new NostrAccount(config(relay));
    opened.add(account);
    account.cursor = null;
    account.listen();
    next(account.cursors);
    assertThat(account.arrived).isEmpty();

    NostrEvent slow = // by a clock that is behind
        NostrEvent.rumor(
            BOB.publicKey(),
            now() - 600,
            NostrEvent.CHAT,
            List.of(List.of("p", ME.publicKey())),
            "just now");
    relay.has(wrapped(BOB, slow));
    assertThat(next(account.arrived).text()).isEqualTo("just now");
    account.stop();
    relay.has(wrapped(BOB, chat(BOB, "meanwhile")));
    account.listen();
    assertThat(next(account.arrived).text()).as("and after a restart too").isEqualTo("meanwhile");
    assertThat(account.arrived).isEmpty();
  }

  @Test
  void more_than_a_relay_tells_at_once_is_read_page_by_page() throws Exception {
    FakeRelay relay = relay();
    relay.page = 4;
    Set<String> sent = new HashSet<>();
    for (int i = 0; i < 18; i++) {
      relay.has(wrapped(BOB, chat(BOB, "message " + i)));
      sent.add("message " + i);
    }
    NostrAccount account = account(config(relay));
    next(account.cursors);

    Set<String> got = new HashSet<>();
    account.arrived.forEach(message -> got.add(message.text()));
    assertThat(got).isEqualTo(sent);
  }

  @Test
  void public_notes_that_name_us_come_in_if_we_want_them() throws Exception {
    FakeRelay relay = relay();
    NostrEvent root = NostrEvent.signed(ME, now(), NostrEvent.NOTE, List.of(), "ours");
    NostrEvent reply =
        NostrEvent.signed(
            BOB,
            now(),
            NostrEvent.NOTE,
            List.of(
                List.of("e", root.id(), "", "root", ME.publicKey()), List.of("p", ME.publicKey())),
            "well said");
    relay.has(root);
    relay.has(reply);
    NostrAccount without = account(config(relay));
    next(without.cursors);
    assertThat(without.arrived).isEmpty();

    NostrAccount with = account(config(relay).set("mentions", true));
    InboundMessage note = next(with.arrived);
    assertThat(note.chat()).isEqualTo("notes");
    assertThat(note.chatKind()).isEqualTo(ChatKind.CHANNEL);
    assertThat(note.threadId()).isEqualTo(root.id());
    assertThat(note.replyToId()).isEqualTo(root.id());
    assertThat(note.messageId()).isEqualTo(reply.id());
  }

  @Test
  void a_relay_that_tells_only_whom_it_knows_is_told_who_we_are() throws Exception {
    FakeRelay relay = relay();
    relay.wantsToKnowWho = true;
    relay.has(wrapped(BOB, chat(BOB, "for your eyes")));
    NostrAccount account = account(config(relay));

    assertThat(next(account.arrived).text()).isEqualTo("for your eyes");
    assertThat(relay.introduced).containsExactly(ME.publicKey());
  }

  @Test
  void a_relay_that_lets_us_not_listen_and_never_asks_who_we_are_is_left_with_its_words()
      throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay).set("timeout", "3s"));
    next(account.cursors);
    relay.say("[\"CLOSED\",\"private\",\"restricted: members only\"]");

    assertThat(next(account.ends)).contains("members only");
    assertThat(next(account.readiness)).startsWith("not ready");
  }

  @Test
  void our_inbox_relays_are_published_if_we_say_so() throws Exception {
    FakeRelay relay = relay();
    account(config(relay));
    NostrAccount account = account(config(relay).set("publishInbox", true));
    relay.has(wrapped(BOB, chat(BOB, "hello")));
    next(account.arrived);
    while (relay.stored(NostrEvent.INBOX_RELAYS).isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }

    NostrEvent list = relay.stored(NostrEvent.INBOX_RELAYS).getFirst();
    assertThat(list.publicKey()).isEqualTo(ME.publicKey());
    assertThat(list.all("relay")).containsExactly(relay.url());
  }

  // ---- connections that break

  @Test
  void the_account_is_ready_while_a_quorum_stands_and_says_who_is_away_when_it_does_not()
      throws Exception {
    FakeRelay one = relay();
    FakeRelay two = relay();
    FakeRelay three = relay();
    three.close();
    NostrAccount account = account(config(one, two, three)); // ready with two of three
    one.close();

    assertThat(next(account.ends)).contains("2 of 3 relays are away, 2 must be there");
    assertThat(next(account.readiness)).startsWith("not ready");
    assertThat(account.link().send(account.part("notes", "hello")))
        .isInstanceOf(Outcome.Unreachable.class);
    while (!two.open.isEmpty()) { // no connection is left behind
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void a_relay_that_restarts_is_connected_to_again_by_the_next_round() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay));
    next(account.cursors);
    relay.cutAll();

    assertThat(next(account.ends)).contains("the connection to 127.0.0.1 ended");
    assertThat(next(account.readiness)).startsWith("not ready");
    relay.has(wrapped(BOB, chat(BOB, "meanwhile")));
    account.listen();
    assertThat(next(account.readiness)).isEqualTo("ready");
    assertThat(next(account.arrived).text()).isEqualTo("meanwhile");
    assertThat(relay.connections).hasValue(2);
  }

  @Test
  void a_single_relay_that_breaks_is_called_again_while_the_others_do_the_work() throws Exception {
    FakeRelay one = relay();
    FakeRelay two = relay();
    NostrAccount account = account(config(one, two).set("quorum", 1));
    next(account.cursors);
    next(account.cursors);
    two.cutAll();
    two.has(wrapped(BOB, chat(BOB, "on the second relay alone")));

    assertThat(account.link().send(account.part("notes", "hello")))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(next(account.arrived).text()).isEqualTo("on the second relay alone");
    assertThat(account.ends).as("the others were not disturbed").isEmpty();
    assertThat(one.connections).hasValue(1);
  }

  @Test
  void a_half_open_connection_is_found_by_a_ping() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay).set("idle", "200ms"));
    next(account.cursors);
    relay.deaf = true;

    assertThat(next(account.ends)).contains("silent");
  }

  @Test
  void a_relay_that_speaks_no_nostr_is_left() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = account(config(relay));
    next(account.cursors);
    relay.say("<h1>Welcome to our hotel</h1>");

    assertThat(next(account.ends)).contains("speaks no Nostr");
  }

  @Test
  void closing_while_it_connects_leaves_no_connection() throws Exception {
    FakeRelay relay = relay();
    NostrAccount account = new NostrAccount(config(relay));
    account.listen();
    account.close();

    while (!relay.open.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(next(account.ends)).isNotNull();
  }
}
