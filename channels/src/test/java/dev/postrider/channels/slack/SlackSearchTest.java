package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.Reply;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whether a lost message has arrived. */
class SlackSearchTest {
  private static final Reconciliation INCONCLUSIVE = new Reconciliation.Inconclusive();

  private final FakeSlack slack = new FakeSlack();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("sl", "slack")
              .set("token", "xoxb-very-secret")
              .set("baseUrl", slack.baseUrl())
              .set("settle", "7s"));
  private final Link link = new SlackChannel().open(account);
  private final Dispatch part = account.part("C1", "hello");

  @AfterEach
  void close() {
    link.close();
    slack.close();
  }

  private static Reconciliation found(String ts) {
    return new Reconciliation.Found(new Receipt(ts, false));
  }

  private String arrived(Dispatch dispatch) {
    return slack.add(
        Map.of(
            "metadata",
            Map.of("event_type", "postrider", "event_payload", Map.of("key", dispatch.key()))));
  }

  @Test
  void a_message_that_arrived_without_an_answer_is_found_by_its_key() throws Exception {
    String ts = arrived(part);
    arrived(account.part("C1", "hello"));
    assertThat(link.reconcile(part)).isEqualTo(found(ts));
  }

  @Test
  void what_was_really_posted_is_found() throws Exception {
    assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);
    assertThat(link.reconcile(part)).isEqualTo(found("1700000000.000001"));
  }

  @Test
  void a_message_that_is_not_there_is_absent() throws Exception {
    arrived(account.part("C1", "hello"));
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void an_apps_message_without_metadata_may_be_ours() throws Exception {
    slack.add(Map.of("bot_id", "B1", "text", "hello"));
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
  }

  @Test
  void the_look_goes_back_to_before_the_first_try_and_asks_for_metadata() throws Exception {
    link.reconcile(part);
    JsonNode query = slack.calls("conversations.history").getFirst();
    assertThat(query.path("channel").asString()).isEqualTo("C1");
    assertThat(query.path("include_all_metadata").asString()).isEqualTo("true");
    Instant oldest =
        Instant.ofEpochMilli(
            new BigDecimal(query.path("oldest").asString()).movePointRight(3).longValue());
    assertThat(oldest).isEqualTo(part.id().givenAt().minus(Duration.ofMinutes(5)));
  }

  @Test
  void a_look_waits_for_what_may_still_be_under_way() throws Exception {
    Instant before = account.scheduler().instant();
    link.reconcile(part);
    assertThat(account.scheduler().instant()).isEqualTo(before.plusSeconds(7));
  }

  @Test
  void a_thread_is_looked_through_instead_of_the_channel() throws Exception {
    Dispatch reply = account.part(Message.to("sl", "C1").text("hi").replyToId("17.01"));
    String ts = arrived(reply);
    assertThat(link.reconcile(reply)).isEqualTo(found(ts));
    assertThat(slack.calls("conversations.replies").getFirst().path("ts").asString())
        .isEqualTo("17.01");
    assertThat(slack.calls("conversations.history")).isEmpty();
  }

  @Test
  void a_person_is_looked_up_in_the_channel_between_us() throws Exception {
    Dispatch dm = account.part("U123", "hi");
    String ts = arrived(dm);
    assertThat(link.reconcile(dm)).isEqualTo(found(ts));
    assertThat(slack.calls("conversations.history").getFirst().path("channel").asString())
        .isEqualTo("D7");
  }

  @Test
  void every_page_is_read_before_a_message_counts_as_absent() throws Exception {
    slack.pageSize = 2;
    String ts = arrived(part);
    for (int i = 0; i < 5; i++) {
      arrived(account.part("C1", "hello"));
    }
    assertThat(link.reconcile(part)).isEqualTo(found(ts));
    assertThat(link.reconcile(account.part("C1", "other"))).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void a_channel_too_busy_to_be_read_to_the_end_leaves_it_open() throws Exception {
    slack.pageSize = 1;
    for (int i = 0; i < 30; i++) {
      arrived(account.part("C1", "hello"));
    }
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
  }

  @Test
  void a_list_that_says_that_there_is_more_but_not_where_leaves_it_open() throws Exception {
    slack.platform.answer(Reply.json(200, "{\"ok\":true,\"messages\":[],\"has_more\":true}"));
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
    slack.platform.answer(Reply.json(200, "{\"ok\":true}"));
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing_scope", "channel_not_found", "ratelimited", "internal_error"})
  void a_look_that_slack_refuses_leaves_it_open(String code) throws Exception {
    slack.platform.answer(FakeSlack.error(code));
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
    slack.platform.answer(FakeSlack.error(code));
    assertThat(link.reconcile(account.part("U123", "hi"))).isEqualTo(INCONCLUSIVE);
  }

  @Test
  void a_limit_in_the_middle_of_the_list_leaves_it_open() throws Exception {
    slack.platform.answer(
        FakeSlack.ok(
            Map.of(
                "messages",
                List.of(),
                "has_more",
                true,
                "response_metadata",
                Map.of("next_cursor", "x"))),
        Reply.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}").header("Retry-After", "60"));
    assertThat(link.reconcile(part)).isEqualTo(INCONCLUSIVE);
  }
}
