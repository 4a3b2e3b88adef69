package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class GoogleChatLinkTest {
  private static final String SPACE = FakeGoogle.SPACE;

  private final FakeGoogle google = new FakeGoogle();
  private final TestAccount account = TestAccount.of(google.app());
  private final Link link = new GoogleChatChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    google.close();
  }

  private static Message.Builder hi() {
    return Message.to("gc", SPACE).text("hi");
  }

  private Request lastPost() {
    return google.posts().getLast();
  }

  private JsonNode said() {
    return FakeGoogle.body(lastPost());
  }

  // ---- what is sent

  @Test
  void a_text_is_posted_with_names_of_ours_in_the_dialect_that_it_is_in() throws Exception {
    Dispatch part = account.part(SPACE, "*hi*");

    assertThat(link.send(part)).isEqualTo(Outcome.delivered(SPACE + "/messages/M1.M1"));

    String key = part.key();
    assertThat(FakeGoogle.query(lastPost()))
        .containsEntry("messageId", "client-" + key)
        .containsEntry(
            "requestId",
            "%s-%s-%s-%s-%s"
                .formatted(
                    key.substring(0, 8),
                    key.substring(8, 12),
                    key.substring(12, 16),
                    key.substring(16, 20),
                    key.substring(20)))
        .doesNotContainKey("messageReplyOption");
    assertThat(said().toString())
        .isEqualTo("{\"text\":\"*hi*\",\"markupSyntax\":\"MARKUP_SYNTAX_CHAT\"}");
  }

  @Test
  void a_silent_message_asks_for_no_notification() throws Exception {
    link.send(account.part(hi().silent(true)));
    assertThat(FakeGoogle.query(lastPost()))
        .containsEntry(
            "createMessageNotificationOptions.notificationType", "NOTIFICATION_TYPE_SILENT");
  }

  @Test
  void in_a_thread_which_takes_no_silent_messages_the_thread_counts_for_more() throws Exception {
    link.send(account.part(hi().silent(true).threadId("order-77")));
    assertThat(FakeGoogle.query(lastPost()))
        .containsKey("messageReplyOption")
        .doesNotContainKey("createMessageNotificationOptions.notificationType");
  }

  @Test
  void a_thread_is_named_by_google_or_by_a_key_of_the_senders() throws Exception {
    link.send(account.part(hi().threadId("order-77")));
    assertThat(said().path("thread").toString()).isEqualTo("{\"threadKey\":\"order-77\"}");
    assertThat(FakeGoogle.query(lastPost()))
        .containsEntry("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");

    link.send(account.part(hi().threadId(SPACE + "/threads/T1")));
    assertThat(said().path("thread").toString())
        .isEqualTo("{\"name\":\"" + SPACE + "/threads/T1\"}");
  }

  @Test
  void a_thread_that_is_gone_and_was_asked_for_is_left_out_once() throws Exception {
    Message.Builder wish =
        hi().threadId(SPACE + "/threads/T1")
            .channelData(Map.of("messageReplyOption", "REPLY_MESSAGE_OR_FAIL"));
    google.chat.answer(FakeGoogle.error(404, "NOT_FOUND", "Thread not found."));

    assertThat(link.send(account.part(wish)))
        .isEqualTo(
            new Outcome.Repairable(
                new Fix.DropReply(), "404 NOT_FOUND: Thread not found. (the thread is gone)"));
    assertThat(FakeGoogle.query(lastPost()))
        .containsEntry("messageReplyOption", "REPLY_MESSAGE_OR_FAIL");

    assertThat(link.send(account.part(wish, new Fix.DropReply())))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(FakeGoogle.query(lastPost()))
        .containsEntry("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
    assertThat(said().has("messageReplyOption")).isFalse();
  }

  // ---- replies

  @Test
  void a_reply_quotes_the_message_as_it_stands_in_its_thread() throws Exception {
    link.send(account.part(hi()));
    link.send(account.part(hi().replyToId(SPACE + "/messages/M1.M1")));

    assertThat(said().path("quotedMessageMetadata").path("name").asString())
        .isEqualTo(SPACE + "/messages/M1.M1");
    assertThat(said().path("quotedMessageMetadata").path("lastUpdateTime").asString())
        .isEqualTo("2026-03-01T11:00:00.123456Z");
    assertThat(said().path("thread").path("name").asString()).isEqualTo(SPACE + "/threads/M1");
  }

  @Test
  void where_quoting_is_refused_the_reply_goes_into_the_thread() throws Exception {
    link.send(account.part(hi()));
    Message.Builder reply = hi().replyToId("M1.M1");
    google.chat.answer(
        Reply.json(200, google.messages.get(SPACE + "/messages/M1.M1").toString()),
        FakeGoogle.error(400, "INVALID_ARGUMENT", "quotes are not for apps"));
    assertThat(link.send(account.part(reply)))
        .isEqualTo(
            new Outcome.Repairable(
                new Fix.DropReply(), "400 INVALID_ARGUMENT: quotes are not for apps"));

    assertThat(link.send(account.part(reply, new Fix.DropReply())))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(said().has("quotedMessageMetadata")).isFalse();
    assertThat(said().path("thread").path("name").asString()).isEqualTo(SPACE + "/threads/M1");
  }

  @Test
  void a_reply_to_what_is_gone_goes_out_by_itself() throws Exception {
    Message.Builder reply = hi().replyToId(SPACE + "/messages/gone");

    assertThat(link.send(account.part(reply)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(google.posts()).isEmpty();

    assertThat(link.send(account.part(reply, new Fix.DropReply())))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(said().has("thread")).isFalse();
  }

  @Test
  void a_look_at_the_message_to_reply_to_that_fails_has_sent_nothing() throws Exception {
    google.chat.answer(Reply.html(500, "<h1>Oops</h1>"));
    assertThat(link.send(account.part(hi().replyToId("M1.M1"))))
        .isInstanceOf(Outcome.NotSent.class);
    assertThat(google.posts()).isEmpty();
  }

  // ---- once

  @Test
  void a_repeat_is_recognised_by_its_request() throws Exception {
    Dispatch part = account.part(hi());
    assertThat(link.send(part)).isEqualTo(link.send(part));
    assertThat(google.messages).hasSize(1);
  }

  @Test
  void a_repeat_is_recognised_by_its_name_when_the_request_is_forgotten() throws Exception {
    Dispatch part = account.part(hi());
    link.send(part);
    google.forgetRequests();

    assertThat(link.send(part))
        .isEqualTo(Outcome.delivered(SPACE + "/messages/client-" + part.key()));
    assertThat(google.messages).hasSize(1);
  }

  @Test
  void a_part_in_doubt_is_looked_up_by_its_name() throws Exception {
    Dispatch part = account.part(hi());
    link.send(part);

    assertThat(link.reconcile(part))
        .isEqualTo(new Reconciliation.Found(new Receipt(SPACE + "/messages/M1.M1", false)));
  }

  @Test
  void what_is_not_in_a_space_that_can_be_read_is_absent() throws Exception {
    assertThat(link.reconcile(account.part(hi()))).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void what_is_not_in_a_space_that_cannot_be_read_is_anybodys_guess() throws Exception {
    Reply gone = FakeGoogle.error(404, "NOT_FOUND", "Requested entity was not found.");
    google.chat.answer(gone, gone);
    assertThat(link.reconcile(account.part(hi()))).isEqualTo(new Reconciliation.Inconclusive());
    google.chat.answer(FakeGoogle.error(403, "PERMISSION_DENIED", "not a member"));
    assertThat(link.reconcile(account.part(hi()))).isEqualTo(new Reconciliation.Inconclusive());
    google.chat.answer(Reply.html(500, "<h1>Oops</h1>"));
    assertThat(link.reconcile(account.part(hi()))).isEqualTo(new Reconciliation.Inconclusive());
  }

  // ---- whom

  @Test
  void a_person_is_written_to_in_the_space_that_the_app_has_with_them() throws Exception {
    assertThat(link.send(account.part("users/12345", "hi")))
        .isEqualTo(
            new Outcome.Repairable(
                new Fix.NewChat(FakeGoogle.DIRECT), "users/12345 is written to in spaces/AAAAdm"));
    assertThat(google.posts()).isEmpty();

    Message.Builder moved = Message.to("gc", "users/12345").text("hi");
    assertThat(link.send(account.part(moved, new Fix.NewChat(FakeGoogle.DIRECT))))
        .isEqualTo(Outcome.delivered("spaces/AAAAdm/messages/M1.M1"));
    assertThat(link.reconcile(account.part("users/12345", "hi")))
        .isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void a_person_who_does_not_have_the_app_is_out_of_reach() throws Exception {
    assertThat(link.send(account.part("users/999", "hi")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).contains("they must add the app first");
            });
  }

  @Test
  void a_space_that_the_app_was_removed_from_is_the_targets_fault_and_says_so() throws Exception {
    Reply refused = FakeGoogle.error(403, "PERMISSION_DENIED", "not a member of this space");
    google.chat.answer(refused, refused, refused);

    assertThat(link.send(account.part(hi())).toString()).contains("is the app a member");
    Instant left = Instant.parse("2026-02-27T09:00:00Z");
    account.memory().write(SpaceMembership.left(SPACE, left));
    assertThat(link.send(account.part(hi())))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.TARGET,
                "403 PERMISSION_DENIED: not a member of this space; the app was removed from the"
                    + " space at 2026-02-27T09:00:00Z"));
    account.memory().write(SpaceMembership.joined(SPACE));
    assertThat(link.send(account.part(hi())).toString()).contains("is the app a member");
  }

  // ---- the account

  @Test
  void a_probe_asks_for_a_token_and_for_one_space() throws Exception {
    assertThat(link.probe())
        .isEqualTo(new Probe.Healthy("rider@postrider-test.iam.gserviceaccount.com"));
    assertThat(google.chat.onlyRequest().path()).isEqualTo("/v1/spaces?pageSize=1");
    google.chat.answer(Reply.json(200, "{}"));
    assertThat(link.probe().toString()).contains("in no space yet: add the app to one");
  }

  @Test
  void a_probe_tells_the_usual_mistakes() throws Exception {
    google.chat.answer(
        FakeGoogle.error(
            403,
            "PERMISSION_DENIED",
            "Google Chat API has not been used in project 1 before or it is disabled.",
            List.of(Map.of("reason", "SERVICE_DISABLED"))),
        FakeGoogle.error(404, "NOT_FOUND", "Google Chat app not found."),
        FakeGoogle.error(403, "PERMISSION_DENIED", "The caller does not have permission"),
        Reply.html(502, "<h1>Oops</h1>"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("turn on the Google Chat"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("Configuration"));
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "/path/to/key.json",
        "{\"type\":\"authorized_user\",\"client_email\":\"a@b\"}"
      })
  void what_is_no_key_file_is_refused_with_the_remedy(String file) {
    AccountConfig config = google.app().set("serviceAccount", file);
    assertThatThrownBy(() -> new GoogleChatChannel().open(TestAccount.of(config)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("account gc: serviceAccount");
  }

  @Test
  void a_key_that_cannot_be_read_is_refused_without_showing_it() {
    String key = "{\"type\":\"service_account\",\"client_email\":\"a@b\",\"private_key\":\"s3cr\"}";
    AccountConfig config = google.app().set("serviceAccount", key);
    assertThatThrownBy(() -> new GoogleChatChannel().open(TestAccount.of(config)))
        .hasMessageContaining("has no private_key that can be read")
        .hasMessageNotContaining("s3cr");
  }

  @Test
  void an_app_and_a_webhook_in_one_account_are_refused_as_neither_is() {
    AccountConfig both = google.app().set("webhookUrl", google.webhookUrl());
    assertThatThrownBy(() -> new GoogleChatChannel().open(TestAccount.of(both)))
        .hasMessageContaining("serviceAccount and webhookUrl are both set");
    AccountConfig neither = AccountConfig.of("gc", "googlechat");
    assertThatThrownBy(() -> new GoogleChatChannel().open(TestAccount.of(neither)))
        .hasMessageContaining("serviceAccount is missing, and so is webhookUrl");
  }
}
