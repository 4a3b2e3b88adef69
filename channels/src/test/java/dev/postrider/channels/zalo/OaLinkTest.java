package dev.postrider.channels.zalo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OaLinkTest {
  private static final String PERSON = "2512523625412515";

  private final FakeZalo zalo = new FakeZalo();
  private final TestAccount account = TestAccount.of(zalo.oa());
  private final Link link = new ZaloChannel().open(account);

  @BeforeEach
  void authorised() {
    zalo.oauth.answer(FakeZalo.tokens(1));
  }

  @AfterEach
  void close() {
    link.close();
    zalo.close();
  }

  private static Message.Builder message() {
    return Message.to("zo", PERSON);
  }

  private String asked() {
    return Json.readObject(zalo.api.onlyRequest().text()).toString();
  }

  private Plan plan(Message message, String type, long size) {
    return Planner.plan(
        new MessageId(new UUID(1, 2)),
        message,
        new ZaloChannel().capabilities(zalo.oa()),
        hash -> Optional.of(new Blob(hash, size, type)));
  }

  private Plan plan(Message message) {
    return plan(message, "image/png", 4);
  }

  @Test
  void a_text_is_sent_with_the_token_in_a_header_of_its_own() throws Exception {
    zalo.api.answer(FakeZalo.sent("a4d0243feee163bd3af2"));
    assertThat(link.send(account.part(PERSON, "chào")))
        .isEqualTo(Outcome.delivered("a4d0243feee163bd3af2"));
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v3.0/oa/message/cs");
    assertThat(zalo.api.onlyRequest().headers()).containsEntry("access_token", "access-token-1");
    assertThat(asked())
        .isEqualTo(
            "{\"recipient\":{\"user_id\":\"2512523625412515\"},"
                + "\"message\":{\"text\":\"chào\"}}");
  }

  @Test
  void with_a_webhook_a_part_is_accepted_and_its_fate_comes_later() throws Exception {
    TestAccount told = TestAccount.of(zalo.oa().set("oaSecretKey", "k"));
    zalo.api.answer(FakeZalo.sent("m"));
    try (Link other = new ZaloChannel().open(told)) {
      assertThat(other.send(told.part(PERSON, "x")))
          .isEqualTo(new Outcome.Delivered(new Receipt("m", true)));
    }
  }

  @Test
  void a_reply_quotes_the_message_and_is_sent_without_if_zalo_cannot_find_it() throws Exception {
    zalo.api.answer(FakeZalo.refused(-201, "quote_message_id is invalid!"), FakeZalo.sent("m"));
    Message.Builder reply = message().text("yes").replyToId("96d3cdf3af150460909");
    assertThat(link.send(account.part(reply)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(asked())
        .contains("\"message\":{\"text\":\"yes\",\"quote_message_id\":\"96d3cdf3af150460909\"}");
    link.send(account.part(reply, new Fix.DropReply()));
    assertThat(zalo.api.requests().getLast().text()).doesNotContain("quote");
  }

  @Test
  void a_message_that_was_charged_says_so() throws Exception {
    String answer =
        "{\"error\":0,\"data\":{\"message_id\":\"m\","
            + "\"quota\":{\"quota_type\":\"%s\",\"remain\":7}}}";
    zalo.api.answer(
        Reply.json(200, answer.formatted("purchase_quota")),
        Reply.json(200, answer.formatted("reply")));
    assertThat(link.send(account.part(PERSON, "x")))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it ->
                assertThat(it.note())
                    .isEqualTo("counted against purchase_quota, of which 7 are left"));
    assertThat(link.send(account.part(PERSON, "x"))).isEqualTo(Outcome.delivered("m"));
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

  private static PartFile bytes(MediaKind kind, @Nullable String name, String type, byte... data) {
    Attachment file = new Attachment("media:" + "a".repeat(64), kind, name, type, 4, false, false);
    return new PartFile(file, null, new Held(data));
  }

  private String sentWith(String handle, String text) throws Exception {
    zalo.api.answer(FakeZalo.sent("m"));
    PartFile file = bytes(MediaKind.IMAGE, null, "image/png");
    PartFile known = new PartFile(file.attachment(), FileHandle.of(handle), null);
    link.send(account.part(message().text(text)).carrying(List.of(known)));
    return Json.readObject(zalo.api.requests().getLast().text()).path("message").toString();
  }

  @Test
  void a_picture_is_uploaded_once_and_named_for_six_days() throws Exception {
    zalo.api.answer(Reply.json(200, "{\"error\":0,\"data\":{\"attachment_id\":\"wESb\"}}"));
    assertThat(link.upload(bytes(MediaKind.IMAGE, "bär.png", "image/png", (byte) 1)))
        .isEqualTo(new UploadResult.Done(new FileHandle("image:wESb", Duration.ofDays(6))));
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v2.0/oa/upload/image");
    assertThat(zalo.api.onlyRequest().headers()).containsEntry("access_token", "access-token-1");
    FormData form = FormData.read(zalo.api.onlyRequest());
    assertThat(form.file("file").filename()).isEqualTo("bär.png");
    assertThat(sentWith("image:wESb", "look"))
        .isEqualTo(
            "{\"text\":\"look\",\"attachment\":"
                + Json.readObject(
                    Json.write(
                        OaRequest.media(Map.of("media_type", "image", "attachment_id", "wESb"))))
                + "}");
  }

  @Test
  void a_moving_picture_tells_its_size() throws Exception {
    zalo.api.answer(Reply.json(200, "{\"error\":0,\"data\":{\"attachment_id\":\"G\"}}"));
    byte[] gif = "GIF89a....".getBytes(StandardCharsets.ISO_8859_1);
    gif[6] = 0x40;
    gif[7] = 0x01;
    gif[8] = 0x20;
    gif[9] = 0x00;
    assertThat(link.upload(bytes(MediaKind.VIDEO, null, "image/gif", gif)))
        .isEqualTo(new UploadResult.Done(new FileHandle("gif:320x32:G", Duration.ofDays(6))));
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v2.0/oa/upload/gif");
    assertThat(Json.readObject(sentWith("gif:320x32:G", "x")).at("/attachment/payload/elements/0"))
        .isEqualTo(
            Json.readObject(
                "{\"media_type\":\"gif\",\"attachment_id\":\"G\",\"width\":320,\"height\":32}"));
  }

  @Test
  void a_document_is_named_by_its_token() throws Exception {
    zalo.api.answer(Reply.json(200, "{\"error\":0,\"data\":{\"token\":\"12i8:LV3\"}}"));
    assertThat(link.upload(bytes(MediaKind.DOCUMENT, "a.pdf", "application/pdf", (byte) 1)))
        .isEqualTo(new UploadResult.Done(new FileHandle("file:12i8:LV3", Duration.ofDays(6))));
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v2.0/oa/upload/file");
    assertThat(Json.readObject(sentWith("file:12i8:LV3", "x")).path("attachment"))
        .isEqualTo(Json.readObject("{\"type\":\"file\",\"payload\":{\"token\":\"12i8:LV3\"}}"));
  }

  @ParameterizedTest
  @CsvSource({
    "image/png, 1000000, 1, IMAGE",
    "image/gif, 5000000, 1, VIDEO",
    "application/pdf, 5000000, 2, DOCUMENT" // which takes no caption
  })
  void files_go_as_what_zalo_takes(String type, long size, int parts, MediaKind kind) {
    Message file = message().text("look").media(List.of(Media.held("a".repeat(64)))).build();
    assertThat(plan(file, type, size).parts())
        .hasSize(parts)
        .anySatisfy(
            part ->
                assertThat(part.media())
                    .singleElement()
                    .satisfies(it -> assertThat(it.kind()).isEqualTo(kind)));
  }

  @ParameterizedTest
  @CsvSource({"image/png, 1100000", "image/gif, 6000000", "application/zip, 4"})
  void other_files_are_refused_when_they_are_handed_in(String type, long size) {
    Message file = message().media(List.of(Media.held("a".repeat(64)))).build();
    assertThatThrownBy(() -> plan(file, type, size))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.field()).isEqualTo("media[0]"));
  }

  static List<Reply> repliesThatLoseTheUpload() {
    return List.of(
        new Reply.HangUp(),
        Reply.html(502, "Bad Gateway"),
        FakeZalo.refused(-200, "failed"),
        Reply.json(200, "{\"error\":0,\"message\":\"Success\"}"));
  }

  @ParameterizedTest
  @MethodSource("repliesThatLoseTheUpload")
  void an_upload_without_a_verdict_leaves_no_doubt_about_the_part(Reply reply) throws Exception {
    zalo.api.answer(reply);
    assertThat(link.upload(bytes(MediaKind.IMAGE, null, "image/png", (byte) 1)))
        .isInstanceOfSatisfying(
            UploadResult.Failed.class,
            it -> assertThat(it.outcome()).isInstanceOf(Outcome.NotSent.class));
  }

  // ---- channel data

  @Test
  void a_template_has_an_api_of_its_own_and_reaches_people_after_the_seven_days() throws Exception {
    Message message =
        message()
            .channelData(
                Map.of(
                    "template",
                    Map.of("template_id", "7895", "template_data", Map.of("name", "An"))))
            .build();
    new ZaloChannel().check(message, plan(message));
    zalo.api.answer(FakeZalo.sent("m"));
    link.send(Dispatch.last(message, plan(message)));
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v3.0/oa/message/template");
    assertThat(Json.readObject(zalo.api.onlyRequest().text()))
        .isEqualTo(
            Json.readObject(
                "{\"template_id\":\"7895\",\"template_data\":{\"name\":\"An\"},"
                    + "\"user_id\":\"2512523625412515\"}"));
  }

  @Test
  void stickers_and_questions_go_as_attachments_and_reactions_by_themselves() throws Exception {
    Map<String, Object> sticker =
        OaRequest.media(Map.of("media_type", "sticker", "attachment_id", "bfe4"));
    Message message = message().channelData(Map.of("attachment", sticker)).build();
    new ZaloChannel().check(message, plan(message));
    zalo.api.answer(FakeZalo.sent("m"), Reply.json(200, "{\"error\":0,\"message\":\"Success\"}"));
    link.send(Dispatch.last(message, plan(message)));
    assertThat(Json.readObject(zalo.api.onlyRequest().text()).at("/message/attachment"))
        .isEqualTo(Json.tree(sticker));

    Map<String, Object> heart = Map.of("react_icon", "/-heart", "react_message_id", "96d3");
    Message reaction = message().channelData(Map.of("reaction", heart)).build();
    new ZaloChannel().check(reaction, plan(reaction));
    assertThat(link.send(Dispatch.last(reaction, plan(reaction)))).isEqualTo(Outcome.delivered(""));
    assertThat(zalo.api.requests().getLast().path()).isEqualTo("/v2.0/oa/message");
    assertThat(Json.readObject(zalo.api.requests().getLast().text()).path("sender_action"))
        .isEqualTo(Json.tree(heart));
  }

  static List<List<Object>> wrongChannelData() {
    return List.of(
        List.of(Map.of("attachment", Map.of("type", "template")), "payload", "is missing"),
        List.of(
            Map.of("attachment", Map.of("type", "file", "payload", Map.of("tokn", "x"))),
            "payload",
            ""),
        List.of(
            Map.of(
                "attachment", OaRequest.media(Map.of("media_type", "gif", "attachment_id", "x"))),
            "elements[0]",
            "is missing"),
        List.of(Map.of("template", Map.of("template_id", "1")), "template_data", "is missing"),
        List.of(Map.of("attachment", Map.of(), "sticker", "x"), "channelData", ""),
        List.of(
            Map.of("template", Map.of("template_id", "1", "template_data", Map.of())),
            "channelData.template",
            "send it without text"));
  }

  @ParameterizedTest
  @MethodSource("wrongChannelData")
  void wrong_channel_data_is_refused_when_it_is_handed_in(List<Object> row) {
    @SuppressWarnings("unchecked")
    Map<String, Object> data = (Map<String, Object>) row.getFirst();
    Message message = message().text("x").channelData(data).build();
    assertThatThrownBy(() -> new ZaloChannel().check(message, plan(message)))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            it -> {
              assertThat(it.field()).startsWith("channelData").contains(String.valueOf(row.get(1)));
              assertThat(it.first().message()).contains(String.valueOf(row.get(2)));
            });
  }

  @Test
  void what_is_for_bots_is_rejected_without_asking() throws Exception {
    assertThat(link.send(account.part(message().channelData(Map.of("sticker", "1")))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("is for bots"));
    assertThat(zalo.api.requests()).isEmpty();
  }

  // ---- the account

  @Test
  void a_probe_names_the_official_account() throws Exception {
    zalo.api.answer(Reply.json(200, "{\"error\":0,\"data\":{\"oa_id\":\"3\",\"name\":\"Shop\"}}"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("Shop"));
    assertThat(zalo.api.onlyRequest().method()).isEqualTo("GET");
    assertThat(zalo.api.onlyRequest().path()).isEqualTo("/v2.0/oa/getoa");
    zalo.api.answer(FakeZalo.refused(-209, "Not supported this api"), Reply.html(502, "x"));
    assertThat(link.probe())
        .isEqualTo(
            new Probe.Broken(
                "-209 Not supported this api; it stands still until the app is activated"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "appId, my-app, is not a number",
    "appSecret, '', is missing",
    "refreshToken, '', is missing",
    "baseUrl, openapi.zalo.me, is not an address",
    "oauthUrl, ftp://x, is not an address",
    "polling, true, is for bots"
  })
  void useless_settings_are_refused(String key, String value, String complaint) {
    assertThatThrownBy(() -> new ZaloChannel().open(TestAccount.of(zalo.oa().set(key, value))))
        .hasMessageStartingWith("account zo: " + key + " " + complaint);
  }
}
