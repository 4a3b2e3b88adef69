package dev.postrider.channels.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WhatsAppLinkTest {
  private static final String TOKEN = "EAAG-very-secret";

  private final FakePlatform meta = FakePlatform.start();
  private final AccountConfig config =
      AccountConfig.of("wa", "whatsapp")
          .set("token", TOKEN)
          .set("phoneNumberId", "106540352242922")
          .set("baseUrl", meta.baseUrl() + "/")
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new WhatsAppChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    meta.close();
  }

  private static Reply accepted(String id) {
    return Reply.json(200, Json.write(Map.of("messages", List.of(Map.of("id", id)))));
  }

  private static Reply error(int status, int code, String message) {
    return Reply.json(
        status, Json.write(Map.of("error", Map.of("code", code, "message", message))));
  }

  // ---- the 24 hours after a person wrote

  @Test
  void a_closed_window_is_explained_by_when_the_webhook_said_they_wrote() throws Exception {
    Instant wrote =
        account.scheduler().instant().minus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
    String body =
        """
        {"entry":[{"changes":[{"value":{"metadata":{"phone_number_id":"106540352242922"},
        "messages":[
        {"from":"491701","id":"wamid.2","timestamp":"%d","type":"text","text":{"body":"b"}},
        {"from":"491701","id":"wamid.1","timestamp":"%d","type":"text","text":{"body":"a"}}
        ]}}]}]}"""
            .formatted(wrote.getEpochSecond(), wrote.getEpochSecond() - 100);
    Hook hook = new WhatsAppChannel().hook(config.set("appSecret", "s3cret"));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Hook.Answer told =
        Objects.requireNonNull(hook)
            .read(
                new Hook.Request(
                    "POST",
                    Map.of(
                        "x-hub-signature-256",
                        "sha256="
                            + HexFormat.of()
                                .formatHex(
                                    Hmac.sha256("s3cret".getBytes(StandardCharsets.UTF_8), bytes))),
                    Map.of(),
                    bytes,
                    Instant.EPOCH));
    account.memory().write(((Hook.Answer.Genuine) told).memory());
    meta.answer(error(400, 131047, "Re-engagement message"));
    meta.answer(error(400, 131047, "Re-engagement message"));

    assertThat(link.send(account.part("491701", "hi")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it ->
                assertThat(it.cause())
                    .startsWith("131047 ")
                    .endsWith("; they last wrote at " + wrote));
    assertThat(link.send(account.part("491702", "hi")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.cause()).endsWith("; nothing they wrote has come in"));
  }

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

  private static PartFile bytes(MediaKind kind, @Nullable String name, String type) {
    Attachment file = new Attachment("media:" + "a".repeat(64), kind, name, type, 4, false, false);
    return new PartFile(file, null, new Held("bild".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_part_is_accepted_and_its_fate_comes_later() throws Exception {
    meta.answer(accepted("wamid.HBg"));
    Dispatch part = account.part("491701234567", "hello");

    assertThat(link.send(part)).isEqualTo(Outcome.accepted("wamid.HBg"));

    Request request = meta.onlyRequest();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/v23.0/106540352242922/messages");
    assertThat(request.headers()).containsEntry("authorization", "Bearer " + TOKEN);
    assertThat(Json.readObject(request.text())).isEqualTo(Json.tree(WhatsAppRequest.of(part)));
  }

  @Test
  void a_repeat_carries_the_same_key() throws Exception {
    Dispatch part = account.part("491701234567", "hello");
    meta.answer(new Reply.HangUp(), accepted("wamid.1"));
    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    link.send(part);
    assertThat(meta.requests())
        .extracting(request -> FormData.read(request).field("biz_opaque_callback_data").asString())
        .containsExactly(part.key(), part.key());
  }

  @Test
  void bytes_are_uploaded_with_their_type_and_the_handle_ends_before_meta_forgets_it()
      throws Exception {
    meta.answer(Reply.json(200, "{\"id\":\"1166846181421424\"}"));

    assertThat(link.upload(bytes(MediaKind.IMAGE, "bär.png", "image/png")))
        .isEqualTo(new UploadResult.Done(new FileHandle("1166846181421424", Duration.ofDays(29))));

    FormData form = FormData.read(meta.onlyRequest());
    assertThat(meta.onlyRequest().path()).isEqualTo("/v23.0/106540352242922/media");
    assertThat(form.field("messaging_product").asString()).isEqualTo("whatsapp");
    assertThat(form.field("type").asString()).isEqualTo("image/png");
    assertThat(form.file("file").filename()).isEqualTo("bär.png");
    assertThat(form.file("file").head()).contains("Content-Type: image/png");
    assertThat(form.file("file").bytes()).asString(StandardCharsets.UTF_8).isEqualTo("bild");
  }

  @ParameterizedTest
  @CsvSource({
    "application/vnd.ms-excel, application/vnd.ms-excel",
    "text/csv, text/plain",
    "application/json, text/plain"
  })
  void whatever_is_text_is_called_plain_text(String type, String told) throws Exception {
    meta.answer(Reply.json(200, "{\"id\":\"1\"}"));
    link.upload(bytes(MediaKind.DOCUMENT, "a", type));
    assertThat(FormData.read(meta.onlyRequest()).field("type").asString()).isEqualTo(told);
  }

  private static Plan plan(String name, String type) {
    String hash = "a".repeat(64);
    Media file = Media.held(hash).named(name);
    return Planner.plan(
        new MessageId(new UUID(1, 2)),
        Message.to("wa", "491").media(List.of(file)).build(),
        new WhatsAppChannel().capabilities(AccountConfig.of("wa", "whatsapp")),
        _ -> Optional.of(new Blob(hash, 4, type)));
  }

  @Test
  void archives_and_gifs_are_refused_when_they_are_handed_in_and_office_files_are_not() {
    for (String type : List.of("application/zip", "image/gif")) {
      assertThatThrownBy(() -> plan("a", type))
          .isInstanceOfSatisfying(
              InvalidInput.class,
              it -> {
                assertThat(it.field()).isEqualTo("media[0]");
                assertThat(it.first().message())
                    .startsWith(type + " is no file this channel takes");
              });
    }
    assertThat(plan("Letter.docx", "application/zip").parts()).hasSize(1);
    assertThat(plan("list.csv", "text/plain").parts()).hasSize(1);
  }

  @Test
  void a_template_that_meta_looks_at_first_is_told_of() throws Exception {
    meta.answer(
        Reply.json(
            200,
            "{\"messages\":[{\"id\":\"wamid.1\","
                + "\"message_status\":\"held_for_quality_assessment\"}]}"));
    assertThat(link.send(account.part("491", "hello")))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> {
              assertThat(it.receipt()).isEqualTo(new Receipt("wamid.1", true));
              assertThat(it.note()).startsWith("held_for_quality_assessment");
            });
  }

  @Test
  void a_text_waits_until_the_file_before_it_is_sent_where_that_is_told() {
    Attachment file = bytes(MediaKind.AUDIO, "a.mp3", "audio/mpeg").attachment();
    Part audio = Part.carrying(List.of(file));
    Message message = Message.to("wa", "491").text("hi").build();
    Plan plan = new Plan(new MessageId(new UUID(1, 2)), List.of(audio, audio, Part.plain("hi")));

    Link told = open(config.set("appSecret", "s"));
    assertThat(told.sentWithin(Dispatch.of(message, plan, 0, Set.of()))).isZero();
    assertThat(told.sentWithin(Dispatch.of(message, plan, 1, Set.of())))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(told.sentWithin(Dispatch.of(message, plan, 2, Set.of()))).isZero();
    Dispatch second = Dispatch.of(message, plan, 1, Set.of());
    assertThat(link.sentWithin(second)).as("without webhooks").isZero();
    assertThat(open(config.set("appSecret", "s").set("order", "none")).sentWithin(second)).isZero();
    assertThat(open(config.set("appSecret", "s").set("orderWait", "3s")).sentWithin(second))
        .isEqualTo(Duration.ofSeconds(3));
    assertThatThrownBy(() -> open(config.set("order", "strict")))
        .hasMessageContaining("order is neither receipt nor none");
  }

  private static Link open(AccountConfig config) {
    return new WhatsAppChannel().open(TestAccount.of(config));
  }

  static List<Reply> repliesThatLoseTheUpload() {
    return List.of(
        new Reply.HangUp(),
        Reply.html(502, "Bad Gateway"),
        Reply.json(200, "{}"),
        new Reply.HalfAnswer(Reply.json(200, "{\"id\":\"1\"}")));
  }

  @ParameterizedTest
  @MethodSource("repliesThatLoseTheUpload")
  void an_upload_without_a_verdict_leaves_no_doubt_about_the_part(Reply reply) throws Exception {
    meta.answer(reply);
    assertThat(link.upload(bytes(MediaKind.IMAGE, null, "image/png")))
        .isInstanceOfSatisfying(
            UploadResult.Failed.class,
            it -> assertThat(it.outcome()).isInstanceOf(Outcome.NotSent.class));
  }

  @Test
  void an_upload_that_is_refused_says_why() throws Exception {
    meta.answer(error(400, 100, "(#100) Param file must be a file with one of these types"));
    assertThat(link.upload(bytes(MediaKind.DOCUMENT, "a.zip", "application/zip")))
        .isEqualTo(
            new UploadResult.Failed(
                new Outcome.Rejected(
                    Outcome.Blame.MESSAGE,
                    "100 Param file must be a file with one of these types")));
  }

  @Test
  void a_caption_on_what_turned_out_to_be_sound_is_not_dropped() throws Exception {
    PartFile sound =
        new PartFile(
            new Attachment(
                "https://example.org/x", MediaKind.AUDIO, null, "audio/mpeg", 4, false, false),
            FileHandle.of("77"),
            null);
    assertThat(link.send(account.part("49", "listen").carrying(List.of(sound))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.AsDocument()));
    assertThat(meta.requests()).isEmpty();
  }

  @Test
  void what_slipped_through_the_check_is_rejected_without_asking() throws Exception {
    Dispatch part =
        account.part(Message.to("wa", "49").text("x").channelData(Map.of("template", Map.of())));
    assertThat(link.send(part)).isInstanceOf(Outcome.Rejected.class);
    assertThat(meta.requests()).isEmpty();
  }

  @Test
  void a_probe_names_the_number() throws Exception {
    meta.answer(Reply.json(200, "{\"display_phone_number\":\"+49 170 1\",\"id\":\"1065\"}"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("+49 170 1"));
    assertThat(meta.onlyRequest().method()).isEqualTo("GET");
    assertThat(meta.onlyRequest().path())
        .isEqualTo("/v23.0/106540352242922?fields=display_phone_number");
  }

  @Test
  void a_probe_tells_a_refused_account_from_an_unreachable_platform() throws Exception {
    meta.answer(error(401, 190, "Error validating access token"));
    assertThat(link.probe()).isEqualTo(new Probe.Broken("190 Error validating access token"));
    meta.answer(Reply.html(502, "Bad Gateway"), Reply.json(200, "{}"), error(400, 130429, "slow"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    meta.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  static List<Reply> repliesThatQuoteTheToken() {
    return List.of(
        error(401, 190, "Malformed access token " + TOKEN),
        Reply.html(404, "<p>" + TOKEN + "</p>"),
        Reply.text(302, "text/plain", TOKEN));
  }

  @ParameterizedTest
  @MethodSource("repliesThatQuoteTheToken")
  void the_token_is_in_no_outcome(Reply reply) throws Exception {
    meta.answer(reply, reply, reply);
    assertThat(link.send(account.part("49", "x")).toString()).doesNotContain("very-secret");
    assertThat(link.probe().toString()).doesNotContain("very-secret");
    assertThat(link.upload(bytes(MediaKind.IMAGE, null, "image/png")).toString())
        .doesNotContain("very-secret");
  }

  @ParameterizedTest
  @CsvSource({
    "phoneNumberId, +49 170 1234, is not a number",
    "apiVersion, latest, is not a version",
    "apiVersion, v1.0/../me, is not a version",
    "baseUrl, graph.example.org, is not an address",
    "baseUrl, ftp://x, is not an address"
  })
  void useless_settings_are_refused(String key, String value, String complaint) {
    assertThatThrownBy(() -> new WhatsAppChannel().open(TestAccount.of(config.set(key, value))))
        .hasMessageStartingWith("account wa: " + key + " " + complaint)
        .hasMessageNotContaining(value);
  }
}
