package dev.postrider.channels.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The protocol as the sidecar sees it; what it means on the other side is Node's test. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SidecarLinkTest {
  private final FakeSidecar sidecar = new FakeSidecar();
  private final AccountConfig config =
      AccountConfig.of("z", "zalo-personal").set("command", "sidecar");
  private LiveAccount account = new LiveAccount(config);
  private SidecarLink link = new SidecarLink(account, sidecar);

  @AfterEach
  void close() {
    link.close();
    account.close();
  }

  private CompletableFuture<Exception> ready() throws InterruptedException {
    CompletableFuture<Exception> end = account.listen(link);
    sidecar.asked.take(); // hello
    sidecar.ready();
    account.awaitTold("ready");
    return end;
  }

  private JsonNode asked(String method) throws InterruptedException {
    JsonNode request = LiveAccount.next(sidecar.asked);
    while (!request.path("method").asString().equals(method)) {
      request = LiveAccount.next(sidecar.asked);
    }
    return request.path("params");
  }

  private static Dispatch part(String chat, String text) {
    return TestAccount.of(AccountConfig.of("z", "zalo-personal")).part(chat, text);
  }

  // ---- connecting

  @Test
  void messages_wait_until_the_sidecar_says_that_it_is_ready() throws Exception {
    assertThat(account.awaitTold("not ready")).contains("being started");
    assertThat(link.send(part("7", "early"))).isInstanceOf(Outcome.Unreachable.class);
    CompletableFuture<Exception> end = account.listen(link);
    JsonNode hello = sidecar.asked.take().path("params");
    assertThat(hello.path("protocol").asInt()).isEqualTo(1);
    assertThat(hello.path("account").asString()).isEqualTo("z");
    assertThat(hello.has("session")).isFalse();
    assertThat(link.send(part("7", "early"))).isInstanceOf(Outcome.Unreachable.class);

    sidecar.when("send", "{\"result\": {\"messageId\": \"m1\"}}").ready();
    account.awaitTold("ready");
    assertThat(link.send(part("7", "now"))).isEqualTo(Outcome.accepted("m1"));

    sidecar.end();
    assertThat(end.get()).isInstanceOf(IOException.class).hasMessageContaining("ended with 0");
    account.awaitTold("not ready: fake has ended");
    assertThat(link.send(part("7", "late"))).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_session_is_stored_and_given_back_with_the_cursor() throws Exception {
    CompletableFuture<Exception> end = ready();
    sidecar.tell("session", "{\"session\": \"cookie=1\"}");
    sidecar.tell(
        "message",
        "{\"id\": \"1\", \"chat\": {\"id\": \"7\"}, \"text\": \"hi\", \"cursor\": \"c1\"}");
    LiveAccount.next(account.messages);
    sidecar.end();
    end.get();

    account.listen(link);
    JsonNode hello = asked("hello");
    assertThat(hello.path("session").asString()).isEqualTo("cookie=1");
    assertThat(hello.path("cursor").asString()).isEqualTo("c1");
  }

  @Test
  void a_session_is_never_shown() throws Exception {
    ready();
    sidecar.tell("session", "{\"session\": \"" + "x".repeat(70_000) + "\"}");
    String told = account.awaitTold("not ready: the sidecar's session");
    assertThat(told).contains("65536").doesNotContain("xxx");
  }

  @Test
  void a_sidecar_of_another_version_and_one_that_refuses_say_why() throws Exception {
    sidecar.when("hello", "{\"result\": {\"protocol\": 2}}");
    assertThat(account.listen(link).get())
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("version 2");
    sidecar.when("hello", "{\"error\": {\"code\": 1, \"message\": \"run npm ci\"}}");
    assertThat(account.listen(link).get()).hasMessageContaining("run npm ci");
    assertThat(link.login(new LoginRequest(null)))
        .isEqualTo(
            new LoginState.Failed(
                "the sidecar does not run: the sidecar refuses to work: run npm ci"));
  }

  @Test
  void a_sidecar_that_falls_silent_is_ended_and_what_was_asked_is_unknown() throws Exception {
    account.close();
    account = new LiveAccount(config.set("idle", "50ms"));
    link = new SidecarLink(account, sidecar);
    sidecar.when("ping", "");
    CompletableFuture<Exception> end = ready();
    assertThat(link.send(part("7", "lost")))
        .isEqualTo(new Outcome.Unknown("the sidecar has fallen silent"));
    assertThat(end.get()).hasMessage("the sidecar has fallen silent");
    assertThat(sidecar.running.get()).isZero();
  }

  @Test
  void one_that_answers_the_ping_may_be_quiet_for_long() throws Exception {
    account.close();
    account = new LiveAccount(config.set("idle", "20ms"));
    link = new SidecarLink(account, sidecar);
    CompletableFuture<Exception> end = ready();
    for (int i = 0; i < 5; i++) {
      asked("ping");
    }
    assertThat(end).isNotDone();
  }

  @Test
  void there_are_never_two_at_once_and_none_after_the_account_is_closed() throws Exception {
    CompletableFuture<Exception> first = ready();
    CompletableFuture<Exception> second = account.listen(link); // would wait for the first
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("Ann"));
    sidecar.end();
    first.get();
    asked("hello");
    link.close();
    assertThat(second.get()).isInstanceOf(IOException.class);
    assertThat(account.listen(link).get()).hasMessage("the account is closed");
    assertThat(sidecar.running.get()).isZero();
    assertThat(sidecar.atOnce).containsOnly(1);
  }

  @Test
  void an_account_that_stops_ends_the_sidecar() throws Exception {
    CompletableFuture<Exception> end = ready();
    account.interrupt();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    assertThat(sidecar.running.get()).isZero();
  }

  @Test
  void lines_that_are_none_are_passed_over() throws Exception {
    ready();
    sidecar.say("Debugger attached.");
    sidecar.say("{\"method\": \"message\", \"params\": {\"id\":");
    sidecar.say("{\"id\": \"999\", \"result\": {}}");
    sidecar.tell("unheard-of", "{}");
    sidecar.tell("message", "{\"id\": \"1\"}");
    sidecar.tell("message", "{\"id\": \"2\", \"chat\": {\"id\": \"7\"}, \"text\": \"x\"}");
    assertThat(LiveAccount.next(account.messages).platformId()).isEqualTo("2");
  }

  // ---- sending

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rejectedMessage | Rejected[blame=MESSAGE
          rejectedChat    | Rejected[blame=TARGET
          replyGone       | Repairable[fix=DropReply
          notSent         | NotSent[
          unreachable     | Unreachable[
          loggedOut       | Unreachable[
          throttled       | Throttled[scope=ACCOUNT, delay=PT1M
          broken          | AccountBroken[
          unknown         | Unknown[
          unheard-of      | Unknown[
          """)
  void every_kind_of_error_has_its_outcome(String kind, String outcome) throws Exception {
    ready();
    sidecar.when(
        "send",
        "{\"error\": {\"code\": 7, \"message\": \"so\", \"data\": {\"kind\": \"" + kind + "\"}}}");
    assertThat(link.send(part("7", "x")).toString()).startsWith(outcome).contains("so");
  }

  @Test
  void errors_without_a_kind_and_answers_without_an_id_prove_nothing() throws Exception {
    ready();
    sidecar.when("send", "{\"error\": {\"code\": -32000, \"message\": \"boom\"}}");
    assertThat(link.send(part("7", "x"))).isEqualTo(new Outcome.Unknown("boom"));
    sidecar.when("send", "{\"error\": {\"code\": -32601, \"message\": \"no such method\"}}");
    assertThat(link.send(part("7", "x"))).isInstanceOf(Outcome.AccountBroken.class);
    sidecar.when("send", "{\"result\": {}}");
    assertThat(link.send(part("7", "x"))).isInstanceOf(Outcome.Unknown.class);
    sidecar.when("send", FakeSidecar.END);
    assertThat(link.send(part("7", "x"))).isEqualTo(new Outcome.Unknown("fake has ended with 0"));
  }

  @Test
  void no_answer_in_time_is_unknown() throws Exception {
    account.close();
    account = new LiveAccount(config.set("timeout", "3s"));
    link = new SidecarLink(account, sidecar);
    ready();
    assertThat(link.send(part("7", "x")))
        .isEqualTo(new Outcome.Unknown("no answer to send within 3000 ms"));
  }

  @Test
  void a_throttle_says_for_how_long_and_for_whom() throws Exception {
    ready();
    sidecar.when(
        "send",
        "{\"error\": {\"message\": \"slow\", \"data\":"
            + " {\"kind\": \"throttled\", \"scope\": \"chat\", \"retryAfter\": 2.5}}}");
    assertThat(link.send(part("7", "x")))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofMillis(2500), "slow"));
  }

  @Test
  void a_session_that_is_found_lost_while_sending_asks_for_a_person() throws Exception {
    ready();
    sidecar.when(
        "send", "{\"error\": {\"message\": \"logged out\", \"data\": {\"kind\": \"loggedOut\"}}}");
    link.send(part("7", "x"));
    assertThat(account.awaitTold("not ready"))
        .contains("log in with 'postrider accounts login z': logged out");
  }

  @Test
  void a_reply_brings_back_what_the_sidecar_told_of_the_message() throws Exception {
    ready();
    sidecar.when("send", "{\"result\": {\"messageId\": \"m1\"}}");
    sidecar.tell(
        "message",
        "{\"id\": \"55\", \"chat\": {\"id\": \"9\", \"kind\": \"group\"}, \"text\": \"?\","
            + " \"quote\": {\"cli\": 3}}");
    LiveAccount.next(account.messages);
    TestAccount parts = TestAccount.of(config);
    link.send(parts.part(Message.to("z", "group:9").text("yes").replyToId("55")));
    JsonNode send = asked("send");
    assertThat(send.path("chat").toString()).contains("\"9\"", "\"group\"");
    assertThat(send.at("/reply/messageId").asString()).isEqualTo("55");
    assertThat(send.at("/reply/quote/cli").asInt()).isEqualTo(3);

    assertThat(link.send(parts.part(Message.to("z", "group:9").text("yes").replyToId("56"))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class,
            repair -> assertThat(repair.fix()).isEqualTo(new Fix.DropReply()));
  }

  // ---- what comes in

  @Test
  void messages_reactions_and_receipts_are_read() throws Exception {
    ready();
    sidecar.tell(
        "message",
        """
        {"id": "1", "chat": {"id": "7", "kind": "person"}, "sender": {"id": "7", "name": "An"},
         "text": "look", "at": "2026-11-16T10:00:00Z", "replyToId": "0",
         "files": [{"kind": "image", "url": "https://f.example/1.jpg", "size": 9}],
         "raw": {"msgType": "chat.photo"}}
        """);
    sidecar.tell("message", "{\"id\": \"2\", \"chat\": {\"id\": \"7\"}, \"fromMe\": true}");
    sidecar.tell(
        "edit", "{\"id\": \"1\", \"version\": \"2\", \"chat\": {\"id\": \"7\"}, \"text\": \"e\"}");
    sidecar.tell(
        "reaction",
        "{\"id\": \"r1\", \"chat\": {\"id\": \"9\", \"kind\": \"group\"},"
            + " \"sender\": {\"id\": \"8\"}, \"emoji\": \"+\", \"messageId\": \"1\"}");
    sidecar.tell("receipt", "{\"state\": \"read\", \"messageIds\": [\"m1\", \"m2\"]}");
    sidecar.tell("receipt", "{\"state\": \"nonsense\", \"messageIds\": [\"m1\"]}");

    InboundMessage message = LiveAccount.next(account.messages);
    assertThat(message.chat()).isEqualTo("7");
    assertThat(message.sender().name()).isEqualTo("An");
    assertThat(message.sentAt()).isEqualTo(Instant.parse("2026-11-16T10:00:00Z"));
    assertThat(message.media())
        .containsExactly(
            new InboundMessage.File("image", null, "https://f.example/1.jpg", null, null, 9L));
    InboundMessage edit = LiveAccount.next(account.messages); // what we wrote is left out
    assertThat(List.of(edit.kind(), edit.platformId())).containsExactly(Kind.EDIT, "1:2");
    InboundMessage reaction = LiveAccount.next(account.messages);
    assertThat(reaction.kind()).isEqualTo(Kind.REACTION);
    assertThat(List.of(reaction.chat(), "" + reaction.text(), "" + reaction.messageId()))
        .containsExactly("group:9", "+", "1");
    DeliveryReport report = LiveAccount.next(account.reports);
    assertThat(report.state()).isEqualTo(DeliveryReport.State.READ);
    assertThat(LiveAccount.next(account.reports).receipt()).isEqualTo("m2");
  }

  // ---- logging in, and looking

  @Test
  void a_login_is_asked_for_until_the_sidecar_is_ready() throws Exception {
    LoginRequest scan = new LoginRequest(null);
    assertThat(link.login(scan)).isInstanceOf(LoginState.Waiting.class);
    account.listen(link);
    sidecar.asked.take();
    sidecar.tell("state", "{\"state\": \"needsLogin\", \"cause\": \"new here\"}");
    account.awaitTold("not ready: log in with 'postrider accounts login z': new here");
    assertThat(link.probe().toString()).contains("postrider accounts login z");

    sidecar.when("login", "{\"result\": {\"state\": \"scan\", \"text\": \"qr\"}}");
    assertThat(link.login(scan)).isEqualTo(LoginState.ScanQr.text("qr", null));
    sidecar.when("login", "{\"result\": {\"state\": \"scan\", \"png\": \"AQI=\"}}");
    assertThat(link.login(scan))
        .isInstanceOfSatisfying(
            LoginState.ScanQr.class, qr -> assertThat(qr.png()).containsExactly(1, 2));
    sidecar.when("login", "{\"result\": {\"state\": \"scan\", \"png\": \"!\"}}");
    assertThat(link.login(scan)).isInstanceOf(LoginState.Failed.class);
    sidecar.when("login", "{\"result\": {\"state\": \"code\", \"code\": \"A-1\"}}");
    assertThat(link.login(new LoginRequest("491"))).isEqualTo(new LoginState.TypeCode("A-1", null));
    sidecar.when("login", "{\"error\": {\"message\": \"only by QR code\"}}");
    assertThat(link.login(new LoginRequest("491")))
        .isEqualTo(new LoginState.Failed("only by QR code"));
    sidecar.when("login", "{\"result\": {\"state\": \"loggedIn\", \"identity\": \"Ann\"}}");
    assertThat(link.login(scan)).isInstanceOf(LoginState.Waiting.class); // it is not ready yet
    sidecar.ready();
    account.awaitTold("ready");
    assertThat(link.login(scan)).isEqualTo(new LoginState.LoggedIn("Ann"));
  }

  @Test
  void without_a_server_a_probe_only_starts_the_sidecar_and_asks_who_it_is() throws Exception {
    account.memory().write(Remembered.of(null, "session", "cookie=1"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy(""));
    assertThat(asked("hello").has("session")).isFalse();
    assertThat(sidecar.running.get()).isZero();
    sidecar.when("hello", "{\"error\": {\"message\": \"run npm ci\"}}");
    assertThat(link.probe())
        .isEqualTo(new Probe.Unreachable("the sidecar refuses to work: run npm ci"));
  }

  @Test
  void the_blame_of_an_error_is_in_the_table() {
    assertThat(SidecarVerdict.KINDS.byCode("rejectedChat", "x"))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "x"));
  }
}
