package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is sent, checked against the published contract of the method. */
class TelegramRequestTest {
  private static JsonSchema contract;

  private final TestAccount account = TestAccount.of(AccountConfig.of("tg", "telegram"));

  @BeforeAll
  static void readContract() throws IOException {
    try (InputStream file =
        TelegramRequestTest.class.getResourceAsStream("/telegram/sendMessage.schema.json")) {
      contract =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
              .getSchema(Objects.requireNonNull(file));
    }
  }

  private static Message.Builder message() {
    return Message.to("tg", "42").text("hello");
  }

  private static String body(Dispatch dispatch) {
    TelegramRequest.Body body = (TelegramRequest.Body) TelegramRequest.sendMessage(dispatch);
    String json = Json.write(body.fields());
    assertThat(contract.validate(json, InputFormat.JSON)).isEmpty();
    return json;
  }

  @Test
  void the_contract_refuses_what_telegram_would() {
    assertThat(contract.validate("{\"chat_id\":1}", InputFormat.JSON)).isNotEmpty();
    assertThat(contract.validate("{\"chat_id\":1,\"text\":\"x\",\"y\":1}", InputFormat.JSON))
        .isNotEmpty();
    assertThat(
            contract.validate(
                "{\"chat_id\":1,\"text\":\"x\",\"reply_parameters\":{}}", InputFormat.JSON))
        .isNotEmpty();
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
      assertThat(TelegramRequest.sendMessage(part))
          .isInstanceOfSatisfying(
              TelegramRequest.Impossible.class,
              it -> assertThat(it.outcome()).isInstanceOf(Outcome.Rejected.class));
    }
  }
}
