package dev.postrider.channels.feishu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeishuLinkTest {
  private final FakeFeishu feishu = new FakeFeishu();
  private final TestAccount account = TestAccount.of(feishu.account());
  private final Link link = new FeishuChannel().open(account);

  @AfterEach
  void end() {
    link.close();
    feishu.close();
  }

  private Message.Builder to(String chat) {
    return Message.to("fs", chat);
  }

  @Test
  void a_text_goes_out_with_its_key_and_comes_back_with_an_id() throws Exception {
    Dispatch part = account.part("oc_1", "héllo 🌍");
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("om_1"));
    assertThat(feishu.sends().getLast().path())
        .isEqualTo("/open-apis/im/v1/messages?receive_id_type=chat_id");
    assertThat(feishu.sent().path("receive_id").asString()).isEqualTo("oc_1");
    assertThat(feishu.sent().path("msg_type").asString()).isEqualTo("text");
    assertThat(feishu.sent().path("uuid").asString()).isEqualTo(part.key()).hasSizeLessThan(51);
    assertThat(feishu.content().path("text").asString()).isEqualTo("héllo 🌍");
  }

  @ParameterizedTest
  @CsvSource({
    "oc_1, chat_id",
    "ou_1, open_id",
    "on_1, union_id",
    "ann@example.org, email",
    "g6964gd3, user_id"
  })
  void the_kind_of_id_is_told_by_its_form(String to, String kind) throws Exception {
    assertThat(link.send(account.part(to, "x"))).isInstanceOf(Outcome.Delivered.class);
    assertThat(feishu.sends().getLast().path()).endsWith("?receive_id_type=" + kind);
  }

  @Test
  void a_part_whose_answer_was_lost_is_shown_once() throws Exception {
    link.probe();
    Dispatch part = account.part("oc_1", "once");
    link.send(part);
    feishu.platform.answer(FakeFeishu.error(400, 230049, "The message is being sent"));
    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("om_1"));
    assertThat(feishu.messages()).hasSize(1);
    assertThat(new FeishuChannel().capabilities(account.config()).remembers())
        .as("less than the hour that Feishu promises")
        .isBetween(Duration.ofMinutes(30), Duration.ofMinutes(59));
  }

  @Test
  void a_part_waits_for_word_that_it_was_read_where_events_come_in() throws Exception {
    TestAccount hearing = TestAccount.of(feishu.account().set("encryptKey", "ek-of-ours"));
    try (Link other = new FeishuChannel().open(hearing)) {
      assertThat(other.send(hearing.part("oc_1", "x"))).isEqualTo(Outcome.accepted("om_1"));
    }
  }

  @Test
  void a_reply_is_sent_to_the_message() throws Exception {
    link.send(account.part(to("oc_1").text("yes").replyToId("om_7")));
    assertThat(feishu.sends().getLast().path()).isEqualTo("/open-apis/im/v1/messages/om_7/reply");
    assertThat(feishu.sent().path("reply_in_thread").asBoolean()).isFalse();
    assertThat(feishu.sent().has("receive_id")).isFalse();
  }

  @Test
  void a_reply_can_begin_a_thread() throws Exception {
    link.send(
        account.part(
            to("oc_1").text("yes").replyToId("om_7").channelData(Map.of("reply_in_thread", true))));
    assertThat(feishu.sent().path("reply_in_thread").asBoolean()).isTrue();
  }

  @Test
  void all_parts_of_a_reply_that_begins_a_thread_are_in_it() throws Exception {
    Message.Builder reply = to("oc_1").replyToId("om_7");
    Message whole = reply.text("x").channelData(Map.of("reply_in_thread", true)).build();
    link.send(second(whole));
    assertThat(feishu.sends().getLast().path()).isEqualTo("/open-apis/im/v1/messages/om_7/reply");
    assertThat(feishu.sent().path("reply_in_thread").asBoolean()).isTrue();

    feishu.platform.answer(FakeFeishu.error(400, 230011, "The message is recalled."));
    assertThat(link.send(second(whole))).isInstanceOf(Outcome.Repairable.class);
    link.send(second(whole, new Fix.DropReply()));
    assertThat(feishu.sends().getLast().path()).contains("receive_id_type=chat_id");
  }

  @Test
  void of_any_other_reply_only_the_first_part_quotes() throws Exception {
    link.send(second(to("oc_1").text("x").replyToId("om_7").build()));
    assertThat(feishu.sends().getLast().path()).contains("receive_id_type=chat_id");
  }

  /** The second of three parts. */
  private Dispatch second(Message whole, Fix... fixes) {
    Part part = new Part("some of it", null, List.of(), List.of());
    return new Dispatch(
        account.part("oc_1", "x").id(),
        whole,
        new Plan(account.part("oc_1", "x").id(), List.of(part, part, part)),
        1,
        new PartState(PartState.State.PENDING, null, List.of(fixes), null),
        List.of(),
        FeishuContent.OPTIONS);
  }

  @Test
  void a_message_for_a_thread_answers_its_first_message_there() throws Exception {
    link.send(account.part(to("oc_1").text("yes").threadId("om_5")));
    assertThat(feishu.sends().getLast().path()).isEqualTo("/open-apis/im/v1/messages/om_5/reply");
    assertThat(feishu.sent().path("reply_in_thread").asBoolean()).isTrue();
  }

  @Test
  void a_message_that_was_withdrawn_costs_the_reply_and_not_the_message() throws Exception {
    link.probe();
    feishu.platform.answer(FakeFeishu.error(400, 230011, "The message is recalled."));
    assertThat(link.send(account.part(to("oc_1").text("yes").replyToId("om_7"))))
        .isEqualTo(new Outcome.Repairable(new Fix.DropReply(), "230011 The message is recalled."));
    link.send(account.part(to("oc_1").text("yes").replyToId("om_7"), new Fix.DropReply()));
    assertThat(feishu.sends().getLast().path()).contains("receive_id_type=chat_id");
  }

  @Test
  void a_thread_that_is_gone_ends_the_message() throws Exception {
    link.probe();
    feishu.platform.answer(FakeFeishu.error(400, 230011, "The message is recalled."));
    assertThat(link.send(account.part(to("oc_1").text("yes").threadId("om_5"))))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "230011 The message is recalled."));
  }

  @Test
  void a_card_that_feishu_cannot_make_is_mended_only_if_it_was_made_here() throws Exception {
    link.probe();
    feishu.platform.answer(FakeFeishu.error(400, 230099, "Failed to create card content"));
    assertThat(link.send(account.markup(to("oc_1").text("x"), "**x**")))
        .isInstanceOf(Outcome.Repairable.class);
    feishu.platform.answer(FakeFeishu.error(400, 230099, "Failed to create card content"));
    assertThat(
            link.send(
                account.part(
                    to("oc_1").channelData(Map.of("card", Map.of("elements", List.of()))))))
        .isInstanceOf(Outcome.Rejected.class);
  }

  // ---- tokens

  @Test
  void one_token_serves_many_and_is_renewed_before_it_ends() throws Exception {
    link.send(account.part("oc_1", "1"));
    account.scheduler().pass(Duration.ofMinutes(114));
    link.send(account.part("oc_1", "2"));
    assertThat(feishu.tokensGiven()).isEqualTo(1);
    account.scheduler().pass(Duration.ofMinutes(2));
    link.send(account.part("oc_1", "3"));
    assertThat(feishu.tokensGiven()).isEqualTo(2);
    assertThat(feishu.messages()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {99991661, 99991663, 99991664, 99991671})
  void a_token_that_is_refused_in_the_middle_is_renewed_and_nothing_is_lost(int code)
      throws Exception {
    link.send(account.part("oc_1", "1"));
    feishu.platform.answer(FakeFeishu.error(400, code, "Invalid access token"));
    assertThat(link.send(account.part("oc_1", "2"))).isEqualTo(Outcome.delivered("om_2"));
    assertThat(feishu.tokensGiven()).isEqualTo(2);
  }

  @Test
  void many_threads_whose_token_was_revoked_get_one_new_one() throws Exception {
    link.send(account.part("oc_0", "first"));
    feishu.revokeTokens();
    int threads = 8;
    CountDownLatch together = new CountDownLatch(threads);
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    List<Thread> all =
        IntStream.range(0, threads)
            .mapToObj(
                i ->
                    Thread.startVirtualThread(
                        () -> {
                          together.countDown();
                          try {
                            together.await();
                            outcomes.add(link.send(account.part("oc_" + i, "run " + i)));
                          } catch (Exception e) {
                            throw new AssertionError(e);
                          }
                        }))
            .toList();
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(outcomes).hasSize(threads).allMatch(Outcome.Delivered.class::isInstance);
    assertThat(feishu.messages()).hasSize(threads + 1);
    assertThat(feishu.tokensGiven()).as("one for all of them").isEqualTo(2);
  }

  @Test
  void a_token_that_is_refused_twice_breaks_the_account() throws Exception {
    link.probe();
    Reply refused = FakeFeishu.error(400, 99991663, "Invalid access token");
    Reply token =
        Reply.json(200, "{\"code\":0,\"tenant_access_token\":\"t-again-1\",\"expire\":7200}");
    feishu.platform.answer(refused, token, refused);
    assertThat(link.send(account.part("oc_1", "x"))).isInstanceOf(Outcome.AccountBroken.class);
  }

  @Test
  void an_app_secret_that_is_wrong_breaks_the_account_and_is_not_shown() throws Exception {
    TestAccount wrong = TestAccount.of(feishu.account().set("appSecret", "not-the-s3cret"));
    try (Link other = new FeishuChannel().open(wrong)) {
      assertThat(other.send(wrong.part("oc_1", "x")))
          .isInstanceOfSatisfying(
              Outcome.AccountBroken.class,
              it -> assertThat(it.cause()).contains("10014").contains("appId and appSecret"));
      assertThat(other.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class, it -> assertThat(it.cause()).doesNotContain("s3cret"));
    }
  }

  @Test
  void no_token_means_that_nothing_was_sent() throws Exception {
    feishu.platform.answer(new Reply.HangUp());
    assertThat(link.send(account.part("oc_1", "x"))).isInstanceOf(Outcome.NotSent.class);
    assertThat(feishu.messages()).isEmpty();
  }

  @Test
  void a_token_that_an_answer_repeats_is_hidden() throws Exception {
    link.probe();
    feishu.platform.answer(FakeFeishu.error(400, 230999, "Bearer t-token-1 is not welcome"));
    assertThat(link.send(account.part("oc_1", "x")).toString())
        .contains("is not welcome")
        .doesNotContain("t-token-1");
  }

  // ---- files

  private static PartFile file(MediaKind kind, String type, String name) {
    byte[] bytes = "bytes of it".getBytes(StandardCharsets.UTF_8);
    return new PartFile(
        new Attachment("held:1", kind, name, type, bytes.length, false, false),
        null,
        new PartFile.Bytes() {
          @Override
          public long size() {
            return bytes.length;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(bytes);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "IMAGE, image/png, a.png, /im/v1/images, message, image, image_key, img_v3_1",
    "VIDEO, video/mp4, a.mp4, /im/v1/files, mp4, media, file_key, file_v3_1",
    "VOICE, audio/ogg, a.ogg, /im/v1/files, opus, audio, file_key, file_v3_1",
    "AUDIO, audio/opus, a.opus, /im/v1/files, opus, audio, file_key, file_v3_1",
    "DOCUMENT, application/pdf, a.PDF, /im/v1/files, pdf, file, file_key, file_v3_1",
    "DOCUMENT, x/y, a.docx, /im/v1/files, doc, file, file_key, file_v3_1",
    "DOCUMENT, x/y, a.xlsx, /im/v1/files, xls, file, file_key, file_v3_1",
    "DOCUMENT, x/y, a.pptx, /im/v1/files, ppt, file, file_key, file_v3_1",
    "DOCUMENT, application/zip, a.zip, /im/v1/files, stream, file, file_key, file_v3_1"
  })
  void a_file_is_uploaded_and_then_named(
      MediaKind kind,
      String type,
      String name,
      String path,
      String uploadedAs,
      String sentAs,
      String field,
      String key)
      throws Exception {
    PartFile file = file(kind, type, name);
    assertThat(link.upload(file)).isEqualTo(new UploadResult.Done(FileHandle.of(key)));
    assertThat(feishu.platform.requests().getLast().path()).isEqualTo("/open-apis" + path);
    assertThat(feishu.platform.requests().getLast().text())
        .contains("\r\n\r\n" + uploadedAs + "\r\n", "bytes of it", "filename=\"" + name + "\"");

    PartFile known = new PartFile(file.attachment(), FileHandle.of(key), null);
    link.send(account.part(to("oc_1").text("x")).carrying(List.of(known)));
    assertThat(feishu.sent().path("msg_type").asString()).isEqualTo(sentAs);
    assertThat(feishu.content().path(field).asString()).isEqualTo(key);
  }

  @Test
  void an_upload_that_got_no_answer_was_not_sent() throws Exception {
    link.probe();
    feishu.platform.answer(new Reply.HangUp());
    assertThat(link.upload(file(MediaKind.IMAGE, "image/png", "a.png")))
        .isInstanceOfSatisfying(
            UploadResult.Failed.class,
            it -> assertThat(it.outcome()).isInstanceOf(Outcome.NotSent.class));
  }

  @Test
  void a_token_is_renewed_for_an_upload_too() throws Exception {
    link.probe();
    feishu.revokeTokens();
    assertThat(link.upload(file(MediaKind.IMAGE, "image/png", "a.png")))
        .isInstanceOf(UploadResult.Done.class);
  }

  // ---- probes and settings

  @Test
  void a_probe_says_who_we_are() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("Rider"));
  }

  @ParameterizedTest
  @CsvSource({"1, disabled", "3, not enabled", "5, licence", "6, licence"})
  void a_bot_that_its_organisation_has_not_enabled_is_no_healthy_one(int status, String why)
      throws Exception {
    link.probe();
    feishu.platform.answer(
        Reply.json(
            200,
            "{\"code\":0,\"bot\":{\"app_name\":\"Rider\",\"activate_status\":" + status + "}}"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(Probe.Broken.class, it -> assertThat(it.cause()).contains(why));
  }

  @Test
  void an_app_and_a_custom_bot_at_once_or_neither_is_refused() {
    FeishuChannel channel = new FeishuChannel();
    TestAccount both = TestAccount.of(feishu.account().set("webhookUrl", "https://x.example/1"));
    assertThatThrownBy(() -> channel.open(both))
        .hasMessageContaining("appId")
        .hasMessageContaining("webhookUrl are both there");
    TestAccount neither = TestAccount.of(AccountConfig.of("fs", "feishu"));
    assertThatThrownBy(() -> channel.open(neither))
        .hasMessageContaining("webhookUrl are both missing");
    TestAccount half = TestAccount.of(AccountConfig.of("fs", "feishu").set("appId", "cli_a1"));
    assertThatThrownBy(() -> channel.open(half)).hasMessageContaining("appSecret is missing");
  }

  @Test
  void the_region_chooses_the_host() {
    AccountConfig plain = AccountConfig.of("fs", "feishu");
    assertThat(FeishuToken.base(settings(plain))).isEqualTo("https://open.feishu.cn/open-apis");
    assertThat(FeishuToken.base(settings(plain.set("region", "lark"))))
        .isEqualTo("https://open.larksuite.com/open-apis");
    assertThatThrownBy(() -> FeishuToken.base(settings(plain.set("region", "mars"))))
        .hasMessageContaining("region is neither feishu nor lark");
  }

  private static Settings settings(AccountConfig account) {
    return Settings.of(account);
  }
}
