package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.WebSocketPeer;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SlackSocketTest {
  private static final String HELLO = "{\"type\":\"hello\",\"num_connections\":1}";

  private final FakePlatform slack = FakePlatform.start();
  private final WebSocketPeer peer;
  private final Basket basket = new Basket();
  private final CompletableFuture<@Nullable Exception> ended = new CompletableFuture<>();
  private Link link;
  private Thread listening;

  SlackSocketTest() throws Exception {
    peer = new WebSocketPeer();
  }

  @BeforeEach
  void open() {
    slack.otherwise(_ -> FakeSlack.ok(Map.of("url", peer.address())));
    listen("30s");
  }

  private void listen(String idle) {
    link =
        new SlackChannel()
            .open(
                TestAccount.of(
                    AccountConfig.of("sl", "slack")
                        .set("token", "xoxb-very-secret")
                        .set("appToken", "xapp-very-secret")
                        .set("baseUrl", slack.baseUrl())
                        .set("idle", idle)));
  }

  private void start() {
    assertThat(link.listens()).isTrue();
    listening =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) { // as the engine does, but for its pauses
                      link.listen(basket);
                    }
                  } catch (Exception e) {
                    ended.complete(e);
                  }
                });
  }

  @AfterEach
  void close() throws Exception {
    if (listening != null) {
      listening.interrupt();
      listening.join();
    }
    link.close();
    peer.close();
    slack.close();
  }

  /** What the engine would do with what it hears. */
  private static final class Basket implements InboundSink {
    final AtomicInteger connections = new AtomicInteger();
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<InboundMessage> taken = new CopyOnWriteArrayList<>();
    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    volatile boolean full;

    @Override
    public @Nullable String cursor() {
      return null;
    }

    @Override
    public void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String cursor,
        List<Remembered> memory) {
      if (full) {
        throw new IllegalStateException("no room");
      }
      taken.addAll(arrivals);
    }

    @Override
    public void connected() {
      connections.incrementAndGet();
    }

    @Override
    public void failing(String cause) {
      failures.add(cause);
    }

    @Override
    public boolean pause(Duration duration) {
      pauses.add(duration);
      return true;
    }
  }

  private static String envelope(String id, String text) {
    return Json.write(
        Map.of(
            "type",
            "events_api",
            "envelope_id",
            id,
            "payload",
            Map.of(
                "type",
                "event_callback",
                "event_id",
                "Ev" + id,
                "event",
                Map.of(
                    "type", "message", "channel", "C1", "user", "U1", "text", text, "ts",
                    "17.1"))));
  }

  private static String acknowledged(String id) {
    return "{\"envelope_id\":\"" + id + "\"}";
  }

  private String cause() throws Exception {
    return String.valueOf(ended.get(5, TimeUnit.MINUTES));
  }

  @Test
  void what_is_stored_is_acknowledged() throws Exception {
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say(HELLO);
      socket.say(envelope("e1", "héllo 🌍".repeat(40)));
      assertThat(socket.hear()).isEqualTo(acknowledged("e1"));
      assertThat(basket.connections).as("hello says that we hear").hasValue(1);
      assertThat(basket.taken)
          .extracting(InboundMessage::text)
          .containsExactly("héllo 🌍".repeat(40));
      socket.sayInPieces(envelope("e2", "in pieces"));
      assertThat(socket.hear()).isEqualTo(acknowledged("e2"));
      assertThat(basket.taken.getLast().text()).isEqualTo("in pieces");
    }
    assertThat(slack.requests().getFirst().path()).isEqualTo("/apps.connections.open");
    assertThat(slack.requests().getFirst().headers())
        .containsEntry("authorization", "Bearer xapp-very-secret");
  }

  @Test
  void what_could_not_be_stored_is_not_acknowledged() throws Exception {
    basket.full = true;
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say(HELLO);
      socket.say(envelope("e1", "hi"));
      assertThat(socket.hear()).isNull();
    }
    assertThat(cause()).contains("no room");
  }

  @Test
  void buttons_and_commands_come_the_same_way() throws Exception {
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say(
          "{\"type\":\"interactive\",\"envelope_id\":\"e1\","
              + "\"payload\":{\"type\":\"block_actions\","
              + "\"trigger_id\":\"t1\",\"user\":{\"id\":\"U1\"},"
              + "\"actions\":[{\"action_id\":\"go\"}]}}");
      assertThat(socket.hear()).isEqualTo(acknowledged("e1"));
      socket.say(
          "{\"type\":\"slash_commands\",\"envelope_id\":\"e2\",\"payload\":{\"command\":\"/x\","
              + "\"trigger_id\":\"t2\",\"user_id\":\"U1\",\"channel_id\":\"C1\"}}");
      assertThat(socket.hear()).isEqualTo(acknowledged("e2"));
    }
    assertThat(basket.taken).extracting(InboundMessage::text).containsExactly("go", "/x");
  }

  @Test
  void what_cannot_be_read_is_acknowledged_and_does_not_stop_the_rest() throws Exception {
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say("{\"type\":\"events_api\",\"envelope_id\":\"e1\",\"payload\":{}}");
      assertThat(socket.hear()).isEqualTo(acknowledged("e1"));
      socket.say(envelope("e2", "hi"));
      assertThat(socket.hear()).isEqualTo(acknowledged("e2"));
    }
    assertThat(basket.taken).hasSize(1);
  }

  @Test
  void slack_asks_for_another_socket_and_gets_one() throws Exception {
    start();
    for (String reason : List.of("warning", "refresh_requested")) {
      try (WebSocketPeer.Connection socket = peer.accept()) {
        socket.say(HELLO);
        socket.say("{\"type\":\"disconnect\",\"reason\":\"" + reason + "\"}");
        assertThat(socket.hear()).isNull();
      }
    }
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say(envelope("e1", "hi"));
      assertThat(socket.hear()).isEqualTo(acknowledged("e1"));
    }
    assertThat(slack.requests()).hasSize(3);
  }

  @Test
  void a_socket_mode_that_was_switched_off_is_a_refusal() throws Exception {
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say("{\"type\":\"disconnect\",\"reason\":\"link_disabled\"}");
      assertThat(cause()).contains("link_disabled").contains("switch it on");
      assertThat(ended.join()).isInstanceOf(ListeningRefused.class);
    }
  }

  @Test
  void a_socket_that_breaks_is_an_error() throws Exception {
    start();
    peer.accept().close();
    assertThat(cause()).contains("Slack's socket ended");
  }

  @Test
  void a_silent_socket_is_asked_once_and_then_given_up() throws Exception {
    link.close();
    listen("100ms");
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      assertThat(socket.hear()).isEqualTo("ping");
      socket.pong();
      assertThat(socket.hear()).isEqualTo("ping");
      assertThat(socket.hear()).isNull();
    }
    assertThat(cause()).contains("fallen silent");
  }

  @Test
  void a_refused_handshake_does_not_show_the_ticket() throws Exception {
    start();
    peer.refuse();
    assertThat(cause()).contains("127.0.0.1").doesNotContain("very-secret");
  }

  @Test
  void a_refused_token_is_a_refusal() throws Exception {
    slack.answer(FakeSlack.error("invalid_auth"));
    start();
    assertThat(cause()).contains("invalid_auth").doesNotContain("very-secret");
    assertThat(ended.join()).isInstanceOf(ListeningRefused.class);
  }

  @Test
  void a_limit_is_waited_for_and_stays_the_cause() throws Exception {
    slack.answer(
        Reply.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}").header("Retry-After", "7"));
    start();
    assertThat(cause()).contains("ratelimited");
    assertThat(basket.failures).singleElement().asString().contains("ratelimited");
    assertThat(basket.pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void an_interrupted_listener_leaves() throws Exception {
    start();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.say(envelope("e1", "hi"));
      socket.hear();
      listening.interrupt();
      assertThat(socket.hear()).isNull();
    }
    assertThat(cause()).contains("InterruptedException");
  }

  @Test
  void an_account_without_an_app_token_does_not_listen() {
    link.close();
    link =
        new SlackChannel()
            .open(TestAccount.of(AccountConfig.of("sl", "slack").set("token", "xoxb-1")));
    assertThat(link.listens()).isFalse();
  }
}
