package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Text on the wire. */
class SlackLinkTest {
  private static final String TOKEN = "xoxb-very-secret";

  private final FakeSlack slack = new FakeSlack();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("sl", "slack")
              .set("token", TOKEN)
              .set("baseUrl", slack.baseUrl() + "/")
              .set("timeout", "5m"));
  private final Link link = new SlackChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    slack.close();
  }

  private Message.Builder message() {
    return Message.to("sl", "C1").text("hello");
  }

  /** What Slack was asked for a part that it took. */
  private JsonNode posted(Dispatch dispatch) throws Exception {
    assertThat(link.send(dispatch)).isInstanceOf(Outcome.Delivered.class);
    return slack.calls("chat.postMessage").getLast();
  }

  @Test
  void a_delivered_part_gets_slacks_ts() throws Exception {
    assertThat(link.send(account.part(message())))
        .isEqualTo(Outcome.delivered("1700000000.000001"));
    assertThat(slack.platform.onlyRequest().headers())
        .containsEntry("authorization", "Bearer " + TOKEN)
        .containsEntry("content-type", "application/json; charset=utf-8");
  }

  @Test
  void a_message_says_to_whom_what_and_by_which_key_and_no_more() throws Exception {
    Dispatch part = account.markup(message().text("a < b"), "*a* &lt; b");
    String key = part.key();
    assertThat(posted(part))
        .isEqualTo(
            Json.tree(
                Map.of(
                    "channel",
                    "C1",
                    "text",
                    "*a* &lt; b",
                    "link_names",
                    false,
                    "metadata",
                    Map.of("event_type", "postrider", "event_payload", Map.of("key", key)),
                    "client_msg_id",
                    uuid(key))));
  }

  private static String uuid(String key) {
    return String.join(
        "-",
        key.substring(0, 8),
        key.substring(8, 12),
        "5" + key.substring(13, 16),
        "89ab".charAt(Character.digit(key.charAt(16), 16) & 3) + key.substring(17, 20),
        key.substring(20));
  }

  @Test
  void a_repeat_bears_the_same_key() throws Exception {
    Dispatch part = account.part(message());
    JsonNode first = posted(part);
    assertThat(posted(part)).isEqualTo(first);
    UUID id = UUID.fromString(first.path("client_msg_id").asString());
    assertThat(id.version()).isEqualTo(5);
    assertThat(id.variant()).isEqualTo(2);
  }

  @Test
  void a_text_without_markup_is_written_such_that_slack_finds_none() throws Exception {
    assertThat(posted(account.part(message().text("<!channel> & co"))).path("text").asString())
        .isEqualTo("&lt;!channel&gt; &amp; co");
  }

  @Test
  void to_reply_is_to_post_to_a_thread() throws Exception {
    assertThat(posted(account.part(message().replyToId("17.01"))).path("thread_ts").asString())
        .isEqualTo("17.01");
    assertThat(posted(account.part(message().threadId("18.01"))).path("thread_ts").asString())
        .isEqualTo("18.01");
    assertThat(
            posted(account.part(message().threadId("18.01").replyToId("18.05")))
                .path("thread_ts")
                .asString())
        .isEqualTo("18.01");
  }

  @ParameterizedTest
  @ValueSource(strings = {"D024BE91L", "U024BE7LH", "W024BE7LH"})
  void a_direct_message_is_answered_without_a_thread(String chat) throws Exception {
    Message.Builder answer = Message.to("sl", chat).text("hello").replyToId("17.01");
    assertThat(posted(account.part(answer)).has("thread_ts")).isFalse();
    assertThat(posted(account.part(answer.threadId("16.01"))).path("thread_ts").asString())
        .as("unless a thread is named")
        .isEqualTo("16.01");
  }

  @Test
  void text_beside_blocks_is_shown_above_them() throws Exception {
    Map<String, String> divider = Map.of("type", "divider");
    JsonNode body = posted(account.part(message().channelData(Map.of("blocks", List.of(divider)))));

    assertThat(body.path("text").asString()).as("for notifications").isEqualTo("hello");
    assertThat(body.path("blocks"))
        .isEqualTo(
            Json.tree(
                List.of(
                    Map.of("type", "section", "text", Map.of("type", "mrkdwn", "text", "hello")),
                    divider)));
  }

  @Test
  void text_without_markup_beside_blocks_is_shown_without_markup() throws Exception {
    Message.Builder plain =
        Message.to("sl", "C1")
            .text("a < b")
            .channelData(Map.of("mrkdwn", false, "blocks", List.of(Map.of("type", "divider"))));

    assertThat(posted(account.part(plain)).at("/blocks/0/text"))
        .isEqualTo(Json.tree(Map.of("type", "plain_text", "text", "a < b")));
  }

  @Test
  void a_long_text_beside_blocks_becomes_several_sections_and_code_stays_code() {
    String line = "x".repeat(99) + "\n";
    List<String> sections = SlackBlocks.sections("```\n" + line.repeat(39) + "```", true);

    assertThat(sections).hasSize(2).allSatisfy(it -> assertThat(it).hasSizeLessThan(3000));
    assertThat(sections).allSatisfy(it -> assertThat(it).startsWith("```\nx").endsWith("\n```"));
    assertThat(String.join("", sections).replaceAll("[^x]", "")).hasSize(39 * 99);
  }

  @Test
  void more_blocks_than_slack_takes_with_the_text_are_refused_at_once() {
    Message full =
        message()
            .channelData(Map.of("blocks", Collections.nCopies(50, Map.of("type", "divider"))))
            .build();

    assertThatThrownBy(() -> new SlackChannel().check(full, account.part(full.toBuilder()).plan()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("channelData.blocks");
  }

  @Test
  void a_limit_that_several_channels_hit_is_the_accounts() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    for (String chat : List.of("C1", "C2", "C3")) {
      slack.platform.answer(
          Reply.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}").header("Retry-After", "2"));
      outcomes.add(link.send(account.part(chat, "hello")));
    }
    assertThat(outcomes)
        .extracting(it -> ((Outcome.Throttled) it).scope())
        .containsExactly(ThrottleScope.CHAT, ThrottleScope.CHAT, ThrottleScope.ACCOUNT);
  }

  @Test
  void every_part_of_a_reply_goes_to_the_thread() throws Exception {
    Dispatch first = account.part(message().replyToId("17.01"));
    Plan plan = new Plan(first.id(), List.of(first.part(), Part.plain("and more")));
    Dispatch second =
        new Dispatch(first.id(), first.message(), plan, 1, PartState.PENDING, List.of());
    assertThat(posted(second).path("thread_ts").asString()).isEqualTo("17.01");
    assertThat(posted(second).path("text").asString()).isEqualTo("and more");
  }

  @Test
  void a_name_and_a_picture_reach_every_part_and_blocks_the_last() throws Exception {
    Dispatch whole =
        account.part(
            message()
                .channelData(Map.of("username", "Desk", "icon_emoji", ":x:", "blocks", List.of())));
    Plan plan = new Plan(whole.id(), List.of(whole.part(), Part.plain("and more")));

    JsonNode first = posted(Dispatch.of(whole.message(), plan, 0, SlackRequest.OPTIONS));
    JsonNode last = posted(Dispatch.of(whole.message(), plan, 1, SlackRequest.OPTIONS));

    assertThat(first.path("username").asString()).isEqualTo("Desk");
    assertThat(first.path("icon_emoji").asString()).isEqualTo(":x:");
    assertThat(first.has("blocks")).isFalse();
    assertThat(last.path("username").asString()).isEqualTo("Desk");
    assertThat(last.has("blocks")).isTrue();
  }

  @Test
  void a_reply_that_is_dropped_goes_to_the_channel() throws Exception {
    Dispatch part = account.part(message().replyToId("17.01"), new Fix.DropReply());
    assertThat(posted(part).has("thread_ts")).isFalse();
  }

  @Test
  void silence_has_no_equivalent_and_changes_nothing() throws Exception {
    JsonNode silent = posted(account.part(message().silent(true)));
    JsonNode loud = posted(account.part(message()));
    assertThat(silent.propertyNames()).isEqualTo(loud.propertyNames());
  }

  @Test
  void an_id_that_slack_cannot_have_given_is_not_asked_for() throws Exception {
    assertThat(link.send(account.part(message().replyToId("m-1"))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(link.send(account.part(message().threadId("topic"))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
    assertThat(slack.platform.requests()).isEmpty();
  }

  @Test
  void channel_data_rides_along_and_never_changes_whom_or_what() throws Exception {
    List<Map<String, String>> blocks = List.of(Map.of("type", "divider"));
    JsonNode body =
        posted(
            account.part(
                message()
                    .channelData(
                        Map.of(
                            "blocks",
                            blocks,
                            "unfurl_links",
                            false,
                            "reply_broadcast",
                            true,
                            "channel",
                            "C666"))));
    assertThat(body.at("/blocks/1")).isEqualTo(Json.tree(blocks.getFirst()));
    assertThat(body.path("unfurl_links").booleanValue()).isFalse();
    assertThat(body.path("reply_broadcast").booleanValue()).isTrue();
    assertThat(body.path("channel").asString()).isEqualTo("C1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"channel", "metadata", "client_msg_id", "thread_ts", "blokcs"})
  void channel_data_that_is_not_the_senders_to_say_is_refused(String name) {
    Dispatch part = account.part(message().channelData(Map.of(name, "x")));
    assertThatThrownBy(() -> new SlackChannel().check(part.message(), part.plan()))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.field()).isEqualTo("channelData." + name));
  }

  @Test
  void a_probe_tells_a_refused_app_from_an_unreachable_platform() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("@rider"));
    slack.platform.answer(FakeSlack.error("token_revoked"));
    assertThat(link.probe()).isEqualTo(new Probe.Broken("token_revoked"));
    slack.platform.answer(Reply.html(502, "Bad Gateway"));
    assertThat(link.probe())
        .isEqualTo(new Probe.Unreachable("502 without a readable answer: Bad Gateway"));
  }

  static List<Reply> repliesThatQuoteTheToken() {
    return List.of(
        FakeSlack.error("invalid_auth: " + TOKEN),
        Reply.html(404, "<p>no " + TOKEN + "</p>"),
        Reply.text(302, "text/plain", TOKEN).header("Location", "https://x/" + TOKEN),
        new Reply.HangUp());
  }

  @ParameterizedTest
  @MethodSource("repliesThatQuoteTheToken")
  void the_token_is_in_no_outcome(Reply reply) throws Exception {
    slack.platform.answer(reply);
    assertThat(link.send(account.part(message())).toString()).doesNotContain("very-secret");
    slack.platform.answer(reply);
    assertThat(link.probe().toString()).doesNotContain("very-secret");
  }

  @Test
  void both_channels_are_found_and_say_what_is_secret() {
    assertThat(ServiceLoader.load(Channel.class))
        .extracting(Channel::name)
        .contains("slack", "slack-webhook");
    assertThat(new SlackChannel().settings())
        .filteredOn(Channel.Setting::secret)
        .extracting(Channel.Setting::name)
        .containsExactly("token", "signingSecret", "webhookSecret", "appToken");
  }

  @Test
  void an_account_that_cannot_work_is_refused_without_showing_its_values() {
    assertThatThrownBy(
            () -> new SlackChannel().open(TestAccount.of(AccountConfig.of("sl", "slack"))))
        .hasMessage("account sl: token is missing");
    assertThatThrownBy(
            () ->
                new SlackChannel()
                    .open(TestAccount.of(account.config().set("baseUrl", "slack.com"))))
        .hasMessage("account sl: baseUrl is not an address such as https://slack.com/api");
  }
}
