package dev.postrider.channels.twitch;

import static dev.postrider.channels.twitch.FakeTwitch.ANN;
import static dev.postrider.channels.twitch.FakeTwitch.BOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Probe;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.WebSocketPeer;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listening over EventSub's socket, whose other end is played here. */
@Timeout(300)
class TwitchSocketTest {
  private final StillTime time = new StillTime();
  private final FakeTwitch twitch = new FakeTwitch(time);
  private final WebSocketPeer peer;
  private final BlockingQueue<Exception> ended = new LinkedBlockingQueue<>();
  private TestInlet inlet = new TestInlet(null, Integer.MAX_VALUE);
  private Link link;
  private Thread listening;

  TwitchSocketTest() throws Exception {
    peer = new WebSocketPeer();
  }

  @AfterEach
  void close() throws Exception {
    if (listening != null) {
      listening.interrupt();
      listening.join();
    }
    if (link != null) {
      link.close();
    }
    peer.close();
    twitch.close();
  }

  private void listen(AccountConfig config) {
    link =
        new TwitchChannel()
            .open(
                new TestAccount(
                    config.set("eventsubUrl", peer.url() + "/ws"), time, new ArrayList<>()));
    assertThat(link.listens()).isTrue();
    listening = Thread.ofVirtual().start(this::listenAgain);
  }

  private AccountConfig listener() {
    return twitch.account().set("listenTo", List.of("Ann"));
  }

  private Exception end() throws Exception {
    Exception end = ended.poll(300, TimeUnit.SECONDS);
    assertThat(end).as("listening has ended").isNotNull();
    return end;
  }

  private static String message(String type, Object payload) {
    return Json.write(
        Map.of(
            "metadata",
            Map.of(
                "message_id",
                "e1",
                "message_type",
                type,
                "message_timestamp",
                "2026-03-01T12:00:00.634234626Z"),
            "payload",
            payload));
  }

  private static String welcome(String id, int seconds) {
    return message(
        "session_welcome",
        Map.of("session", Map.of("id", id, "keepalive_timeout_seconds", seconds)));
  }

  private static String said(String id, String user, String text) {
    return message(
        "notification",
        Map.of(
            "subscription",
            Map.of("type", "channel.chat.message"),
            "event",
            Map.of(
                "broadcaster_user_id",
                ANN,
                "chatter_user_id",
                user,
                "chatter_user_login",
                "bob",
                "chatter_user_name",
                "Bob",
                "message_id",
                id,
                "message",
                Map.of("text", text),
                "reply",
                Map.of("parent_message_id", "p1", "thread_message_id", "t1"))));
  }

  private static String revocation(String broadcaster, String status) {
    return message(
        "revocation",
        Map.of(
            "subscription",
            Map.of(
                "type",
                "channel.chat.message",
                "status",
                status,
                "condition",
                Map.of("broadcaster_user_id", broadcaster))));
  }

  private WebSocketPeer.Connection welcomed(int seconds) throws Exception {
    WebSocketPeer.Connection connection = peer.accept();
    connection.say(welcome("session-1", seconds));
    return connection;
  }

  @Test
  void a_link_that_is_closed_hangs_up() throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection connection = welcomed(300)) {
      inlet.connected.await();

      link.close();

      assertThat(connection.hear()).as("hung up").isNull();
      assertThat(end()).hasMessageContaining("socket ended");
    }
  }

  private void heard(int count) throws Exception {
    listening.join(50_000);
    assertThat(inlet.arrivals()).hasSize(count);
  }

  @Test
  void what_people_say_is_handed_in_and_what_we_say_is_left_out() throws Exception {
    inlet = new TestInlet(null, 2);
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      assertThat(socket.path()).isEqualTo("/ws?keepalive_timeout_seconds=30");
      inlet.connected.await();
      socket.say(said("m0", BOT, "that was me"));
      socket.say(message("session_keepalive", Map.of()));
      socket.say(said("m1", "42", "hello"));
      socket.say(
          message(
              "notification",
              Map.of(
                  "subscription",
                  Map.of("type", "channel.chat.message_delete"),
                  "event",
                  Map.of("broadcaster_user_id", ANN, "target_user_id", "42", "message_id", "m1"))));
      heard(2);
    }
    InboundMessage first = inlet.arrivals().getFirst();
    assertThat(first.platformId()).isEqualTo("m1");
    assertThat(first.chat()).isEqualTo(ANN);
    assertThat(first.sender()).isEqualTo(new InboundMessage.Sender("42", "Bob"));
    assertThat(first.text()).isEqualTo("hello");
    assertThat(first.replyToId()).isEqualTo("p1");
    assertThat(first.threadId()).isEqualTo("t1");
    assertThat(first.sentAt()).isEqualTo("2026-03-01T12:00:00.634234626Z");
    assertThat(inlet.arrivals().getLast().kind()).isEqualTo(InboundMessage.Kind.OTHER);
    assertThat(twitch.subscriptions)
        .extracting(body -> body.path("type").asString())
        .containsExactly("channel.chat.message", "channel.chat.message_delete");
    assertThat(twitch.subscriptions.getFirst().toString())
        .contains("\"session_id\":\"session-1\"")
        .contains("\"broadcaster_user_id\":\"12826\"")
        .contains("\"user_id\":\"141981764\"");
  }

  @Test
  void a_new_address_is_taken_over_without_a_gap() throws Exception {
    inlet = new TestInlet(null, 4);
    listen(listener());
    try (WebSocketPeer.Connection old = welcomed(30)) {
      old.say(said("m1", "42", "before"));
      old.say(
          message(
              "session_reconnect",
              Map.of("session", Map.of("reconnect_url", peer.url() + "/elsewhere?id=secret"))));
      try (WebSocketPeer.Connection next = peer.accept()) {
        assertThat(next.path()).isEqualTo("/elsewhere?id=secret");
        old.say(said("m2", "42", "while we go"));
        next.say(welcome("session-1", 30));
        old.say(said("m3", "42", "the old one's last words"));
        old.hangUp(4004, "");
        next.say(said("m4", "42", "after"));
        heard(4);
      }
    }
    assertThat(inlet.arrivals())
        .extracting(InboundMessage::platformId)
        .containsExactly("m1", "m2", "m3", "m4");
    assertThat(twitch.subscriptions).as("nothing is subscribed to again").hasSize(2);
  }

  private static String reconnect(String address) {
    return message("session_reconnect", Map.of("session", Map.of("reconnect_url", address)));
  }

  private List<String> heardIds() {
    return inlet.arrivals().stream().map(InboundMessage::platformId).toList();
  }

  @Test
  void where_nobody_is_at_the_new_address_the_old_connection_is_heard_to_its_end_and_then_anew()
      throws Exception {
    inlet = new TestInlet(null, 3);
    listen(listener());
    try (WebSocketPeer.Connection old = welcomed(30)) {
      old.say(said("m1", "42", "before"));
      old.say(reconnect("ws://127.0.0.1:1/nobody"));
      old.say(said("m2", "42", "Twitch keeps it for a while"));
      old.hangUp(4004, "");
      assertThat(end()).hasMessageContaining("we did not go on elsewhere in time");
    }
    assertThat(heardIds()).containsExactly("m1", "m2");

    listening = Thread.ofVirtual().start(this::listenAgain); // the engine's next round
    try (WebSocketPeer.Connection anew = peer.accept()) {
      anew.say(welcome("session-2", 30));
      anew.say(said("m3", "42", "after"));
      heard(3);
    }
    assertThat(twitch.subscriptions).as("subscribed to again").hasSize(4);
    assertThat(twitch.subscriptions.getLast().toString()).contains("session-2");
  }

  private void listenAgain() {
    try {
      link.listen(inlet);
    } catch (Exception e) {
      ended.add(e);
    }
  }

  @Test
  void where_the_new_address_welcomes_nobody_the_next_one_that_twitch_names_is_tried()
      throws Exception {
    inlet = new TestInlet(null, 3);
    listen(listener());
    try (WebSocketPeer.Connection old = welcomed(30)) {
      old.say(reconnect(peer.url() + "/first"));
      try (WebSocketPeer.Connection first = peer.accept()) {
        old.say(said("m1", "42", "meanwhile"));
        first.say("{\"hello\":1}");
        assertThat(first.hear()).as("left").isNull();
      }
      old.say(said("m2", "42", "still here"));
      old.say(reconnect(peer.url() + "/second"));
      try (WebSocketPeer.Connection second = peer.accept()) {
        second.say(welcome("session-1", 30));
        second.say(said("m3", "42", "moved"));
        heard(3);
      }
    }
    assertThat(heardIds()).containsExactly("m1", "m2", "m3");
  }

  @Test
  void a_server_that_restarts_is_listened_to_again_and_asked_for_the_same() throws Exception {
    inlet = new TestInlet(null, 2);
    listen(listener());
    int port = peer.port();
    try (WebSocketPeer.Connection first = welcomed(30)) {
      inlet.connected.await();
      first.say(said("m1", "42", "before"));
      first.close();
      peer.close();
    }
    assertThat(end()).hasMessageContaining("1006");
    listenAgain();
    assertThat(end()).hasMessageContaining("nobody at 127.0.0.1");

    try (WebSocketPeer back = new WebSocketPeer(port)) {
      listening = Thread.ofVirtual().start(this::listenAgain);
      try (WebSocketPeer.Connection second = back.accept()) {
        second.say(welcome("session-2", 30));
        second.say(said("m2", "42", "after"));
        heard(2);
      }
    }
    assertThat(heardIds()).containsExactly("m1", "m2");
    assertThat(twitch.subscriptions).hasSize(4);
  }

  @Test
  void a_connection_that_has_fallen_silent_is_left_and_never_spoken_to() throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(1)) {
      assertThat(end()).hasMessage("Twitch's socket has fallen silent");
      assertThat(socket.hear()).as("whoever speaks there is thrown out").isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4000, trouble at Twitch",
    "4001, we said something",
    "4002, we did not answer a ping",
    "4003, nothing was subscribed to in time",
    "4004, we did not go on elsewhere in time",
    "4005, trouble in the network",
    "4006, trouble in the network",
    "4007, the address to go on at was wrong",
    "1012, restart"
  })
  void why_it_ends_is_said(int code, String why) throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      inlet.connected.await();
      socket.hangUp(code, "restart");
      assertThat(end()).hasMessage("Twitch's socket ended: " + code + " " + why);
    }
  }

  @Test
  void a_connection_that_is_cut_in_the_middle_of_a_message_ends() throws Exception {
    listen(listener());
    WebSocketPeer.Connection socket = welcomed(30);
    inlet.connected.await();
    socket.close();
    assertThat(end()).hasMessageContaining("Twitch's socket ended: 1006");
  }

  @Test
  void somebody_who_does_not_welcome_us_is_not_eventsub() throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say("{\"hello\":1}");
      assertThat(end()).hasMessageContaining("does not welcome us");
    }
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      inlet.connected.await();
      socket.say("no json");
      assertThat(end()).hasMessageContaining("speaks no JSON");
    }
  }

  @Test
  void an_authorisation_that_was_withdrawn_is_named() throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      inlet.connected.await();
      socket.say(revocation(ANN, "authorization_revoked"));
      assertThat(end())
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("was withdrawn")
          .hasMessageContaining("authorise it again");
    }
  }

  @Test
  void a_chat_that_is_closed_to_us_does_not_keep_us_from_the_others() throws Exception {
    twitch.closed.add("777");
    inlet = new TestInlet(null, 1);
    listen(twitch.account().set("listenTo", List.of("777", "ann", "#nobody")));
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      inlet.connected.await();
      socket.say(said("m1", "42", "hello"));
      heard(1);
    }
    assertThat(link.probe())
        .isEqualTo(
            new Probe.Healthy(
                "rider, does not hear #nobody: nobody on Twitch is called nobody,"
                    + " does not hear 777: 403 subscription missing proper authorization"));
  }

  @Test
  void when_the_last_chat_is_taken_back_listening_ends_and_says_why() throws Exception {
    listen(listener());
    try (WebSocketPeer.Connection socket = welcomed(30)) {
      inlet.connected.await();
      socket.say(revocation("777", "user_removed"));
      socket.say(revocation(ANN, "chat_user_banned"));
      assertThat(end())
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("does not hear #ann")
          .hasMessageContaining("chat_user_banned");
    }
  }

  @Test
  void a_scope_that_is_missing_is_named_before_anything_is_tried() throws Exception {
    twitch.scopes = List.of("user:write:chat");
    listen(listener());
    assertThat(end())
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("the token lacks the scope user:read:chat");
  }

  @Test
  void an_apps_own_token_cannot_listen_here() throws Exception {
    listen(twitch.app().set("listenTo", "ann"));
    assertThat(end())
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("takes no app's token");
  }

  @Test
  void a_limit_on_subscribing_is_waited_for() throws Exception {
    listen(twitch.account().set("listenTo", "12826"));
    try (WebSocketPeer.Connection socket = peer.accept()) {
      twitch.helix.answer(FakeTwitch.error(429, "slower").header("Ratelimit-Reset", "1"));
      socket.say(welcome("s", 30));
      inlet.connected.await();
      assertThat(inlet.failures).singleElement().asString().contains("429 slower");
      assertThat(twitch.subscriptions).hasSize(2);
    }
  }
}
