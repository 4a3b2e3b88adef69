package dev.postrider.channels.nostr;

import static dev.postrider.channels.nostr.NostrAccount.ME;
import static dev.postrider.channels.nostr.NostrAccount.connected;
import static dev.postrider.channels.nostr.NostrAccount.next;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.ReachableHosts;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NostrRelay;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two accounts on a relay that somebody else wrote, which asks who we are. */
@Timeout(600)
@VerifiedAgainst(value = "@nostr-relay/core 0.0.40", channels = "nostr")
class NostrRelayTest {
  private static final NostrKey BOB = GiftWrapsTest.key(22);

  @TempDir static Path folder;
  private static NostrRelay relay;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    relay = NostrRelay.start(folder.resolve("relay.db"), "127.0.0.1");
  }

  @AfterAll
  static void end() throws Exception {
    if (relay != null) {
      relay.close();
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private NostrAccount account(int key) throws Exception {
    NostrAccount account =
        connected(
            AccountConfig.of("nos", "nostr")
                .set("privateKey", "%064x".formatted(key))
                .set("relays", relay.url())
                .set("publishInbox", true)
                .set("mentions", true));
    opened.add(account);
    next(account.cursors);
    return account;
  }

  /** The relay is that of all tests, so what others have said may come first. */
  private static InboundMessage nextSaying(String text, NostrAccount account)
      throws InterruptedException {
    while (true) {
      InboundMessage next = next(account.arrived);
      if (text.equals(next.text())) {
        return next;
      }
    }
  }

  private static String npub(NostrKey key) {
    return NostrNames.npub(key.publicKey());
  }

  /** Says something to the relay and gives its answer. */
  private static String said(String message) throws Exception {
    try (HttpSender http =
            HttpSender.of(Settings.of(AccountConfig.of("x", "nostr")), Secrets.of());
        TextWebSocket socket = http.webSocket(java.net.URI.create(relay.url()))) {
      socket.say(message);
      while (true) {
        if (socket.next(Duration.ofMinutes(2)) instanceof TextWebSocket.Heard.Said(String text)
            && !text.startsWith("[\"AUTH\"")) {
          return text;
        }
      }
    }
  }

  @Test
  void two_accounts_write_to_each_other_in_private() throws Exception {
    NostrAccount me = account(7);
    NostrAccount bob = account(22);
    awaitInbox(BOB);
    Outcome sent = me.link().send(me.part(npub(BOB), "hello \"Bob\"\n\\ ☕"));
    assertThat(sent).isInstanceOf(Outcome.Delivered.class);

    InboundMessage got = nextSaying("hello \"Bob\"\n\\ ☕", bob);
    assertThat(got.chat()).isEqualTo(npub(ME));
    Outcome answer =
        bob.link()
            .send(bob.part(Message.to("nos", got.chat()).text("hello").replyToId(got.messageId())));
    assertThat(answer).isInstanceOf(Outcome.Delivered.class);
    InboundMessage back = nextSaying("hello", me);
    assertThat(back.replyToId()).isEqualTo(((Outcome.Delivered) sent).receipt().id());
  }

  @Test
  void a_repeat_is_known_and_a_changed_event_is_refused() throws Exception {
    NostrAccount me = account(7);
    Dispatch part = me.part("notes", "once");
    Outcome first = me.link().send(part);

    assertThat(first).isInstanceOf(Outcome.Delivered.class);
    assertThat(me.link().send(part)).isEqualTo(first);
    NostrEvent note = NostrEvent.signed(BOB, 1_772_366_400, 1, List.of(), "ten coins");
    String ok = said("[\"EVENT\"," + note.json().replace("ten coins", "ten thousand") + "]");
    assertThat(ok).contains("\"OK\"").contains("false").contains("invalid:");
    assertThat(NostrVerdict.read(false, "invalid: id is wrong", "h", note.id()))
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_public_reply_reaches_who_is_answered() throws Exception {
    NostrAccount me = account(7);
    NostrAccount bob = account(22);
    Outcome.Delivered note = (Outcome.Delivered) me.link().send(me.part("notes", "who is there?"));
    String id = note.receipt().id();

    assertThat(bob.link().send(bob.part(Message.to("nos", "notes").text("me").replyToId(id))))
        .isInstanceOf(Outcome.Delivered.class);

    InboundMessage reply = nextSaying("me", me);
    assertThat(reply.threadId()).isEqualTo(id);
    assertThat(reply.chat()).isEqualTo("notes");
  }

  /** The relay tells a hundred at a time. */
  @Test
  void what_came_while_nobody_listened_is_read_page_by_page() throws Exception {
    NostrKey dan = GiftWrapsTest.key(44);
    Set<String> sent = new HashSet<>();
    GiftWraps wraps = new GiftWraps(ME);
    long now = java.time.Instant.now().getEpochSecond();
    Relay at = visit();
    for (int i = 0; i < 130; i++) {
      NostrEvent rumor =
          NostrEvent.rumor(
              ME.publicKey(), now, 14, List.of(List.of("p", dan.publicKey())), "message " + i);
      assertThat(at.publish(wraps.wrap(rumor, dan.publicKey(), "p" + i)))
          .isInstanceOf(Outcome.Delivered.class);
      sent.add("message " + i);
    }
    NostrAccount later = account(44);

    Set<String> got = new HashSet<>();
    while (got.size() < sent.size()) {
      got.add(next(later.arrived).text());
    }
    assertThat(got).isEqualTo(sent);
    assertThat(at.find(Map.of("kinds", List.of(1059), "#p", List.of(dan.publicKey()))))
        .as("all that it tells at once")
        .hasSize(100);
  }

  /** Until somebody has said where they read private messages. */
  private void awaitInbox(NostrKey person) throws Exception {
    Relay at = visit();
    Map<String, Object> list =
        Map.of("kinds", List.of(10050), "authors", List.of(person.publicKey()));
    while (at.find(list).isEmpty()) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** A connection of our own, beside those of the accounts. */
  private Relay visit() throws Exception {
    SystemScheduler time = new SystemScheduler();
    HttpSender http = HttpSender.of(Settings.of(AccountConfig.of("x", "nostr")), Secrets.of());
    CompletableFuture<Void> known = new CompletableFuture<>();
    Relay at =
        new RelayConnector(
                http,
                new Relay.Terms(ME, time, Duration.ofMinutes(2), Duration.ofMinutes(2)),
                new ReachableHosts(List.of()))
            .connect(java.net.URI.create(relay.url()));
    Thread follower =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    at.follow(new Introduced(known));
                  } catch (Exception e) {
                    known.completeExceptionally(e);
                  }
                });
    opened.add(time);
    opened.add(http);
    opened.add(at);
    known.get(2, TimeUnit.MINUTES);
    assertThat(follower.isAlive()).isTrue();
    return at;
  }

  /** Hears that the relay knows who we are. */
  private record Introduced(CompletableFuture<Void> known) implements Relay.Ear {
    @Override
    public void event(String subscription, JsonNode event) {}

    @Override
    public void toldAll(String subscription) {}

    @Override
    public void introduced() {
      known.complete(null);
    }

    @Override
    public void closed(String subscription, String why) {}
  }
}
