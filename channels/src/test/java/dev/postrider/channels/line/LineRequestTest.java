package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What is asked of LINE, held to LINE's own description of its requests. */
@VerifiedAgainst(value = "LINE's API description", channels = "line")
class LineRequestTest {
  private static final String ANN = "U4af4980629000000000000000000abcd";
  private static final LineChannel CHANNEL = new LineChannel();
  private static final AccountConfig ACCOUNT =
      AccountConfig.of("shop", "line").set("previewImageUrl", "https://example.org/play.png");
  private static final VendorSchema SCHEMA =
      new VendorSchema(LineChannel.class, "send.schema.json");

  private static Message.Builder to() {
    return Message.to("shop", ANN);
  }

  private static Plan plan(Message message) {
    return Planner.plan(
        new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
        message,
        CHANNEL.capabilities(ACCOUNT),
        _ -> Optional.empty());
  }

  private static LineRequest request(Message message, int part) {
    Plan plan = plan(message);
    CHANNEL.check(message, plan);
    Dispatch dispatch = Dispatch.of(message, plan, part, LineRequest.OPTIONS);
    return LineRequest.of(dispatch, "https://example.org/play.png", "quote-1");
  }

  private static JsonNode valid(String definition, Map<String, ?> body) {
    JsonNode tree = Json.tree(body);
    assertThat(SCHEMA.validate(definition, tree)).isEmpty();
    return tree;
  }

  private static JsonNode pushed(Message.Builder message) {
    Message built = message.build();
    return valid("PushMessageRequest", request(built, 0).push(ANN));
  }

  @Test
  void a_text_is_a_text() {
    assertThat(pushed(to().text("**Hi** there").silent(true)))
        .isEqualTo(
            Json.readObject(
                """
                {"to":"%s","messages":[{"type":"text","text":"Hi there","quoteToken":"quote-1"}],
                 "notificationDisabled":true}"""
                    .formatted(ANN)));
  }

  @Test
  void five_pieces_go_out_in_one_request_and_the_sixth_in_the_next() {
    Message message = to().text("x".repeat(26_000)).build();
    assertThat(plan(message).parts()).hasSize(2);
    assertThat(request(message, 0).messages()).hasSize(5);
    assertThat(request(message, 1).messages()).hasSize(1);
    assertThat(request(message, 0).messages())
        .allSatisfy(it -> assertThat(it.get("text").toString().length()).isLessThanOrEqualTo(5000));
  }

  @Test
  void files_and_text_go_out_together() {
    JsonNode body =
        pushed(
            to().text("Look")
                .media(
                    List.of(
                        Media.at("https://example.org/a.jpg"),
                        Media.at("https://example.org/b.mp4"),
                        Media.at("https://example.org/c.mp3")))
                .channelData(Map.of("duration", 4_200, "trackingId", "t1")));
    assertThat(body.path("messages"))
        .isEqualTo(
            Json.readArray(
                """
                [{"type":"image","originalContentUrl":"https://example.org/a.jpg",
                  "previewImageUrl":"https://example.org/a.jpg"},
                 {"type":"video","originalContentUrl":"https://example.org/b.mp4",
                  "previewImageUrl":"https://example.org/play.png","trackingId":"t1"},
                 {"type":"audio","originalContentUrl":"https://example.org/c.mp3",
                  "duration":4200},
                 {"type":"text","text":"Look","quoteToken":"quote-1"}]"""));
  }

  @Test
  void without_a_preview_a_video_is_a_link() {
    AccountConfig without = AccountConfig.of("shop", "line");
    Message video = to().media(List.of(Media.at("https://example.org/b.mp4"))).build();
    Plan plan =
        Planner.plan(
            new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
            video,
            CHANNEL.capabilities(without),
            _ -> Optional.empty());
    assertThat(plan.parts().getFirst().media()).isEmpty();
    assertThat(plan.parts().getFirst().text()).contains("https://example.org/b.mp4");
  }

  @Test
  void a_file_without_tls_is_refused_when_it_is_handed_in() {
    Message message = to().media(List.of(Media.at("http://example.org/a.jpg"))).build();
    assertThatThrownBy(() -> CHANNEL.check(message, plan(message)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("https");
  }

  @Test
  void a_document_is_not_for_line() {
    Message message = to().media(List.of(Media.at("https://example.org/plan.pdf"))).build();
    assertThat(plan(message).parts().getFirst().text()).contains("https://example.org/plan.pdf");
  }

  private static Map<String, Object> flex(Object contents) {
    return Map.of("flex", Map.of("altText", "A card", "contents", contents));
  }

  static List<Map<String, Object>> contents() {
    return List.of(
        flex(
            Map.of(
                "type",
                "bubble",
                "body",
                Map.of(
                    "type",
                    "box",
                    "layout",
                    "vertical",
                    "contents",
                    List.of(Map.of("type", "text", "text", "Hi", "wrap", true))))),
        Map.of("sticker", Map.of("packageId", "446", "stickerId", "1988")),
        Map.of(
            "location",
            Map.of("title", "Here", "address", "1 Road", "latitude", 35.6, "longitude", 139.7)),
        Map.of(
            "template",
            Map.of(
                "altText",
                "Sure?",
                "template",
                Map.of(
                    "type",
                    "confirm",
                    "text",
                    "Sure?",
                    "actions",
                    List.of(
                        Map.of("type", "message", "label", "Yes", "text", "yes"),
                        Map.of("type", "postback", "label", "No", "data", "no"))))),
        Map.of(
            "imagemap",
            Map.of(
                "baseUrl",
                "https://example.org/map",
                "altText",
                "A map",
                "baseSize",
                Map.of("width", 1040, "height", 1040),
                "actions",
                List.of(
                    Map.of(
                        "type",
                        "uri",
                        "linkUri",
                        "https://example.org",
                        "area",
                        Map.of("x", 0, "y", 0, "width", 520, "height", 1040))))),
        Map.of(
            "textV2",
            Map.of(
                "text",
                "Hi {everyone}",
                "substitution",
                Map.of("everyone", Map.of("type", "mention", "mentionee", Map.of("type", "all"))))),
        Map.of("messages", List.of(Map.of("type", "text", "text", "as it stands"))));
  }

  @ParameterizedTest
  @MethodSource("contents")
  void what_line_can_show_is_passed_through_after_the_text(Map<String, Object> data) {
    JsonNode body = pushed(to().text("Look").channelData(data));
    assertThat(body.path("messages")).hasSize(2);
    JsonNode alone = pushed(to().channelData(data));
    assertThat(alone.path("messages")).hasSize(1);
  }

  @Test
  void options_go_with_each_message_and_quick_replies_with_the_last() {
    Map<String, Object> data =
        Map.of(
            "sender", Map.of("name", "Ann"),
            "customAggregationUnits", List.of("spring"),
            "quickReply",
                Map.of(
                    "items",
                    List.of(
                        Map.of(
                            "type",
                            "action",
                            "action",
                            Map.of("type", "message", "label", "Yes", "text", "yes")))));
    Message message = to().text("x".repeat(26_000)).channelData(data).build();
    JsonNode first = valid("PushMessageRequest", request(message, 0).push(ANN));
    JsonNode last = valid("PushMessageRequest", request(message, 1).push(ANN));
    assertThat(first.findValues("sender")).hasSize(5);
    assertThat(first.findValues("quickReply")).isEmpty();
    assertThat(last.findValues("quickReply")).hasSize(1);
    assertThat(first.at("/customAggregationUnits/0").asString()).isEqualTo("spring");
    assertThat(request(message, 0).canReply()).as("replies are not counted by units").isFalse();
  }

  @Test
  void the_same_goes_out_as_a_reply_or_to_many_users() {
    LineRequest request = request(to().text("Hi").silent(true).build(), 0);
    assertThat(valid("ReplyMessageRequest", request.reply("token-1")).path("replyToken").asString())
        .isEqualTo("token-1");
    assertThat(valid("MulticastRequest", request.multicast(List.of(ANN, ANN))).path("to"))
        .hasSize(2);
  }

  static List<Map.Entry<String, Map<String, Object>>> mistakes() {
    return List.of(
        Map.entry("channelData.flxe", Map.of("flxe", Map.of())),
        Map.entry("channelData.flex.altText", Map.of("flex", Map.of("contents", bubble()))),
        Map.entry("channelData.flex.contents.type", flex(Map.of("type", "bubbles"))),
        Map.entry(
            "channelData.flex.contents.body.colour",
            flex(
                Map.of(
                    "type",
                    "bubble",
                    "body",
                    Map.of(
                        "type",
                        "box",
                        "layout",
                        "vertical",
                        "contents",
                        List.of(),
                        "colour",
                        "red")))),
        Map.entry("channelData.quickReply.items", Map.of("quickReply", Map.of("items", "yes"))),
        Map.entry("channelData.sender.name", Map.of("sender", Map.of("name", "n".repeat(21)))),
        Map.entry("channelData.duration", Map.of("duration", "long")),
        Map.entry("channelData.previewImageUrl", Map.of("previewImageUrl", "http://x.org/a.jpg")));
  }

  private static Map<String, Object> bubble() {
    return Map.of("type", "bubble");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_named_when_the_message_is_handed_in(
      Map.Entry<String, Map<String, Object>> mistake) {
    Message message = to().text("x").channelData(mistake.getValue()).build();
    assertThatThrownBy(() -> CHANNEL.check(message, plan(message)))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.field()).isEqualTo(mistake.getKey()));
  }

  @Test
  void more_than_fits_into_the_last_request_is_refused() {
    Message message =
        to().text("x".repeat(25_000))
            .channelData(Map.of("sticker", Map.of("packageId", "446", "stickerId", "1988")))
            .build();
    assertThatThrownBy(() -> CHANNEL.check(message, plan(message)))
        .hasMessageContaining("takes 5 messages")
        .hasMessageContaining("message of its own");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@shop", "ann", "U4AF4980629000000000000000000ABCD", "U123", "+49170123456"})
  void what_is_no_id_of_lines_is_no_chat(String to) {
    assertThatThrownBy(() -> CHANNEL.canonical(ACCOUNT, to))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("webhooks");
  }

  @Test
  void a_retry_key_is_a_uuid_made_of_the_parts_key() {
    assertThat(LineRequest.retryKey("ffffffffffffffffffffffffffffffff"))
        .isEqualTo("ffffffff-ffff-5fff-bfff-ffffffffffff");
    assertThat(LineRequest.retryKey("00000000000000000000000000000001"))
        .isEqualTo("00000000-0000-5000-8000-000000000001");
  }
}
