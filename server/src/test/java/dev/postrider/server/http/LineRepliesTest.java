package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply.HangUp;
import dev.postrider.testkit.platform.Request;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replies on LINE, from the webhook to the answer: they cost nothing, and LINE does not know a
 * repeat of one.
 */
class LineRepliesTest {
  private static final String ANN = "U4af4980629000000000000000000abcd";
  private static final String REPLY = "/v2/bot/message/reply";
  private static final String PUSH = "/v2/bot/message/push";

  private final FakePlatform line = FakePlatform.start();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    line.otherwise(
        _ ->
            dev.postrider.testkit.platform.Reply.json(
                200, "{\"sentMessages\": [{\"id\": \"1\"}]}"));
    server =
        TestServer.start(
            dir,
            """
            delivery: { backoff: [10ms] }
            accounts:
              - { id: shop, channel: line, token: abc, channelSecret: s3cret, baseUrl: "%s" }
            """
                .formatted(line.baseUrl()));
  }

  @AfterEach
  void stop() {
    server.close();
    line.close();
  }

  /** Ann writes something that may be answered with this token. */
  private void hears(String event, String token) throws Exception {
    String body =
        """
        {"destination":"U0","events":[{"type":"message","mode":"active","replyToken":"%s",
         "webhookEventId":"%s","timestamp":%d,"deliveryContext":{"isRedelivery":false},
         "source":{"type":"user","userId":"%s"},
         "message":{"id":"4687","type":"text","text":"hi","quoteToken":"q"}}]}"""
            .formatted(token, event, Instant.now().toEpochMilli(), ANN);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signature =
        Base64.getEncoder().encodeToString(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    assertThat(
            server
                .send(
                    server
                        .request("/hooks/shop", "X-Line-Signature", signature)
                        .POST(BodyPublishers.ofString(body)))
                .status())
        .isEqualTo(200);
  }

  private Reply answer(String onUnknown) {
    return server.post(
        "/v1/messages?wait=10s",
        """
        {"account":"shop","to":"%s","text":"hello","replyToId":"4687","onUnknown":"%s"}"""
            .formatted(ANN, onUnknown));
  }

  @Test
  void an_answer_is_a_reply_and_the_next_one_is_pushed() throws Exception {
    hears("e1", "token-1");
    assertThat(answer("resend").text("status")).isEqualTo("delivered");
    assertThat(answer("resend").text("status")).isEqualTo("delivered");
    assertThat(line.requests()).extracting(Request::path).containsExactly(REPLY, PUSH);
  }

  @Test
  void an_event_that_is_delivered_again_does_not_bring_its_token_back() throws Exception {
    hears("e1", "token-1");
    answer("resend");
    hears("e1", "token-1");
    answer("resend");
    assertThat(line.requests()).extracting(Request::path).containsExactly(REPLY, PUSH);
  }

  @Test
  void a_reply_that_got_no_answer_is_held_and_not_pushed_if_the_message_says_so() throws Exception {
    line.answer(new HangUp());
    hears("e1", "token-1");
    assertThat(answer("hold").text("status")).isEqualTo("held");
    assertThat(line.requests()).extracting(Request::path).containsExactly(REPLY);
  }

  @Test
  void a_reply_that_got_no_answer_is_pushed_with_a_warning_if_it_may_be_sent_again()
      throws Exception {
    line.answer(new HangUp());
    hears("e1", "token-1");
    Reply sent = answer("resend");
    assertThat(sent.text("status")).isEqualTo("delivered");
    assertThat(sent.json().path("possibleDuplicate").asBoolean()).isTrue();
    assertThat(line.requests()).extracting(Request::path).containsExactly(REPLY, PUSH);
  }

  @Test
  void a_push_that_got_no_answer_is_repeated_with_its_key_and_without_a_warning() throws Exception {
    line.answer(new HangUp());
    Reply sent =
        server.post(
            "/v1/messages?wait=10s",
            "{\"account\":\"shop\",\"to\":\"%s\",\"text\":\"hello\",\"onUnknown\":\"hold\"}"
                .formatted(ANN));
    assertThat(sent.text("status")).isEqualTo("delivered");
    assertThat(sent.json().path("possibleDuplicate").asBoolean()).isFalse();
    assertThat(line.requests())
        .hasSize(2)
        .extracting(request -> request.headers().get("x-line-retry-key"))
        .containsOnly(line.requests().getFirst().headers().get("x-line-retry-key"));
  }
}
