package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Sessions over the gateway's socket. */
@Timeout(300)
class GatewayTest {
  private static final long NEVER = 600_000;

  private final FakePlatform discord = FakePlatform.start();
  private FakeGateway gateway;
  private TestAccount account;
  private Link link;
  private Thread listener;
  private final Books inlet = new Books();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private volatile boolean refused;

  @BeforeEach
  void open() throws Exception {
    gateway = new FakeGateway();
    discord.otherwise(
        request ->
            request.path().equals("/gateway/bot")
                ? Reply.json(200, "{\"url\":\"" + gateway.url() + "/\"}")
                : Reply.text(204, "text/plain", ""));
    account =
        TestAccount.of(
            AccountConfig.of("dc", "discord")
                .set("token", "s.e.cret")
                .set("baseUrl", discord.baseUrl())
                .set("gateway", true));
    link = new DiscordChannel().open(account);
  }

  @AfterEach
  void close() throws Exception {
    if (listener != null) {
      listener.interrupt();
      listener.join();
    }
    link.close();
    gateway.close();
    discord.close();
  }

  /** Keeps what is handed in; a link is not told "stored" before the test says so. */
  private static final class Books implements InboundSink {
    final AtomicInteger rounds = new AtomicInteger();
    final List<Remembered> remembered = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    final List<String> failures = new CopyOnWriteArrayList<>();

    record Entry(List<InboundMessage> arrivals, @Nullable String cursor) {}

    final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>();
    final BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
    volatile @Nullable String cursor;
    volatile boolean broken;

    @Override
    public @Nullable String cursor() {
      return cursor;
    }

    @Override
    public void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String readTo,
        List<Remembered> memory) {
      if (broken) {
        throw new IllegalStateException("the store is gone");
      }
      cursor = readTo;
      remembered.addAll(memory);
      entries.add(new Entry(arrivals, readTo));
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

    Entry next() throws InterruptedException {
      Entry entry = entries.poll(5, TimeUnit.MINUTES);
      assertThat(entry).as("something is handed in").isNotNull();
      return entry;
    }

    GatewaySession session() {
      return GatewaySession.parse(cursor);
    }
  }

  private void listen() {
    listener =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) { // as the engine does, but for its pauses
                      link.listen(inlet);
                      inlet.rounds.incrementAndGet();
                    }
                  } catch (Exception e) {
                    refused = e instanceof ListeningRefused;
                    ended.complete(String.valueOf(e.getMessage()));
                  }
                });
  }

  private String ended() throws Exception {
    return ended.get(5, TimeUnit.MINUTES);
  }

  private FakeGateway.Caller ready(long heartbeat) throws Exception {
    FakeGateway.Caller caller = gateway.greeted(heartbeat);
    caller.hear(2);
    caller.tell(
        "READY",
        1,
        "{\"session_id\":\"abc\",\"resume_gateway_url\":\""
            + gateway.url()
            + "\",\"user\":{\"id\":\"99\"}}");
    assertThat(inlet.next().arrivals()).isEmpty();
    return caller;
  }

  private static String message(String id, String author) {
    return "{\"id\":\"%s\",\"channel_id\":\"42\",\"content\":\"hi\",\"author\":{\"id\":\"%s\"}}"
        .formatted(id, author);
  }

  @Test
  void a_bot_that_only_sends_opens_no_socket() {
    Link quiet = new DiscordChannel().open(TestAccount.of(account.config().set("gateway", false)));
    assertThat(quiet.listens()).isFalse();
    quiet.close();
    assertThat(link.listens()).isTrue();
  }

  @Test
  void a_session_begins_with_the_token_and_what_we_want_to_hear() throws Exception {
    listen();
    FakeGateway.Caller caller = gateway.greeted(NEVER);

    JsonNode identify = caller.hear(2);

    assertThat(caller.path).isEqualTo("/?v=10&encoding=json");
    assertThat(identify.path("token").asString()).isEqualTo("s.e.cret");
    assertThat(identify.path("intents").asInt()).isEqualTo(37376);
  }

  @Test
  void a_message_is_stored_with_the_place_to_go_on_from() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);

    caller.tell("MESSAGE_CREATE", 2, message("7", "5"));

    Books.Entry entry = inlet.next();
    assertThat(entry.arrivals()).extracting(InboundMessage::platformId).containsExactly("7");
    assertThat(GatewaySession.parse(entry.cursor()))
        .isEqualTo(new GatewaySession("abc", 2, gateway.url(), "99"));
  }

  @Test
  void a_message_in_pieces_is_one_and_our_own_are_none() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);

    caller.tell("MESSAGE_CREATE", 2, message("6", "99"));
    caller.tell("TYPING_START", 3, "{}");
    caller.sayInPieces(
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":4,\"d\":" + message("7", "5") + "}");

    assertThat(inlet.next().arrivals()).extracting(InboundMessage::platformId).containsExactly("7");
    assertThat(inlet.session().seq()).isEqualTo(4);
  }

  @Test
  void a_restart_resumes_where_the_books_end() throws Exception {
    inlet.cursor = new GatewaySession("abc", 17, gateway.url(), "99").cursor();
    listen();
    FakeGateway.Caller caller = gateway.greeted(NEVER);

    JsonNode resume = caller.hear(6);

    assertThat(resume.path("session_id").asString()).isEqualTo("abc");
    assertThat(resume.path("seq").asLong()).isEqualTo(17);
    assertThat(discord.requests()).isEmpty();
    caller.tell("RESUMED", 18, "{}");
    caller.tell("MESSAGE_CREATE", 19, message("8", "5"));
    assertThat(inlet.next().arrivals()).hasSize(1);
    assertThat(inlet.connections).hasValue(1);
  }

  @Test
  void what_could_not_be_stored_is_asked_for_again() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);

    inlet.broken = true;
    caller.tell("MESSAGE_CREATE", 2, message("7", "5"));

    assertThat(ended()).isEqualTo("the store is gone");
    assertThat(inlet.session().seq()).isEqualTo(1);
  }

  @Test
  void asked_to_reconnect_it_leaves_the_pause_to_the_engine_and_resumes_from_what_it_has_seen()
      throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);
    caller.tell("TYPING_START", 5, "{}");
    caller.say("{\"op\":7,\"d\":null}");

    JsonNode resume = gateway.greeted(NEVER).hear(6);

    assertThat(resume.path("seq").asLong()).isEqualTo(5);
    assertThat(inlet.rounds).as("each connection is a call of its own").hasValue(1);
  }

  @Test
  void an_invalid_session_that_can_be_resumed_is_and_another_begins_anew_after_a_pause()
      throws Exception {
    listen();
    ready(NEVER).say("{\"op\":9,\"d\":true}");
    FakeGateway.Caller again = gateway.greeted(NEVER);
    again.hear(6);
    again.say("{\"op\":9,\"d\":false}");

    FakeGateway.Caller anew = gateway.greeted(NEVER);

    assertThat(anew.hear(2).path("token").asString()).isEqualTo("s.e.cret");
    assertThat(inlet.pauses).containsExactly(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {4007, 4009})
  void a_session_discord_has_forgotten_begins_anew(int code) throws Exception {
    listen();
    ready(NEVER).hangUp(code, "gone");

    gateway.greeted(NEVER).hear(2);
  }

  @Test
  void a_lost_connection_is_an_error_and_the_session_stays() throws Exception {
    listen();
    ready(NEVER).drop();

    assertThat(ended()).startsWith("the gateway closed with 1006");
    assertThat(inlet.session().id()).isEqualTo("abc");
  }

  @Test
  void a_heartbeat_carries_the_last_number_and_writes_it_down() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);
    caller.tell("TYPING_START", 8, "{}");
    caller.say("{\"op\":1,\"d\":null}");

    assertThat(caller.hear(1).asLong()).isEqualTo(8);
    assertThat(inlet.next().arrivals()).isEmpty();
    assertThat(inlet.session().seq()).isEqualTo(8);
  }

  @Test
  void a_heart_that_is_not_answered_ends_the_connection() throws Exception {
    listen();
    FakeGateway.Caller caller = gateway.greeted(50);

    assertThat(ended()).isEqualTo("the gateway's heart has stopped");
    caller.awaitEnd();
  }

  @Test
  void a_heartbeat_that_is_asked_for_is_given() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);

    caller.say("{\"op\":1,\"d\":null}");

    assertThat(caller.hear(1).asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {4004, 4010, 4011, 4012, 4013, 4014})
  void a_refusal_ends_listening_alone_and_says_why(int code) throws Exception {
    listen();
    FakeGateway.Caller caller = gateway.greeted(NEVER);
    caller.hear(2);
    caller.hangUp(code, "Disallowed intent(s).");

    assertThat(ended()).startsWith("the gateway closed with " + code + " Disallowed intent(s).");
    assertThat(refused).isTrue();
    assertThat(account.readiness()).as("sending goes on").isEmpty();
  }

  @Test
  void an_intent_that_is_switched_off_says_where_to_switch_it_on() throws Exception {
    listen();
    FakeGateway.Caller caller = gateway.greeted(NEVER);
    caller.hear(2);
    caller.hangUp(4014, "Disallowed intent(s).");

    assertThat(ended()).contains("developer portal");
  }

  @Test
  void a_refused_token_is_reported_before_any_socket_is_opened() throws Exception {
    discord.answer(Reply.json(401, "{\"message\":\"401: Unauthorized\",\"code\":0}"));

    listen();

    assertThat(ended()).isEqualTo("401 Discord does not know the token; check it");
    assertThat(refused).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "wss://gateway.discord.gg, wss://gateway.discord.gg/?v=10&encoding=json",
    "wss://gateway.discord.gg/, wss://gateway.discord.gg/?v=10&encoding=json",
    "ws://127.0.0.1:9/bots/gateway, ws://127.0.0.1:9/bots/gateway?v=10&encoding=json",
    "ws://127.0.0.1:9/gateway/?a=b%20c, ws://127.0.0.1:9/gateway/?a=b%20c&v=10&encoding=json",
  })
  void a_gateways_address_keeps_its_path(String given, String used) throws Exception {
    assertThat(Gateway.versioned(given)).hasToString(used);
  }

  @Test
  void a_session_is_resumed_at_its_own_address_with_its_path() throws Exception {
    inlet.cursor = new GatewaySession("abc", 17, gateway.url() + "/shard/7", "99").cursor();
    listen();

    assertThat(gateway.greeted(NEVER).path).isEqualTo("/shard/7?v=10&encoding=json");
  }

  @Test
  void used_up_beginnings_are_waited_for() throws Exception {
    discord.answer(
        Reply.json(
            200,
            "{\"url\":\""
                + gateway.url()
                + "\",\"session_start_limit\":{\"remaining\":0,\"reset_after\":5000}}"));
    listen();

    gateway.greeted(NEVER).hear(2);

    assertThat(inlet.pauses).containsExactly(Duration.ofSeconds(5));
    assertThat(inlet.failures).singleElement().asString().contains("used up");
  }

  @Test
  void an_address_to_resume_at_that_is_gone_is_replaced() throws Exception {
    inlet.cursor = new GatewaySession("abc", 17, "ws://127.0.0.1:1", "99").cursor();
    listen();

    assertThat(gateway.greeted(NEVER).hear(6).path("seq").asLong()).isEqualTo(17);
  }

  @Test
  void a_platform_that_is_away_is_an_error_for_the_engine() throws Exception {
    discord.answer(Reply.html(502, "Bad Gateway"));

    listen();

    assertThat(ended()).isEqualTo("502 instead of a gateway");
    assertThat(account.readiness()).isEmpty();
  }

  @Test
  void a_server_that_does_not_say_hello_is_left() throws Exception {
    listen();
    gateway.caller().say("{\"op\":0}");

    assertThat(ended()).isEqualTo("the gateway does not say hello");
  }

  @Test
  void something_that_is_no_json_ends_the_connection() throws Exception {
    listen();
    ready(NEVER).say("<html>");

    assertThat(ended()).contains("no JSON");
  }

  @Test
  void an_interaction_is_stored_and_then_asked_time_for() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);
    caller.tell(
        "INTERACTION_CREATE",
        2,
        "{\"id\":\"70\",\"type\":3,\"token\":\"tok\",\"channel_id\":\"42\","
            + "\"user\":{\"id\":\"5\"},\"data\":{\"custom_id\":\"go\"}}");

    assertThat(inlet.next().arrivals())
        .extracting(InboundMessage::kind)
        .containsExactly(InboundMessage.Kind.ACTION);
    assertThat(discord.awaitRequests(2, Duration.ofMinutes(5)).getLast())
        .satisfies(
            request -> {
              assertThat(request.path()).isEqualTo("/interactions/70/tok/callback");
              assertThat(request.text()).isEqualTo("{\"type\":6}");
            });
  }

  @Test
  void a_private_command_is_acknowledged_in_private_and_remembered() throws Exception {
    link.close();
    link =
        new DiscordChannel().open(TestAccount.of(account.config().set("privateCommands", "all")));
    listen();
    FakeGateway.Caller caller = ready(NEVER);
    caller.tell(
        "INTERACTION_CREATE",
        2,
        "{\"id\":\"70\",\"type\":2,\"token\":\"tok\","
            + "\"application_id\":\"9\",\"channel_id\":\"42\","
            + "\"user\":{\"id\":\"5\"},\"data\":{\"name\":\"salary\"}}");

    assertThat(inlet.next().arrivals()).hasSize(1);
    assertThat(inlet.remembered)
        .extracting(Remembered::key)
        .containsExactly("command:70", "command");
    assertThat(Json.readObject(discord.awaitRequests(2, Duration.ofMinutes(5)).getLast().text()))
        .isEqualTo(Json.readObject("{\"type\":5,\"data\":{\"flags\":64}}"));
  }

  @Test
  void suggestions_for_a_command_that_is_being_typed_are_answered_with_none() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);
    caller.tell(
        "INTERACTION_CREATE",
        2,
        "{\"id\":\"70\",\"type\":4,\"token\":\"tok\",\"channel_id\":\"42\","
            + "\"user\":{\"id\":\"5\"},\"data\":{\"name\":\"remind\"}}");

    assertThat(discord.awaitRequests(2, Duration.ofMinutes(5)).getLast())
        .satisfies(
            request -> {
              assertThat(request.path()).isEqualTo("/interactions/70/tok/callback");
              assertThat(Json.readObject(request.text()))
                  .isEqualTo(Json.readObject("{\"type\":8,\"data\":{\"choices\":[]}}"));
            });
    assertThat(inlet.entries).as("nothing was asked yet").isEmpty();
  }

  @Test
  void an_account_that_stops_ends_the_session_without_a_farewell() throws Exception {
    listen();
    FakeGateway.Caller caller = ready(NEVER);

    listener.interrupt();

    listener.join();
    caller.awaitEnd();
    assertThat(inlet.session().id()).isEqualTo("abc");
  }
}
