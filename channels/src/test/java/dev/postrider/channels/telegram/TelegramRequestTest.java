package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is sent, checked against the published contract of the method. */
@VerifiedAgainst(value = "the contract of Bot API 10.1", channels = "telegram")
class TelegramRequestTest {
  private static final VendorSchema CONTRACT =
      new VendorSchema(TelegramChannel.class, "send.schema.json");

  private final TestAccount account = TestAccount.of(AccountConfig.of("tg", "telegram"));

  private static Message.Builder message() {
    return Message.to("tg", "42").text("hello");
  }

  private static TelegramRequest.Call call(Dispatch dispatch) {
    TelegramRequest.Call call = (TelegramRequest.Call) TelegramRequest.of(dispatch);
    assertThat(CONTRACT.validate(call.method(), Json.tree(call.fields()))).isEmpty();
    return call;
  }

  private static String body(Dispatch dispatch) {
    TelegramRequest.Call call = call(dispatch);
    assertThat(call.method()).isEqualTo("sendMessage");
    return Json.write(call.fields());
  }

  @Test
  void the_contract_refuses_what_telegram_would() {
    for (String wrong :
        List.of(
            "{\"chat_id\":1}",
            "{\"chat_id\":1,\"text\":\"x\",\"y\":1}",
            "{\"chat_id\":1,\"text\":\"x\",\"reply_parameters\":{}}")) {
      assertThat(CONTRACT.validate("sendMessage", Json.readObject(wrong))).isNotEmpty();
    }
  }

  @Test
  void a_plain_message_is_chat_and_text() {
    assertThat(body(account.part(message()))).isEqualTo("{\"chat_id\":42,\"text\":\"hello\"}");
  }

  @Test
  void a_public_name_stays_a_name_and_a_supergroup_stays_a_number() {
    assertThat(body(account.part("@news", "x"))).startsWith("{\"chat_id\":\"@news\"");
    assertThat(body(account.part("-1001234567890", "x"))).startsWith("{\"chat_id\":-1001234567890");
  }

  @Test
  void thread_reply_and_silence_become_telegrams_fields() {
    assertThat(
            Json.readObject(
                body(account.part(message().threadId("7").replyToId("9").silent(true)))))
        .isEqualTo(
            Json.readObject(
                """
                {"chat_id":42,"text":"hello","message_thread_id":7,"disable_notification":true,
                 "reply_parameters":{"message_id":9,"allow_sending_without_reply":true}}"""));
  }

  @Test
  void native_markup_is_html_and_its_plain_form_is_not() {
    assertThat(body(account.markup(message(), "<b>hello</b>")))
        .isEqualTo("{\"chat_id\":42,\"text\":\"<b>hello</b>\",\"parse_mode\":\"HTML\"}");
    assertThat(body(account.markup(message(), "<b>hello</b>", new Fix.PlainText())))
        .isEqualTo("{\"chat_id\":42,\"text\":\"hello\"}");
  }

  @Test
  void channel_data_rides_along_but_never_changes_chat_or_text() {
    Map<String, Object> data =
        Map.of(
            "chat_id",
            1,
            "text",
            "other",
            "link_preview_options",
            Map.of("is_disabled", true),
            "reply_markup",
            Map.of(
                "inline_keyboard", List.of(List.of(Map.of("text", "Yes", "callback_data", "y")))));
    assertThat(Json.readObject(body(account.part(message().channelData(data)))))
        .isEqualTo(
            Json.readObject(
                """
                {"chat_id":42,"text":"hello","link_preview_options":{"is_disabled":true},
                 "reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"y"}]]}}"""));
  }

  @Test
  void a_fix_also_takes_out_what_channel_data_had_put_in() {
    Map<String, Object> data =
        Map.of("parse_mode", "MarkdownV2", "reply_parameters", Map.of("message_id", 3));
    Message.Builder message = message().replyToId("9").channelData(data);
    assertThat(body(account.part(message, new Fix.PlainText(), new Fix.DropReply())))
        .isEqualTo("{\"chat_id\":42,\"text\":\"hello\"}");
  }

  @Test
  void a_moved_chat_is_written_to_at_its_new_id() {
    assertThat(body(account.part(message(), new Fix.NewChat("-1009"))))
        .isEqualTo("{\"chat_id\":-1009,\"text\":\"hello\"}");
  }

  @Test
  void what_telegram_could_only_refuse_is_refused_here() {
    Message.Builder noText = Message.to("tg", "42").channelData(Map.of("reply_markup", Map.of()));
    for (Dispatch part : List.of(account.part(noText), account.part(message().threadId("main")))) {
      assertThat(TelegramRequest.of(part))
          .isInstanceOfSatisfying(
              TelegramRequest.Impossible.class,
              it -> assertThat(it.outcome()).isInstanceOf(Outcome.Rejected.class));
    }
  }

  // ---- files

  private static PartFile bytes(MediaKind kind, String type) {
    return new PartFile(
        file("media:" + "0".repeat(64), kind, type, false), null, new Text("bytes"));
  }

  private static Attachment file(String url, MediaKind kind, String type, boolean loop) {
    return new Attachment(url, kind, null, type, 5, loop, false);
  }

  private record Text(String text) implements PartFile.Bytes {
    @Override
    public long size() {
      return text.length();
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void each_kind_of_file_has_its_method() {
    Map<MediaKind, String> methods =
        Map.of(
            MediaKind.IMAGE, "sendPhoto",
            MediaKind.VIDEO, "sendVideo",
            MediaKind.AUDIO, "sendAudio",
            MediaKind.VOICE, "sendVoice",
            MediaKind.DOCUMENT, "sendDocument");
    methods.forEach(
        (kind, method) -> {
          TelegramRequest.Call call =
              call(account.part(message()).carrying(List.of(bytes(kind, "image/png"))));
          assertThat(call.method()).isEqualTo(method);
          assertThat(call.files()).containsOnlyKeys("file0");
          assertThat(call.fields()).containsEntry("caption", "hello").doesNotContainKey("text");
        });
    PartFile loop =
        new PartFile(
            file("https://example.org/a.mp4", MediaKind.VIDEO, "video/mp4", true), null, null);
    assertThat(call(account.part(message()).carrying(List.of(loop))).method())
        .isEqualTo("sendAnimation");
  }

  @Test
  void a_file_goes_as_its_handle_else_its_bytes_else_its_address() {
    Attachment photo = file("https://example.org/a.jpg", MediaKind.IMAGE, "image/jpeg", false);
    Dispatch part = account.part(message());

    assertThat(
            call(part.carrying(List.of(new PartFile(photo, FileHandle.of("AgAC"), null)))).fields())
        .containsEntry("photo", "AgAC");
    assertThat(call(part.carrying(List.of(new PartFile(photo, null, new Text("x"))))).fields())
        .containsEntry("photo", "attach://file0");
    assertThat(call(part.carrying(List.of(new PartFile(photo, null, null)))).fields())
        .containsEntry("photo", "https://example.org/a.jpg");
  }

  @Test
  void a_file_without_a_name_gets_one_that_says_what_it_is() {
    TelegramRequest.Call call =
        call(account.part(message()).carrying(List.of(bytes(MediaKind.IMAGE, "image/jpeg"))));

    assertThat(call.files().get("file0").filename()).isEqualTo("image.jpg");
  }

  @Test
  void an_album_has_its_caption_on_the_first_item() {
    TelegramRequest.Call call =
        call(
            account
                .markup(message(), "<b>hello</b>")
                .carrying(
                    List.of(
                        bytes(MediaKind.IMAGE, "image/png"), bytes(MediaKind.VIDEO, "video/mp4"))));

    assertThat(call.method()).isEqualTo("sendMediaGroup");
    assertThat(Json.tree(call.fields()).path("media"))
        .isEqualTo(
            Json.tree(
                List.of(
                    Map.of(
                        "type",
                        "photo",
                        "media",
                        "attach://file0",
                        "caption",
                        "<b>hello</b>",
                        "parse_mode",
                        "HTML"),
                    Map.of("type", "video", "media", "attach://file1"))));
  }

  // ---- channel data

  private static InvalidInput refused(Map<String, Object> data, Part... parts) {
    MessageId id = new MessageId(new UUID(1, 2));
    Message message = message().channelData(data).build();
    return catchThrowableOfType(
        InvalidInput.class,
        () -> new TelegramChannel().check(message, new Plan(id, List.of(parts))));
  }

  @Test
  void channel_data_is_held_to_the_contract_before_it_is_accepted() {
    Part text = Part.plain("hello");

    assertThat(refused(Map.of("reply_markup", Map.of("inline_keyboard", List.of())), text))
        .isNull();
    assertThat(refused(Map.of("has_spoiler", true), Part.carrying(List.of(photo())))).isNull();
    assertThat(refused(Map.of("has_spoiler", true), text).field())
        .isEqualTo("channelData.has_spoiler");
    assertThat(refused(Map.of("protect_content", "yes"), text).field())
        .isEqualTo("channelData.protect_content");
    InvalidInput button =
        refused(
            Map.of(
                "reply_markup",
                Map.of("inline_keyboard", List.of(List.of(Map.of("callback_data", "y"))))),
            text);
    assertThat(button.field()).isEqualTo("channelData.reply_markup.inline_keyboard[0][0].text");
    assertThat(button.first().message()).isEqualTo("is missing");
  }

  private static Map<String, ?> fields(Message.Builder message, int part, Part... parts) {
    MessageId id = new MessageId(new UUID(1, 2));
    Plan plan = new Plan(id, List.of(parts));
    return call(Dispatch.of(message.build(), plan, part, TelegramRequest.OPTIONS)).fields();
  }

  @Test
  void options_reach_every_part_and_buttons_the_last() {
    Message.Builder message =
        message()
            .channelData(
                Map.of(
                    "protect_content",
                    true,
                    "business_connection_id",
                    "b1",
                    "reply_markup",
                    Map.of("inline_keyboard", List.of())));

    Map<String, ?> first = fields(message, 0, Part.plain("one"), Part.plain("two"));
    Map<String, ?> last = fields(message, 1, Part.plain("one"), Part.plain("two"));

    assertThat(first)
        .containsOnlyKeys("chat_id", "text", "protect_content", "business_connection_id");
    assertThat(last).containsKeys("protect_content", "business_connection_id", "reply_markup");
  }

  @Test
  void an_option_goes_to_the_parts_that_can_have_it() {
    Message.Builder message =
        message()
            .channelData(
                Map.of("has_spoiler", true, "link_preview_options", Map.of("is_disabled", true)));
    Part album = Part.plain("hello").with(List.of(photo(), photo()));

    assertThat(fields(message, 0, Part.carrying(List.of(photo())), Part.plain("two")))
        .containsKey("has_spoiler")
        .doesNotContainKey("link_preview_options");
    assertThat(fields(message, 1, Part.carrying(List.of(photo())), Part.plain("two")))
        .containsKey("link_preview_options")
        .doesNotContainKey("has_spoiler");
    assertThat(Json.tree(fields(message, 0, album)).path("media"))
        .allSatisfy(item -> assertThat(item.path("has_spoiler").booleanValue()).isTrue());
  }

  @Test
  void what_cannot_stand_alone_is_refused_at_accept() {
    Message message = Message.to("tg", "42").channelData(Map.of("reply_markup", Map.of())).build();
    Plan bare = new Plan(new MessageId(new UUID(1, 2)), List.of(Part.bare()));

    InvalidInput refused =
        catchThrowableOfType(InvalidInput.class, () -> new TelegramChannel().check(message, bare));

    assertThat(refused.field()).isEqualTo("channelData");
    assertThat(refused.first().message()).contains("needs a text");
  }

  // ---- methods that the sender names

  private static Message.Builder chosen(String method, Map<String, Object> fields) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>(fields);
    data.put("method", method);
    return Message.to("tg", "42").channelData(data);
  }

  private static String problem(Message.Builder builder, Part... parts) {
    Message message = builder.build();
    Plan plan = new Plan(new MessageId(new UUID(1, 2)), List.of(parts));
    InvalidInput refused =
        catchThrowableOfType(InvalidInput.class, () -> new TelegramChannel().check(message, plan));
    return refused == null ? "" : refused.field() + " " + refused.first().message();
  }

  @Test
  void another_method_acts_in_the_chat_of_the_message() {
    Message.Builder place = chosen("sendLocation", Map.of("latitude", 1.5, "longitude", 2));
    TelegramRequest.Call call = call(account.part(place.silent(true)));

    assertThat(call.method()).isEqualTo("sendLocation");
    assertThat(Json.readObject(Json.write(call.fields())))
        .isEqualTo(
            Json.readObject(
                "{\"latitude\":1.5,\"longitude\":2,\"chat_id\":42,"
                    + "\"disable_notification\":true}"));
    assertThat(problem(place, Part.bare())).isEmpty();
  }

  @Test
  void a_button_is_answered_with_the_text_of_the_message_and_without_its_chat() {
    Message.Builder answer = chosen("answerCallbackQuery", Map.of("callback_query_id", "77"));

    assertThat(call(account.markup(answer.text("**Done**"), "<b>Done</b>")).fields())
        .isEqualTo(Map.of("callback_query_id", "77", "text", "**Done**"));
    assertThat(call(account.part(answer.text(null))).fields())
        .isEqualTo(Map.of("callback_query_id", "77"));
  }

  @Test
  void an_edit_has_the_text_of_the_message_in_its_markup() {
    Message.Builder edit = chosen("editMessageText", Map.of("message_id", 9)).text("**new**");

    assertThat(call(account.markup(edit, "<b>new</b>")).fields())
        .isEqualTo(
            Map.of("chat_id", 42L, "message_id", 9, "text", "<b>new</b>", "parse_mode", "HTML"));
  }

  @Test
  void another_method_is_held_to_its_contract_and_goes_alone() {
    assertThat(problem(chosen("logOut", Map.of()), Part.bare()))
        .startsWith("channelData.method is none that acts in a chat");
    assertThat(problem(chosen("sendLocation", Map.of("latitude", 1)), Part.bare()))
        .isEqualTo("channelData.longitude is missing");
    assertThat(problem(chosen("sendDice", Map.of("emojy", "x")), Part.bare()))
        .isEqualTo("channelData.emojy is not known to the platform here; did you mean 'emoji'?");
    assertThat(problem(chosen("sendDice", Map.of()).text("hi"), Part.plain("hi")))
        .contains("takes no text");
    assertThat(
            problem(
                chosen("editMessageText", Map.of("message_id", 9)).text("hi"),
                Part.plain("hi"),
                Part.plain("ho")))
        .contains("is a request of its own");
  }

  @Test
  void every_method_that_can_be_named_has_its_contract() {
    for (String method : ChosenMethod.NAMES) {
      assertThat(CONTRACT.validate(method, Json.tree(Map.of("no such field", 1))))
          .as(method)
          .isNotEmpty();
    }
  }

  @Test
  void to_repeat_an_edit_does_no_harm_and_to_repeat_a_poll_does() {
    assertThat(ChosenMethod.isRepeatable(account.part(chosen("editMessageText", Map.of()))))
        .isTrue();
    assertThat(ChosenMethod.isRepeatable(account.part(chosen("sendPoll", Map.of())))).isFalse();
    assertThat(ChosenMethod.isRepeatable(account.part(message()))).isFalse();
  }

  private static Attachment photo() {
    return file("media:" + "0".repeat(64), MediaKind.IMAGE, "image/png", false);
  }
}
