package dev.postrider.channels.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is sent, checked against Meta's own description. */
@VerifiedAgainst(value = "Meta's description v23.0", channels = "whatsapp")
class WhatsAppRequestTest {
  private static final VendorSchema CONTRACT =
      new VendorSchema(WhatsAppChannel.class, "send.schema.json");

  private final TestAccount account = TestAccount.of(AccountConfig.of("wa", "whatsapp"));

  private static Message.Builder message() {
    return Message.to("wa", "+491701234567").text("hello");
  }

  private static Message.Builder data(Map<String, @Nullable Object> data) {
    return Message.to("wa", "+491701234567").channelData(data);
  }

  /** The body, less what every body has. */
  private static JsonNode body(Dispatch dispatch) {
    ObjectNode body = (ObjectNode) Json.tree(WhatsAppRequest.of(dispatch));
    assertThat(CONTRACT.validate(body.path("type").asString(), body)).isEmpty();
    assertThat(body.remove("messaging_product").asString()).isEqualTo("whatsapp");
    assertThat(body.remove("biz_opaque_callback_data").asString()).isEqualTo(dispatch.key());
    return body;
  }

  private static JsonNode json(String text) {
    return Objects.requireNonNull(Json.readObject(text.replace('\'', '"')));
  }

  private static Attachment file(MediaKind kind, @Nullable String name, @Nullable String type) {
    return new Attachment("https://example.org/x", kind, name, type, 4, false, false);
  }

  private Dispatch carrying(
      Attachment file, @Nullable FileHandle handle, @Nullable String caption) {
    Message.Builder message = Message.to("wa", "+49").channelData(Map.of("context", Map.of()));
    return account.part(message.text(caption)).carrying(List.of(new PartFile(file, handle, null)));
  }

  private static void check(Message.Builder message) {
    Message built = message.build();
    Part part = built.text() == null ? Part.bare() : Part.plain(built.text());
    new WhatsAppChannel().check(built, new Plan(new MessageId(new UUID(1, 2)), List.of(part)));
  }

  private static String refused(Message.Builder message) {
    InvalidInput refused = catchThrowableOfType(InvalidInput.class, () -> check(message));
    return refused.field() + " " + refused.first().message();
  }

  @Test
  void the_contract_refuses_what_meta_would() {
    for (String wrong :
        List.of(
            "{'messaging_product':'whatsapp','recipient_type':'individual','to':'1','type':'text'}",
            "{'messaging_product':'whatsapp','recipient_type':'individual',"
                + "'type':'text','text':{}}",
            "{'messaging_product':'whatsapp','recipient_type':'individual','to':'1','type':'text',"
                + "'text':{'boddy':'x'}}",
            "{'messaging_product':'whatsapp','recipient_type':'individual','to':'1','type':'text',"
                + "'text':{'body':'x'},'silent':true}")) {
      assertThat(CONTRACT.validate("text", json(wrong))).isNotEmpty();
    }
  }

  @Test
  void a_text_goes_without_a_preview_of_its_links() {
    assertThat(body(account.part(message())))
        .isEqualTo(
            json(
                "{'type':'text','text':{'preview_url':false,'body':'hello'},"
                    + "'recipient_type':'individual','to':'+491701234567'}"));
  }

  @Test
  void a_preview_can_be_asked_for_but_neither_text_nor_user_can_be_changed() {
    Map<String, @Nullable Object> data =
        Map.of("text", Map.of("preview_url", true, "body", "other"), "to", "+1");
    assertThat(body(account.part(message().channelData(data))))
        .isEqualTo(
            json(
                "{'text':{'preview_url':true,'body':'hello'},'to':'+491701234567',"
                    + "'type':'text','recipient_type':'individual'}"));
  }

  @Test
  void a_reply_names_the_message_it_answers() {
    assertThat(body(account.part(message().replyToId("wamid.A"))).path("context"))
        .isEqualTo(json("{'message_id':'wamid.A'}"));
  }

  @Test
  void what_is_no_phone_number_is_a_group() {
    assertThat(body(account.part("Y2FwaV9ncm91cDox", "x")).path("recipient_type").asString())
        .isEqualTo("group");
    assertThat(body(account.part("49 (170) 12-34", "x")).path("recipient_type").asString())
        .isEqualTo("individual");
  }

  @Test
  void a_file_goes_by_what_meta_calls_it_else_by_its_address() {
    Attachment image = file(MediaKind.IMAGE, "a.png", "image/png");
    assertThat(body(carrying(image, FileHandle.of("77"), "look")).path("image"))
        .isEqualTo(json("{'id':'77','caption':'look'}"));
    assertThat(body(carrying(image, null, null)).path("image"))
        .isEqualTo(json("{'link':'https://example.org/x'}"));
    assertThat(body(carrying(file(MediaKind.VIDEO, null, null), null, "v")).path("video"))
        .isEqualTo(json("{'link':'https://example.org/x','caption':'v'}"));
  }

  @Test
  void a_document_has_a_name_if_anything_is_known_of_it() {
    assertThat(
            body(carrying(file(MediaKind.DOCUMENT, "plan.pdf", null), null, "c")).path("document"))
        .isEqualTo(json("{'link':'https://example.org/x','filename':'plan.pdf','caption':'c'}"));
    assertThat(
            body(carrying(file(MediaKind.DOCUMENT, null, "text/plain"), FileHandle.of("7"), null))
                .path("document"))
        .isEqualTo(json("{'id':'7','filename':'document.txt'}"));
    assertThat(body(carrying(file(MediaKind.DOCUMENT, null, null), null, null)).path("document"))
        .isEqualTo(json("{'link':'https://example.org/x'}"));
  }

  @Test
  void speech_is_marked_as_such() {
    assertThat(
            body(carrying(file(MediaKind.VOICE, null, "audio/ogg"), FileHandle.of("7"), null))
                .path("audio"))
        .isEqualTo(json("{'id':'7','voice':true}"));
    assertThat(
            body(carrying(file(MediaKind.AUDIO, null, "audio/mpeg"), FileHandle.of("7"), null))
                .path("audio"))
        .isEqualTo(json("{'id':'7'}"));
  }

  @Test
  void channel_data_alone_is_the_message_and_its_type_goes_without_saying() {
    Map<String, @Nullable Object> template =
        Map.of("name", "hello_world", "language", Map.of("code", "en_US"));
    assertThat(body(account.part(data(Map.of("template", template)))))
        .isEqualTo(
            json(
                "{'template':{'name':'hello_world','language':{'code':'en_US'}},'type':'template',"
                    + "'recipient_type':'individual','to':'+491701234567'}"));
  }

  @Test
  void buttons_take_the_text_as_theirs() {
    Map<String, @Nullable Object> buttons =
        Map.of(
            "type",
            "button",
            "action",
            Map.of(
                "buttons",
                List.of(Map.of("type", "reply", "reply", Map.of("id", "y", "title", "Yes")))));
    Message.Builder message = message().channelData(Map.of("interactive", buttons));
    assertThat(body(account.part(message)).path("interactive").path("body"))
        .isEqualTo(json("{'text':'hello'}"));
    assertThatCode(() -> check(message)).doesNotThrowAnyException();
    assertThat(refused(message.text("x".repeat(1025)))).startsWith("channelData.interactive.body");
  }

  @TestFactory
  Stream<DynamicTest> metas_own_examples_are_accepted() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(WhatsAppRequestTest.class.getResourceAsStream("examples.json"))) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Objects.requireNonNull(Json.readObject(text)).properties().stream()
          .map(
              example ->
                  DynamicTest.dynamicTest(
                      example.getKey(),
                      () -> {
                        Map<String, @Nullable Object> whole = Json.map(example.getValue());
                        boolean isText = "text".equals(whole.get("type"));
                        check(isText ? message().channelData(whole) : data(whole));
                      }));
    }
  }

  @Test
  void wrong_channel_data_is_refused_by_its_place() {
    assertThat(refused(data(Map.of("template", Map.of("name", "x")))))
        .isEqualTo("channelData.template.language is missing");
    assertThat(refused(data(Map.of("location", Map.of("lat", 1)))))
        .isEqualTo("channelData.location.lat is not known to the platform here");
    assertThat(refused(data(Map.of("button", "x"))))
        .startsWith("channelData says nothing that can be sent; give one of template,");
    assertThat(refused(data(Map.of("type", "poll", "poll", Map.of()))))
        .isEqualTo("channelData.type is not a kind of message WhatsApp knows");
    assertThat(refused(message().channelData(Map.of("template", Map.of()))))
        .isEqualTo("channelData.template is a message of its own; send it without text and media");
    assertThat(refused(message().channelData(Map.of("disable_notification", true))))
        .isEqualTo("channelData.disable_notification is not known to the platform here");
  }

  @Test
  void previews_are_shown_in_every_part() {
    Message message =
        Message.to("wa", "+49").channelData(Map.of("text", Map.of("preview_url", true))).build();
    Plan plan =
        new Plan(new MessageId(new UUID(1, 2)), List.of(Part.plain("one"), Part.plain("two")));

    assertThat(WhatsAppRequest.of(Dispatch.of(message, plan, 0, Set.of())).get("text"))
        .isEqualTo(Map.of("preview_url", true, "body", "one"));
  }
}
