package dev.postrider.channels.whatsappweb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.Reply;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every answer that the bridges' pages and sources name, and what it means. */
class WhatsAppWebErrorTableTest {
  private final FakeBridge bridge = new FakeBridge();
  private final TestAccount waha = TestAccount.of(bridge.waha());
  private final TestAccount gowa = TestAccount.of(bridge.gowa());
  private final Link wahaLink = new WhatsAppWebChannel().open(waha);
  private final Link gowaLink = new WhatsAppWebChannel().open(gowa);

  @AfterEach
  void close() {
    wahaLink.close();
    gowaLink.close();
    bridge.close();
  }

  private static String name(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected it -> "rejected " + it.blame();
      case Outcome.Throttled it -> "throttled " + it.scope() + " " + it.delay();
      default -> outcome.label();
    };
  }

  private Outcome sendByWaha(Reply reply) throws Exception {
    bridge.platform.answer(reply);
    return wahaLink.send(waha.part(FakeBridge.GROUP, "x"));
  }

  @ParameterizedTest
  @CsvSource({
    "400, chatId must be a string, rejected MESSAGE",
    "401, Unauthorized, account-broken",
    "403, Forbidden, account-broken",
    "404, Cannot POST /api/sendText, account-broken",
    "413, request entity too large, rejected MESSAGE",
    "422, the method is not implemented by the engine, rejected MESSAGE",
    "422, Session 'default' does not exist, account-broken",
    "422, Session status is not as expected. Try again later or restart the session, unreachable",
    "429, too many, throttled ACCOUNT PT1M",
    "503, away, unknown"
  })
  void waha(int status, String message, String outcome) throws Exception {
    Map<String, Object> body =
        Map.of("statusCode", status, "message", message, "error", message, "status", "STARTING");
    Outcome got = sendByWaha(Reply.json(status, Json.write(body)));
    assertThat(name(got)).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({
    "rate-overlimit, throttled ACCOUNT PT1M",
    "wid error: invalid wid, rejected TARGET",
    "No LID for user, rejected TARGET",
    "not-acceptable, rejected TARGET",
    "item-not-found, rejected TARGET",
    "ffmpeg exited with code 1, rejected MESSAGE",
    "server returned error 463 (reachout timelock), throttled CHAT PT24H",
    "Connection Closed, unknown",
    "Timed Out, unknown",
    "Evaluation failed: t, unknown"
  })
  void what_wahas_engines_throw(String message, String outcome) throws Exception {
    Outcome got = sendByWaha(FakeBridge.thrown(message));
    assertThat(name(got)).isEqualTo(outcome);
    assertThat(got.toString()).contains(message).doesNotContain("whole request");
  }

  @ParameterizedTest
  @CsvSource({
    "400, VALIDATION_ERROR, message: cannot be blank., rejected MESSAGE",
    "400, 400, field cannot be blank, rejected MESSAGE",
    "400, INVALID_JID, user is not registered, rejected TARGET",
    "401, AUTHENTICATION_ERROR, you are not logged in, unreachable",
    "404, NOT_FOUND, device not found, account-broken",
    "408, CONTEXT_ERROR, context deadline exceeded, unknown",
    "429, WA_REACHOUT_TIMELOCK, error 463, throttled CHAT PT24H",
    "429, TOO_MANY, slow down, throttled ACCOUNT PT1M",
    "500, INVALID_WA_CLI, your WhatsApp CLI is invalid or empty, unreachable",
    "500, SESSION_SAVED_ERROR, please wait, unreachable",
    "500, UPLOAD_MEDIA_ERROR, failed to upload, not-sent",
    "500, INTERNAL_SERVER_ERROR, you are not loggin, unreachable",
    "500, INTERNAL_SERVER_ERROR, rate-overlimit, throttled ACCOUNT PT1M",
    "500, INTERNAL_SERVER_ERROR, websocket disconnected, unknown"
  })
  void gowa(int status, String code, String message, String outcome) throws Exception {
    bridge.platform.answer(FakeBridge.refused(status, code, message));
    assertThat(name(gowaLink.send(gowa.part(FakeBridge.GROUP, "x")))).isEqualTo(outcome);
  }

  @Test
  void a_wrong_password_of_gowa_is_said_without_json() throws Exception {
    bridge.platform.answer(Reply.text(401, "text/plain", "Unauthorized"));
    assertThat(name(gowaLink.send(gowa.part(FakeBridge.GROUP, "x")))).isEqualTo("account-broken");
  }

  @Test
  void what_the_account_calls_permanent_ends_a_message() throws Exception {
    TestAccount strict = TestAccount.of(bridge.waha().set("permanentErrors", "evaluation failed"));
    bridge.platform.answer(FakeBridge.thrown("Evaluation failed: t"));
    try (Link link = new WhatsAppWebChannel().open(strict)) {
      assertThat(name(link.send(strict.part(FakeBridge.GROUP, "x")))).isEqualTo("rejected MESSAGE");
    }
  }
}
