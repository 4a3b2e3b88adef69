package dev.postrider.channels.bluebubbles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlueBubblesHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String SECRET = "s3cret-of-the-hook";

  private final Hook hook =
      Objects.requireNonNull(
          new BlueBubblesChannel()
              .hook(AccountConfig.of("mac", "bluebubbles").set("webhookSecret", SECRET)));

  private Answer post(Map<String, String> headers, Map<String, String> query, String body) {
    return hook.read(new Hook.Request("POST", headers, query, body.getBytes(UTF_8), NOW));
  }

  private Answer.Genuine told(String type, String data) {
    return (Answer.Genuine)
        post(
            Map.of(),
            Map.of("secret", SECRET),
            "{\"type\":\"%s\",\"data\":%s}".formatted(type, data));
  }

  private InboundMessage arrival(String type, String data) {
    return told(type, data).arrivals().getFirst();
  }

  /** A message as the server tells it, with more fields. */
  private static String message(String more) {
    return """
    {"originalROWID":7,"guid":"G-7","text":"Grüße","handle":{"address":"+491701234567"},
     "attachments":[],"isFromMe":false,"error":0,"dateCreated":1772366400000,"itemType":0,
     "chats":[{"guid":"any;-;+491701234567","style":45,"displayName":""}]%s}"""
        .formatted(more);
  }

  @Test
  void nobody_is_let_in_without_the_secret() {
    String event = "{\"type\":\"new-message\",\"data\":" + message("") + "}";
    assertThat(post(Map.of(), Map.of(), event)).isInstanceOf(Answer.Forged.class);
    assertThat(post(Map.of(), Map.of("secret", ""), event)).isInstanceOf(Answer.Forged.class);
    assertThat(post(Map.of(), Map.of("secret", SECRET + "x"), event))
        .isInstanceOf(Answer.Forged.class);
    assertThat(post(Map.of("authorization", "Bearer wrong"), Map.of(), event))
        .isInstanceOf(Answer.Forged.class);
    assertThat(post(Map.of("authorization", "Bearer " + SECRET), Map.of(), event))
        .isInstanceOf(Answer.Genuine.class);
    assertThat(new BlueBubblesChannel().hook(AccountConfig.of("mac", "bluebubbles"))).isNull();
    assertThat(hook.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"data\":{}}", "{\"type\":7}", "<html>"})
  void what_is_no_event_is_malformed(String body) {
    assertThat(post(Map.of(), Map.of("secret", SECRET), body)).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void a_message_is_known_by_its_guid_and_belongs_to_its_chat_whatever_the_mac_calls_it() {
    InboundMessage arrival = arrival("new-message", message(",\"threadOriginatorGuid\":\"G-1\""));
    assertThat(arrival.platformId()).isEqualTo("G-7");
    assertThat(arrival.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(arrival.chat()).isEqualTo("iMessage;-;+491701234567");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(arrival.sender().id()).isEqualTo("+491701234567");
    assertThat(arrival.text()).isEqualTo("Grüße");
    assertThat(arrival.messageId()).isEqualTo("G-7");
    assertThat(arrival.replyToId()).isEqualTo("G-1");
    assertThat(arrival.sentAt()).isEqualTo(NOW);
  }

  @Test
  void a_group_is_told_from_a_person() {
    String data = message("").replace("any;-;+491701234567", "iMessage;+;chat99887766");
    assertThat(arrival("new-message", data).chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(arrival("new-message", data).chat()).isEqualTo("iMessage;+;chat99887766");
  }

  @Test
  void files_can_be_fetched_by_their_guid() {
    String data =
        message("")
            .replace(
                "\"attachments\":[]",
                "\"attachments\":[{\"guid\":\"at_0_1\",\"mimeType\":\"image/heic\","
                    + "\"transferName\":\"IMG_1.heic\",\"totalBytes\":4}]");
    assertThat(arrival("new-message", data).media())
        .containsExactly(
            new InboundMessage.File("image", "at_0_1", null, "IMG_1.heic", "image/heic", 4L));
  }

  @ParameterizedTest
  @CsvSource({"p:0/G-1,love", "bp:G-1,-laugh", "G-1,question"})
  void a_tapback_is_a_reaction_to_the_message_it_is_on(String about, String tapback) {
    InboundMessage arrival =
        arrival(
            "new-message",
            message(
                ",\"associatedMessageGuid\":\"%s\",\"associatedMessageType\":\"%s\""
                    .formatted(about, tapback)));
    assertThat(arrival.kind()).isEqualTo(Kind.REACTION);
    assertThat(arrival.messageId()).isEqualTo("G-1");
    assertThat(arrival.text()).isEqualTo(tapback);
    assertThat(arrival.platformId()).isEqualTo("G-7");
  }

  @Test
  void an_edit_and_an_unsending_are_told_beside_the_message() {
    assertThat(told("updated-message", message(",\"dateEdited\":1772366460000")).arrivals())
        .extracting(InboundMessage::platformId, InboundMessage::kind)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("G-7", Kind.MESSAGE),
            org.assertj.core.api.Assertions.tuple("G-7:1772366460000", Kind.EDIT));
    assertThat(
            told("updated-message", message(",\"dateRetracted\":1772366460000"))
                .arrivals()
                .getLast())
        .extracting(InboundMessage::platformId, InboundMessage::kind, InboundMessage::text)
        .containsExactly("G-7:unsent", Kind.OTHER, "unsent");
  }

  @Test
  void an_update_that_does_not_say_where_is_left_to_the_catch_up() {
    String data = message(",\"dateEdited\":1").replaceFirst("\"chats\":\\[.*?\\]", "\"x\":1");
    assertThat(told("updated-message", data).arrivals()).isEmpty();
  }

  @Test
  void our_own_messages_are_left_out_and_what_became_of_them_is_told() {
    String ours = message("").replace("\"isFromMe\":false", "\"isFromMe\":true");
    assertThat(told("new-message", ours).arrivals()).isEmpty();
    assertThat(told("new-message", ours).reports()).isEmpty();

    String read =
        ours.replace(
            "\"itemType\":0", "\"dateDelivered\":1772366400000,\"dateRead\":1772366460000");
    assertThat(told("updated-message", read).reports())
        .containsExactly(
            new DeliveryReport("G-7", State.DELIVERED, NOW, null),
            new DeliveryReport("G-7", State.READ, NOW.plusSeconds(60), null));
  }

  @Test
  void a_message_that_failed_later_is_reported() {
    String failed =
        message(",\"tempGuid\":\"temp-1\"")
            .replace("\"isFromMe\":false", "\"isFromMe\":true")
            .replace("\"error\":0", "\"error\":22");
    DeliveryReport report = told("message-send-error", failed).reports().getFirst();
    assertThat(report.state()).isEqualTo(State.FAILED);
    assertThat(report.receipt()).isEqualTo("G-7");
    assertThat(report.permanent()).isTrue();
    assertThat(report.detail()).contains("22").contains("not registered with iMessage");
  }

  @ParameterizedTest
  @ValueSource(strings = {"group-name-change", "participant-added", "participant-left"})
  void what_happens_to_a_group_is_told(String type) {
    InboundMessage arrival = arrival(type, message(",\"groupTitle\":\"Team\""));
    assertThat(arrival.kind()).isEqualTo(Kind.OTHER);
    assertThat(arrival.text()).isEqualTo(type);
    assertThat(arrival.raw().get("groupTitle")).isEqualTo("Team");
  }

  @ParameterizedTest
  @ValueSource(strings = {"typing-indicator", "hello-world", "new-server", "something-new"})
  void what_nobody_needs_to_know_is_taken_and_forgotten(String type) {
    Answer.Genuine answer = told(type, "{\"display\":true}");
    assertThat(answer.arrivals()).isEqualTo(List.of());
    assertThat(answer.reports()).isEmpty();
  }
}
