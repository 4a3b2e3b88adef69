package dev.postrider.channels.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WebhookLinkTest {
  private static final String OLD = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String NEW = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";

  private final FakePlatform receiver = FakePlatform.start();
  private final StillTime time = new StillTime();
  private final AccountConfig config =
      AccountConfig.of("out", "webhook")
          .set("url", receiver.baseUrl() + "/hooks/t0ken?a=b")
          .set("secret", OLD)
          .set("allowedNetworks", List.of("127.0.0.1"))
          .set("timeout", "5m");
  private TestAccount account = account(config);
  private Link link = new WebhookChannel().open(account);

  private TestAccount account(AccountConfig with) {
    return new TestAccount(with, time, new ArrayList<>());
  }

  private void reopen(AccountConfig with) {
    account = account(with);
    link = new WebhookChannel().open(account);
  }

  @AfterEach
  void close() {
    link.close();
    receiver.close();
  }

  private Outcome send(Reply reply) throws Exception {
    receiver.answer(reply);
    return link.send(account.part("room 1", "hello"));
  }

  private static JsonNode data(Request request) {
    return JsonMapper.shared().readTree(request.body()).path("data");
  }

  // ---- what is sent

  @Test
  void a_message_is_posted_whole_and_its_receipt_is_the_webhook_id() throws Exception {
    Dispatch part =
        account.part(
            Message.to("out", "room 1")
                .text("**héllo** 🌍")
                .threadId("t1")
                .replyToId("m0")
                .silent(true)
                .metadata(Map.of("order", 7))
                .channelData(Map.of("button", "yes")));

    assertThat(link.send(part)).isEqualTo(Outcome.delivered("msg_" + part.key()));

    Request request = receiver.onlyRequest();
    assertThat(request.method() + " " + request.path()).isEqualTo("POST /hooks/t0ken?a=b");
    assertThat(request.headers().get("content-type")).startsWith("application/json");
    assertThat(request.headers().get("webhook-id")).isEqualTo("msg_" + part.key());
    assertThat(request.headers().get("webhook-timestamp"))
        .isEqualTo("" + time.instant().getEpochSecond());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("id", part.id().toString());
    data.put("account", "out");
    data.put("to", "room 1");
    data.put("text", "**héllo** 🌍");
    data.put("format", "markdown");
    data.put("media", List.of());
    data.put("threadId", "t1");
    data.put("replyToId", "m0");
    data.put("silent", true);
    data.put("metadata", Map.of("order", 7));
    data.put("channelData", Map.of("button", "yes"));
    data.put("part", 1);
    data.put("parts", 1);
    assertThat(JsonMapper.shared().readValue(request.body(), Map.class))
        .isEqualTo(
            Map.of("type", "message", "timestamp", part.id().givenAt().toString(), "data", data));
  }

  @Test
  void the_next_try_has_the_same_id_and_body_and_a_time_and_signature_of_its_own()
      throws Exception {
    Dispatch part = account.part("room", "hello");
    receiver.answer(Reply.html(500, "oops"));
    link.send(part);
    time.pass(Duration.ofMinutes(5));
    link.send(part);

    Request first = receiver.requests().getFirst();
    Request second = receiver.requests().getLast();
    assertThat(second.headers().get("webhook-id")).isEqualTo(first.headers().get("webhook-id"));
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers().get("webhook-timestamp"))
        .isNotEqualTo(first.headers().get("webhook-timestamp"));
    assertThat(second.headers().get("webhook-signature"))
        .isNotEqualTo(first.headers().get("webhook-signature"));
  }

  @Test
  void text_in_several_parts_says_so_and_joins_to_what_was_written() throws Exception {
    String text = "All work and no play. ".repeat(2_000);
    Message message = Message.to("out", "room").text(text).format(Format.MARKDOWN).build();
    Capabilities can = new WebhookChannel().capabilities(config);
    Plan plan = Planner.plan(account.part("room", "x").id(), message, can, _ -> Optional.empty());
    for (int i = 0; i < plan.parts().size(); i++) {
      link.send(new Dispatch(plan.origin(), message, plan, i, PartState.PENDING, List.of()));
    }
    StringBuilder joined = new StringBuilder();
    for (Request request : receiver.requests()) {
      assertThat(request.body().length).isLessThan(20_000);
      assertThat(data(request).path("parts").intValue()).isEqualTo(plan.parts().size());
      joined.append(data(request).path("text").stringValue());
    }
    assertThat(joined.toString()).isEqualTo(text);
    assertThat(data(receiver.requests().get(1)).path("part").intValue()).isEqualTo(2);
  }

  // ---- files

  private record Held(byte[] content) implements PartFile.Bytes {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  private static Attachment file(String url, String type) {
    return new Attachment(url, MediaKind.IMAGE, "größe.png", type, 4, false, false);
  }

  @Test
  void files_go_by_address_or_inside_in_their_order() throws Exception {
    byte[] bytes = {0, 1, 2, (byte) 0xff};
    link.send(
        account
            .part("room", "see")
            .carrying(
                List.of(
                    new PartFile(file("https://files.example/a.png", null), null, null),
                    new PartFile(
                        file("media:" + "a".repeat(64), "image/png"), null, new Held(bytes)))));

    JsonNode media = data(receiver.onlyRequest()).path("media");
    assertThat(JsonMapper.shared().treeToValue(media, List.class))
        .isEqualTo(
            List.of(
                Map.of(
                    "kind", "image",
                    "filename", "größe.png",
                    "url", "https://files.example/a.png"),
                Map.of(
                    "kind", "image",
                    "filename", "größe.png",
                    "type", "image/png",
                    "size", 4,
                    "content", Base64.getEncoder().encodeToString(bytes))));
  }

  @Test
  void a_file_that_cannot_be_read_leaves_no_doubt() throws Exception {
    PartFile.Bytes gone =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return 4;
          }

          @Override
          public InputStream open() throws IOException {
            throw new FileNotFoundException("gone");
          }
        };
    PartFile cargo = new PartFile(file("media:" + "a".repeat(64), "image/png"), null, gone);
    assertThat(link.send(account.part("room", "see").carrying(List.of(cargo))))
        .isEqualTo(new Outcome.NotSent("a file cannot be read: gone"));
    assertThat(receiver.requests()).isEmpty();
  }

  private static Plan plan(AccountConfig account, long size) {
    Blob blob = new Blob("a".repeat(64), size, "application/pdf");
    return Planner.plan(
        TestAccount.of(account).part("x", "x").id(),
        Message.to("out", "room").text("see").media(List.of(Media.held(blob.hash()))).build(),
        new WebhookChannel().capabilities(account),
        _ -> Optional.of(blob));
  }

  @Test
  void a_file_too_large_to_send_inside_is_refused_when_the_message_is_accepted() {
    assertThat(plan(config, 256 << 10).parts()).hasSize(1);
    assertThatThrownBy(() -> plan(config, (256 << 10) + 1))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("262145 bytes is more than the 262144 this channel takes");
    assertThat(plan(config.set("inlineLimit", 1_000_000), 999_999).parts())
        .extracting(Part::text)
        .containsExactly("see");
  }

  // ---- signatures

  private static HttpHeaders headers(Request request) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    request.headers().forEach((name, value) -> all.put(name, List.of(value)));
    return HttpHeaders.of(all, (_, _) -> true);
  }

  /** The vendor's verifier looks at the clock on the wall. */
  private Request sentNow(AccountConfig with) throws Exception {
    reopen(with);
    time.pass(Duration.between(time.instant(), Instant.now()));
    link.send(account.part("room", "héllo 🌍"));
    return receiver.onlyRequest();
  }

  @Test
  void the_vendors_verifier_accepts_what_we_sign() throws Exception {
    Request request = sentNow(config);
    String body = new String(request.body(), StandardCharsets.UTF_8);
    assertThatCode(() -> new Webhook(OLD).verify(body, headers(request)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new Webhook(OLD).verify(body + " ", headers(request)))
        .isInstanceOf(WebhookVerificationException.class);
    assertThatThrownBy(() -> new Webhook(NEW).verify(body, headers(request)))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void while_secrets_change_both_signatures_are_sent() throws Exception {
    Request request = sentNow(config.set("secret", List.of(NEW, OLD)));
    String body = new String(request.body(), StandardCharsets.UTF_8);
    for (String secret : List.of(NEW, OLD)) {
      assertThatCode(() -> new Webhook(secret).verify(body, headers(request)))
          .doesNotThrowAnyException();
    }
    assertThat(request.headers().get("webhook-signature").split(" ")).hasSize(2);
  }

  // ---- what answers mean

  @ParameterizedTest
  @CsvSource({
    "200, delivered, delivered",
    "202, delivered, delivered",
    "299, delivered, delivered",
    "301, account-broken, account-broken",
    "307, account-broken, account-broken",
    "400, not-sent, MESSAGE",
    "401, not-sent, TARGET",
    "403, not-sent, TARGET",
    "404, not-sent, TARGET",
    "408, not-sent, not-sent",
    "410, TARGET, TARGET",
    "413, not-sent, MESSAGE",
    "422, not-sent, MESSAGE",
    "425, not-sent, not-sent",
    "429, throttled, throttled",
    "500, unknown, unknown",
    "501, unknown, unknown",
    "502, throttled, throttled",
    "503, unknown, unknown",
    "504, throttled, throttled",
    "520, unknown, unknown",
  })
  void every_answer_has_its_meaning(int status, String usually, String permanent) throws Exception {
    assertThat(label(send(Reply.html(status, "x")))).isEqualTo(usually);
    reopen(config.set("permanentOn4xx", true));
    assertThat(label(send(Reply.html(status, "x")))).isEqualTo(permanent);
  }

  private static String label(Outcome outcome) {
    return outcome instanceof Outcome.Rejected(Blame blame, _) ? blame.name() : outcome.label();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void retry_after_holds_the_endpoint_as_long_as_it_asks(int status) throws Exception {
    assertThat(send(Reply.html(status, "later").header("Retry-After", "6775")))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, Duration.ofSeconds(6775), status + " later"));
  }

  @Test
  void a_throttle_without_a_delay_takes_the_accounts() throws Exception {
    reopen(config.set("throttle", "7s"));
    assertThat(send(Reply.html(504, "")))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.ACCOUNT, Duration.ofSeconds(7), "504"));
  }

  @Test
  void a_key_in_the_query_is_in_no_outcome() throws Exception {
    reopen(config.set("url", receiver.baseUrl() + "/hooks?key=k3y%2Bsecret&to=x"));
    for (String quoted : List.of("key=k3y%2Bsecret&to=x", "k3y%2Bsecret", "k3y+secret")) {
      assertThat(send(Reply.html(400, "unknown: " + quoted)).toString())
          .contains("unknown")
          .doesNotContain("k3y");
    }
  }

  @Test
  void neither_the_address_nor_the_secret_is_in_an_outcome() throws Exception {
    String url = receiver.baseUrl() + "/hooks/t0ken?a=b";
    for (int status : List.of(400, 302, 429, 500)) {
      Outcome outcome = send(Reply.html(status, "no " + url + " with " + OLD));
      assertThat(outcome.toString()).doesNotContain("t0ken").doesNotContain(OLD);
    }
    receiver.close();
    assertThat(link.send(account.part("room", "x")).toString()).doesNotContain("t0ken");
  }

  // ---- where it goes

  @Test
  void a_private_address_is_not_posted_to_unless_it_is_allowed() throws Exception {
    reopen(config.set("allowedNetworks", List.of("10.0.0.0/8")));
    assertThat(link.send(account.part("room", "x")))
        .isEqualTo(
            new Outcome.AccountBroken(
                "127.0.0.1 is at a private address, which is reached only if allowedNetworks has"
                    + " it; check url"));
    reopen(
        config.set("url", "http://localhost:" + receiver.port()).set("allowedNetworks", List.of()));
    assertThat(link.send(account.part("room", "x"))).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(receiver.requests()).isEmpty();
  }

  @Test
  void an_address_in_to_is_a_mere_name_unless_any_target_is_allowed() throws Exception {
    String address = "https://127.0.0.1:" + receiver.port() + "/theirs";
    link.send(account.part(address, "x"));
    assertThat(data(receiver.onlyRequest()).path("to").stringValue()).isEqualTo(address);

    reopen(config.set("allowAnyTarget", true));
    assertThat(link.send(account.part(address, "x"))) // which does not speak TLS
        .isInstanceOf(Outcome.Unreachable.class);
    assertThat(link.server(address)).isEqualTo("127.0.0.1:" + receiver.port());
    assertThat(link.server("https://user:secret@example.ORG/hook?token=1"))
        .isEqualTo("example.org");
    assertThat(link.server("a name")).isNull();
    assertThat(link.send(account.part("a name", "x"))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void trouble_with_an_address_in_to_is_that_chats_alone() throws Exception {
    reopen(config.set("allowAnyTarget", true));
    assertThat(link.send(account.part("https://10.1.2.3/x", "x")))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.TARGET,
                "10.1.2.3 is at a private address, which is reached only if allowedNetworks has"
                    + " it"));
    assertThat(link.send(account.part("https://user@example.org/", "x")))
        .isInstanceOf(Outcome.Rejected.class);
    WebhookVerdict verdict = new WebhookVerdict(false, Duration.ofSeconds(1), time);
    Response response = new Response(302, Map.of("location", "https://x"), "");
    assertThat(label(verdict.of(response, "msg_1", false))).isEqualTo("TARGET");
    assertThat(verdict.of(new Response(429, Map.of(), ""), "msg_1", false))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofSeconds(1), "429"));
  }

  @Test
  void without_an_address_of_its_own_an_account_needs_one_in_to() throws Exception {
    Channel channel = new WebhookChannel();
    AccountConfig bare = AccountConfig.of("out", "webhook").set("secret", OLD);
    assertThatThrownBy(() -> channel.open(account(bare))).hasMessage("account out: url is missing");
    reopen(bare.set("allowAnyTarget", true));
    assertThat(label(link.send(account.part("room", "x")))).isEqualTo("TARGET");
  }

  @ParameterizedTest
  @CsvSource({
    "url, ftp://x, url is not an address such as https://example.org/hook",
    "secret, s3cret, secret is not whsec_ and then base64",
    "secret, whsec_%%, secret is not whsec_ and then base64",
    "secret, whsec_, secret is not whsec_ and then base64",
    "timeout, 0s, timeout must be longer than zero",
    "throttle, 0s, throttle must be longer than zero",
  })
  void a_wrong_setting_is_named_and_not_quoted(String key, String value, String complaint) {
    assertThatThrownBy(() -> new WebhookChannel().open(account(config.set(key, value))))
        .hasMessage("account out: " + complaint);
  }

  @Test
  void a_receiver_that_fails_is_tried_for_three_days_at_growing_intervals() {
    DeliverySettings hooks = new WebhookChannel().delivery(DeliverySettings.DEFAULTS);
    Duration tried = hooks.backoff().stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(hooks.backoff()).isSorted().hasSize(hooks.maxAttempts() - 1);
    assertThat(tried).isBetween(Duration.ofDays(3), hooks.expireAfter());
  }

  @Test
  void a_receiver_knows_a_repeat_by_its_id() {
    Capabilities can = new WebhookChannel().capabilities(config);
    assertThat(can.remembers()).isEqualTo(Capabilities.FOR_GOOD);
    assertThat(can.media().reuse()).isEqualTo(MediaRules.Reuse.NONE);
  }
}
