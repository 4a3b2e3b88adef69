package dev.postrider.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The content of events, as the specification's chapter on instant messaging has it. */
class MatrixRequestTest {
  private static final AccountConfig ACCOUNT =
      AccountConfig.of("mx", "matrix").set("plainInEncryptedRooms", true);

  private final TestAccount account = TestAccount.of(ACCOUNT);

  private static Message.Builder message() {
    return Message.to("mx", "!room:example.org").text("hello");
  }

  private static JsonNode content(Dispatch dispatch) {
    return json(Json.write(MatrixRequest.of(dispatch)));
  }

  private static JsonNode json(String text) {
    return Objects.requireNonNull(Json.readObject(text.replace('\'', '"')));
  }

  @Test
  void a_plain_text_mentions_nobody() {
    assertThat(content(account.part(message())))
        .isEqualTo(json("{'m.mentions':{},'msgtype':'m.text','body':'hello'}"));
  }

  @Test
  void markup_goes_beside_its_plain_form() {
    assertThat(content(account.markup(message(), "<b>hello</b>")))
        .isEqualTo(
            json(
                "{'m.mentions':{},'msgtype':'m.text','body':'hello',"
                    + "'format':'org.matrix.custom.html','formatted_body':'<b>hello</b>'}"));
    assertThat(content(account.markup(message(), "<b>hello</b>", new Fix.PlainText())))
        .isEqualTo(json("{'m.mentions':{},'msgtype':'m.text','body':'hello'}"));
  }

  @Test
  void what_is_silent_is_a_notice() {
    assertThat(content(account.part(message().silent(true))).path("msgtype").asString())
        .isEqualTo("m.notice");
  }

  @Test
  void a_reply_names_the_event_it_answers() {
    assertThat(content(account.part(message().replyToId("$a"))).path("m.relates_to"))
        .isEqualTo(json("{'m.in_reply_to':{'event_id':'$a'}}"));
    assertThat(
            content(account.part(message().replyToId("$a"), new Fix.DropReply()))
                .has("m.relates_to"))
        .isFalse();
  }

  @Test
  void in_a_thread_a_reply_is_one_only_if_it_was_meant_as_one() {
    assertThat(content(account.part(message().threadId("$root"))).path("m.relates_to"))
        .isEqualTo(
            json(
                "{'rel_type':'m.thread','event_id':'$root','is_falling_back':true,"
                    + "'m.in_reply_to':{'event_id':'$root'}}"));
    assertThat(
            content(account.part(message().threadId("$root").replyToId("$a"))).path("m.relates_to"))
        .isEqualTo(
            json(
                "{'rel_type':'m.thread','event_id':'$root','is_falling_back':false,"
                    + "'m.in_reply_to':{'event_id':'$a'}}"));
  }

  private Dispatch carrying(MediaKind kind, @Nullable String name, Message.Builder message) {
    Attachment file =
        new Attachment("media:" + "a".repeat(64), kind, name, "image/png", 4, false, false);
    return account
        .markup(message, "<b>hello</b>")
        .carrying(List.of(new PartFile(file, FileHandle.of("mxc://example.org/abc"), null)));
  }

  @Test
  void a_file_has_its_name_beside_its_caption() {
    assertThat(content(carrying(MediaKind.IMAGE, "bear.png", message())))
        .isEqualTo(
            json(
                "{'m.mentions':{},'msgtype':'m.image','url':'mxc://example.org/abc',"
                    + "'filename':'bear.png','body':'hello','info':{'mimetype':'image/png',"
                    + "'size':4},'format':'org.matrix.custom.html',"
                    + "'formatted_body':'<b>hello</b>'}"));
  }

  @Test
  void a_file_without_a_caption_says_its_name() {
    Attachment file =
        new Attachment(
            "media:" + "a".repeat(64), MediaKind.VIDEO, null, "video/mp4", 4, false, false);
    Dispatch part =
        account
            .part(Message.to("mx", "!r:x").channelData(Map.of("org.example", 1)))
            .carrying(List.of(new PartFile(file, FileHandle.of("mxc://x/y"), null)));
    assertThat(content(part))
        .isEqualTo(
            json(
                "{'org.example':1,'m.mentions':{},'msgtype':'m.video','url':'mxc://x/y',"
                    + "'filename':'video.mp4','body':'video.mp4',"
                    + "'info':{'mimetype':'video/mp4','size':4}}"));
  }

  @ParameterizedTest
  @CsvSource({
    "IMAGE,m.image",
    "VIDEO,m.video",
    "AUDIO,m.audio",
    "VOICE,m.audio",
    "DOCUMENT,m.file"
  })
  void each_kind_of_file_has_its_event(MediaKind kind, String type) {
    JsonNode content = content(carrying(kind, "x", message().silent(true)));
    assertThat(content.path("msgtype").asString()).isEqualTo(type);
    assertThat(content.has("org.matrix.msc3245.voice")).isEqualTo(kind == MediaKind.VOICE);
  }

  @Test
  void channel_data_adds_but_never_changes_what_is_said() {
    Map<String, @Nullable Object> data =
        Map.of(
            "body",
            "other",
            "msgtype",
            "m.emote",
            "m.mentions",
            Map.of("room", true),
            "org.example",
            List.of(1));
    assertThat(content(account.part(message().channelData(data))))
        .isEqualTo(
            json(
                "{'body':'hello','msgtype':'m.emote','m.mentions':{'room':true},"
                    + "'org.example':[1]}"));
  }

  @Test
  void every_part_of_a_notice_is_a_notice_and_a_place_is_named_by_the_last() {
    Plan plan =
        new Plan(new MessageId(new UUID(1, 2)), List.of(Part.plain("one"), Part.plain("two")));
    Message notice = message().channelData(Map.of("msgtype", "m.notice")).build();
    Message place = message().channelData(Map.of("msgtype", "m.location")).build();

    assertThat(MatrixRequest.of(Dispatch.of(notice, plan, 0, MatrixRequest.OPTIONS)))
        .containsEntry("msgtype", "m.notice");
    assertThat(MatrixRequest.of(Dispatch.of(place, plan, 0, MatrixRequest.OPTIONS)))
        .containsEntry("msgtype", "m.text");
    assertThat(MatrixRequest.of(Dispatch.of(place, plan, 1, MatrixRequest.OPTIONS)))
        .containsEntry("msgtype", "m.location");
  }

  // ---- before it is accepted

  private static void check(Message.Builder message) {
    Message built = message.build();
    Part part = built.text() == null ? Part.bare() : Part.plain(built.text());
    new MatrixChannel().check(built, new Plan(new MessageId(new UUID(1, 2)), List.of(part)));
  }

  private static String refused(Message.Builder message) {
    return catchThrowableOfType(InvalidInput.class, () -> check(message)).field();
  }

  @Test
  void channel_data_alone_must_be_an_event() {
    Message.Builder message = Message.to("mx", "!r:x");
    assertThatCode(
            () -> check(message.channelData(Map.of("msgtype", "m.location", "body", "here"))))
        .doesNotThrowAnyException();
    assertThat(refused(message.channelData(Map.of("body", "x")))).isEqualTo("channelData.msgtype");
    assertThat(refused(message.channelData(Map.of("msgtype", "m.text"))))
        .isEqualTo("channelData.body");
  }

  @Test
  void only_rooms_can_be_written_to() {
    assertThatThrownBy(
            () ->
                new MatrixChannel().canonical(AccountConfig.of("mx", "matrix"), "@ann:example.org"))
        .isInstanceOf(InvalidInput.class);
    assertThatCode(() -> check(Message.to("mx", "#town:example.org").text("x")))
        .doesNotThrowAnyException();
  }

  @Test
  void the_window_of_repeats_can_be_set() {
    MatrixChannel channel = new MatrixChannel();
    assertThat(channel.capabilities(ACCOUNT).remembers()).isEqualTo(Duration.ofMinutes(30));
    assertThat(channel.capabilities(ACCOUNT.set("transactionWindow", "24h")).remembers())
        .isEqualTo(Duration.ofHours(24));
  }
}
