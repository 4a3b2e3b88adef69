package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Against a Slack that somebody else wrote: what was sent is read back from it. */
@VerifiedAgainst(
    value = "emulate 0.11.2",
    channels = {"slack", "slack-webhook"})
class SlackPeerTest {
  private static final String TOKEN = "test_token_admin";
  private static final String CHANNEL = "C000000001";

  private static NpmPeer peer;
  private static TestAccount account;
  private static Link link;

  @BeforeAll
  static void start() throws Exception {
    peer =
        NpmPeer.start(
            "slack",
            "node_modules/emulate/dist/index.js",
            "Config:",
            "start",
            "--service",
            "slack",
            "--port",
            "{port}",
            "--base-url",
            "http://127.0.0.1:{port}");
    account =
        TestAccount.of(
            AccountConfig.of("sl", "slack")
                .set("token", TOKEN)
                .set("baseUrl", peer.baseUrl() + "/api"));
    link = new SlackChannel().open(account);
  }

  @AfterAll
  static void stop() throws Exception {
    if (link != null) {
      link.close();
    }
    if (peer != null) {
      peer.close();
    }
  }

  private static String delivered(Dispatch part) throws Exception {
    return ((Outcome.Delivered) link.send(part)).receipt().id();
  }

  /** The message with this ts, as the peer lists it. */
  private static JsonNode readBack(String method, Map<String, String> query, String ts) {
    try (HttpSender http =
        new HttpSender(Duration.ofMinutes(5), Duration.ofMinutes(5), Secrets.of(TOKEN))) {
      HttpResult result =
          http.send(
              HttpCall.post(URI.create(peer.baseUrl() + "/api/" + method))
                  .bearer(TOKEN)
                  .fields(query));
      JsonNode body = Json.readObject(((HttpResult.Response) result).body());
      return body.path("messages")
          .valueStream()
          .filter(message -> message.path("ts").asString().equals(ts))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void a_text_arrives_with_its_key() throws Exception {
    Dispatch part =
        account.markup(Message.to("sl", CHANNEL).text("héllo & 🌍"), "*héllo* &amp; 🌍");
    String ts = delivered(part);
    JsonNode message = readBack("conversations.history", Map.of("channel", CHANNEL), ts);
    assertThat(message.path("text").asString()).isEqualTo("*héllo* &amp; 🌍");
    assertThat(message.path("metadata"))
        .isEqualTo(
            Json.tree(
                Map.of("event_type", "postrider", "event_payload", Map.of("key", part.key()))));
  }

  @Test
  void a_reply_arrives_in_its_thread() throws Exception {
    String parent = delivered(account.part(CHANNEL, "question"));
    Dispatch reply = account.part(Message.to("sl", CHANNEL).text("answer").replyToId(parent));
    String ts = delivered(reply);
    JsonNode message =
        readBack("conversations.replies", Map.of("channel", CHANNEL, "ts", parent), ts);
    assertThat(message.path("thread_ts").asString()).isEqualTo(parent);
    assertThat(link.reconcile(reply)).isEqualTo(new Reconciliation.Found(new Receipt(ts, false)));
  }

  @Test
  void several_files_arrive_as_one_message() throws Exception {
    Dispatch part =
        account
            .part(CHANNEL, "two files")
            .carrying(
                List.of(SlackFilesTest.file("a.png", 70_000), SlackFilesTest.file("b.png", 5)));
    String ts = delivered(part);
    JsonNode message = readBack("conversations.history", Map.of("channel", CHANNEL), ts);
    assertThat(message.path("text").asString()).isEqualTo("two files");
    assertThat(message.path("files").valueStream().map(file -> file.path("name").asString()))
        .containsExactly("a.png", "b.png");
    assertThat(message.path("files").valueStream().map(file -> file.path("size").asInt()))
        .containsExactly(70_000, 5);
  }

  @Test
  void blocks_arrive() throws Exception {
    List<Map<String, String>> blocks = List.of(Map.of("type", "divider"));
    Message.Builder message =
        Message.to("sl", CHANNEL).text("x").channelData(Map.of("blocks", blocks));
    String ts = delivered(account.part(message));
    assertThat(
            readBack("conversations.history", Map.of("channel", CHANNEL), ts)
                .path("blocks")
                .path(1)
                .path("type")
                .asString())
        .isEqualTo("divider");
  }

  @Test
  void what_arrived_is_found_and_what_did_not_is_absent() throws Exception {
    Dispatch sent = account.part("C000000002", "here");
    String ts = delivered(sent);
    assertThat(link.reconcile(sent)).isEqualTo(new Reconciliation.Found(new Receipt(ts, false)));
    assertThat(link.reconcile(account.part("C000000002", "never sent")))
        .isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void an_unknown_channel_is_the_targets_fault_and_an_empty_text_the_messages() throws Exception {
    assertThat(link.send(account.part("C404", "x")))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "channel_not_found"));
    assertThat(
            link.send(
                account.part(Message.to("sl", CHANNEL).channelData(Map.of("unfurl_links", false)))))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "no_text"));
  }

  @Test
  void a_probe_names_the_bot() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("@admin"));
  }

  @Test
  void a_webhook_posts_and_is_probed_without_posting() throws Exception {
    Channel channel = new SlackWebhookChannel();
    TestAccount hooked =
        TestAccount.of(
            AccountConfig.of("hook", "slack-webhook")
                .set("url", peer.baseUrl() + "/services/T000000001/B000000001/X000000001"));
    try (Link webhook = channel.open(hooked)) {
      assertThat(webhook.send(hooked.part("ops", "by webhook"))).isEqualTo(Outcome.delivered(""));
      assertThat(webhook.probe()).isEqualTo(new Probe.Healthy("an incoming webhook"));
    }
  }
}
