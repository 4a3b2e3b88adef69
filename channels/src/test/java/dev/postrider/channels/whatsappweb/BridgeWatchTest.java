package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a bridge is watched, what it failed to tell, and how a phone is paired. */
class BridgeWatchTest {
  private final FakeBridge bridge = new FakeBridge();
  private TestAccount account = TestAccount.of(bridge.waha().set("webhookSecret", "s3cret"));

  @AfterEach
  void close() {
    bridge.close();
  }

  private void listen(Inlet inlet) throws Exception {
    try (Link link = new WhatsAppWebChannel().open(account)) {
      assertThat(link.listens()).isTrue();
      link.listen(inlet);
    }
  }

  private Map<String, Object> message(String id, Instant at) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", "false_" + ANN + "_" + id);
    message.put("from", ANN);
    message.put("fromMe", false);
    message.put("body", id);
    message.put("timestamp", at.getEpochSecond());
    return message;
  }

  private void history(String id, Instant at) {
    bridge.history.put(ANN, List.of(message(id, at)));
    bridge.overview =
        List.of(Map.of("id", ANN, "lastMessage", Map.of("timestamp", at.getEpochSecond())));
  }

  @Test
  void a_session_that_stops_makes_the_account_not_ready_once_and_ready_when_it_works()
      throws Exception {
    listen(
        new Inlet(
            account,
            () -> bridge.status = "FAILED",
            () -> bridge.status = "FAILED",
            () -> bridge.status = "WORKING"));
    assertThat(account.readiness())
        .satisfiesExactly(
            it -> assertThat(it).contains("being asked"),
            it -> assertThat(it).isEqualTo("ready"),
            it -> assertThat(it).contains("accounts login wa", "logged it out"),
            it -> assertThat(it).isEqualTo("ready"));
  }

  @Test
  void what_the_bridge_did_not_tell_while_it_was_away_is_read_from_its_history() throws Exception {
    Instant gap = account.scheduler().instant().plusSeconds(20);
    Inlet inlet =
        new Inlet(
            account,
            () -> bridge.status = "STARTING",
            () -> {
              bridge.status = "WORKING";
              history("missed", gap);
            });
    listen(inlet);
    assertThat(inlet.arrivals)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.platformId()).isEqualTo("false_" + ANN + "_missed");
              assertThat(it.text()).isEqualTo("missed");
            });
  }

  @Test
  void a_bridge_that_works_and_tells_nothing_is_noticed() throws Exception {
    Instant start = account.scheduler().instant();
    Inlet inlet =
        new Inlet(
            account,
            () -> {
              history("untold", start.plusSeconds(30));
              account.scheduler().pass(Duration.ofMinutes(6));
            },
            () -> {
              Instant now = account.scheduler().instant();
              account.memory().write(Remembered.of(null, Heard.HEARD, now.toString()));
              account.scheduler().pass(Duration.ofMinutes(6));
            });
    listen(inlet);
    assertThat(inlet.heard)
        .satisfiesExactly(
            it -> assertThat(it).isEqualTo("connected"),
            it -> assertThat(it).contains("does not tell by webhook"),
            it -> assertThat(it).isEqualTo("connected"));
  }

  @Test
  void how_often_the_bridge_and_its_history_are_looked_at_is_the_accounts_to_say()
      throws Exception {
    account =
        TestAccount.of(
            bridge
                .waha()
                .set("webhookSecret", "s3cret")
                .set("statusInterval", "1m")
                .set("catchUp", "2m"));
    Inlet inlet = new Inlet(account, () -> {}, () -> {}, () -> {}, () -> {});
    listen(inlet);
    assertThat(inlet.pauses).containsOnly(Duration.ofMinutes(1));
    assertThat(bridge.requests("/api/default/chats/overview")).hasSize(2);

    account = TestAccount.of(account.config().set("catchUp", "0s"));
    listen(new Inlet(account, () -> {}, () -> {}, () -> {}, () -> {}));
    assertThat(bridge.requests("/api/default/chats/overview")).as("never").hasSize(2);
  }

  @Test
  void gowas_history_is_read_too() throws Exception {
    account = TestAccount.of(bridge.gowa().set("webhookSecret", "s3cret"));
    Instant gap = account.scheduler().instant().plusSeconds(20);
    Inlet inlet =
        new Inlet(
            account,
            () -> bridge.status = "away",
            () -> {
              bridge.status = "WORKING";
              bridge.overview =
                  List.of(
                      Map.of(
                          "jid",
                          "491701234567@s.whatsapp.net",
                          "last_message_time",
                          gap.toString()));
              bridge.history.put(
                  "491701234567@s.whatsapp.net",
                  List.of(
                      Map.of(
                          "id",
                          "3EB0AA",
                          "sender_jid",
                          "491701234567@s.whatsapp.net",
                          "content",
                          "missed",
                          "is_from_me",
                          false,
                          "timestamp",
                          gap.toString())));
            });
    listen(inlet);
    assertThat(inlet.arrivals)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.platformId()).isEqualTo("3EB0AA");
              assertThat(it.chat()).isEqualTo(ANN);
              assertThat(it.text()).isEqualTo("missed");
            });
  }

  // ---- pairing

  @Test
  void a_phone_is_paired_with_waha_by_a_qr_code() throws Exception {
    bridge.status = "STOPPED";
    bridge.platform.when(
        it -> it.path().equals("/api/sessions/default/start"), Reply.json(201, "{}"));
    bridge.platform.when(
        it -> it.path().equals("/api/default/auth/qr?format=raw"),
        Reply.json(200, "{\"value\":\"2@abc\"}"));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      assertThat(link.login(new LoginRequest(null))).isInstanceOf(LoginState.Waiting.class);
      bridge.status = "STARTING";
      assertThat(link.login(new LoginRequest(null))).isInstanceOf(LoginState.Waiting.class);
      bridge.status = "SCAN_QR_CODE";
      assertThat(link.login(new LoginRequest(null)))
          .isInstanceOfSatisfying(
              LoginState.ScanQr.class, it -> assertThat(it.text()).isEqualTo("2@abc"));
      bridge.status = "WORKING";
      assertThat(link.login(new LoginRequest(null)))
          .isEqualTo(new LoginState.LoggedIn("Shop 4930123456@c.us"));
      assertThat(account.readiness().getLast()).isEqualTo("ready");
    }
    assertThat(bridge.requests("/api/sessions/default/start")).hasSize(1);
  }

  @Test
  void a_session_that_waha_does_not_have_is_made() throws Exception {
    bridge.platform.answer(
        Reply.json(404, "{\"message\":\"Session not found\",\"statusCode\":404}"));
    bridge.platform.when(it -> it.path().equals("/api/sessions"), Reply.json(201, "{}"));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      assertThat(link.login(new LoginRequest(null))).isInstanceOf(LoginState.Waiting.class);
    }
    assertThat(bridge.platform.requests().getLast().text())
        .contains("\"name\":\"default\"", "\"start\":true");
  }

  @Test
  void a_phone_is_paired_with_waha_by_a_code_that_is_asked_for_once() throws Exception {
    bridge.status = "SCAN_QR_CODE";
    bridge.platform.when(
        it -> it.path().equals("/api/default/auth/request-code"),
        Reply.json(201, "{\"code\":\"ABC-DEF\"}"));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      for (int i = 0; i < 3; i++) {
        assertThat(link.login(new LoginRequest("4930123456")))
            .isInstanceOfSatisfying(
                LoginState.TypeCode.class, it -> assertThat(it.code()).isEqualTo("ABC-DEF"));
      }
      assertThat(bridge.requests("/api/default/auth/request-code")).hasSize(1);
      account.scheduler().pass(Duration.ofMinutes(5));
      link.login(new LoginRequest("4930123456"));
      assertThat(bridge.requests("/api/default/auth/request-code")).hasSize(2);
    }
    assertThat(bridge.requests("/api/default/auth/request-code").getFirst().text())
        .isEqualTo("{\"phoneNumber\":\"4930123456\"}");
  }

  @Test
  void a_phone_is_paired_with_gowa_by_its_picture_or_a_code() throws Exception {
    account = TestAccount.of(bridge.gowa());
    bridge.status = "away";
    bridge.platform.when(
        it -> it.path().equals("/app/login"),
        FakeBridge.success(
            Map.of("qr_duration", 30, "qr_link", "http://localhost:3000/statics/qr/scan.png")));
    bridge.platform.when(
        it -> it.path().equals("/statics/qr/scan.png"), Reply.text(200, "image/png", "PNG"));
    bridge.platform.when(
        it -> it.path().equals("/app/login-with-code?phone=4930123456"),
        FakeBridge.success(Map.of("pair_code", "ABCD-1234")));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      for (int i = 0; i < 2; i++) {
        assertThat(link.login(new LoginRequest(null)))
            .isInstanceOfSatisfying(
                LoginState.ScanQr.class, it -> assertThat(it.png()).asString().isEqualTo("PNG"));
      }
      assertThat(bridge.requests("/app/login")).as("shown while it is good").hasSize(1);
      assertThat(link.login(new LoginRequest("4930123456")))
          .isInstanceOfSatisfying(
              LoginState.TypeCode.class, it -> assertThat(it.code()).isEqualTo("ABCD-1234"));
      bridge.status = "WORKING";
      assertThat(link.login(new LoginRequest(null))).isInstanceOf(LoginState.LoggedIn.class);
    }
  }
}
