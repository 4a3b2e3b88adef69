package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dialect;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.googlechat.GoogleChatRequest.Replied;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is sent, held to Google's own description. */
@VerifiedAgainst(value = "Google's description of the Chat API v1", channels = "googlechat")
class GoogleChatRequestTest {
  private static final String SPACE = FakeGoogle.SPACE;
  private static final Schema CONTRACT = contract();
  private static final MessageId ID =
      new MessageId(UUID.fromString("0199a000-0000-7000-8000-000000000000"));

  private final TestAccount account = TestAccount.of(AccountConfig.of("gc", "googlechat"));

  private static Schema contract() {
    try (InputStream file =
        Objects.requireNonNull(
            GoogleChatRequestTest.class.getResourceAsStream(
                "/specs/googlechat/Message.schema.json"))) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Message.Builder hi() {
    return Message.to("gc", SPACE).text("hi");
  }

  private static PartFile file(MediaKind kind, String url, @Nullable String name) {
    return new PartFile(new Attachment(url, kind, name, null, 4, false, false), null, null);
  }

  private static JsonNode body(Dispatch part, @Nullable Replied replied) {
    String body = Json.write(new GoogleChatRequest(part, replied).body());
    assertThat(CONTRACT.validate(body, InputFormat.JSON)).isEmpty();
    return Objects.requireNonNull(Json.readObject(body));
  }

  private static JsonNode json(String text) {
    return Objects.requireNonNull(Json.readObject(text.replace('\'', '"')));
  }

  private static Map<String, @Nullable Object> card(String text) {
    return Map.of(
        "cardsV2",
        List.of(
            Map.of(
                "cardId",
                "one",
                "card",
                Map.of(
                    "header",
                    Map.of("title", "Order 77"),
                    "sections",
                    List.of(
                        Map.of(
                            "widgets", List.of(Map.of("textParagraph", Map.of("text", text)))))))));
  }

  @Test
  void the_contract_is_looked_at() {
    assertThat(CONTRACT.validate("{\"cardsV2\":[{\"card\":1}]}", InputFormat.JSON)).isNotEmpty();
  }

  @Test
  void images_are_shown_in_a_card_and_other_files_are_linked_to() {
    Dispatch part =
        account
            .part(hi())
            .carrying(
                List.of(
                    file(MediaKind.IMAGE, "https://example.org/a.png", "a.png"),
                    file(MediaKind.DOCUMENT, "https://example.org/p|x.pdf", "Plan <1>|2.pdf"),
                    file(MediaKind.IMAGE, "http://example.org/b.png", null)));
    assertThat(body(part, null))
        .isEqualTo(
            json(
                """
                {'text':'hi\\n<https://example.org/p%7Cx.pdf|Plan  1  2.pdf>\
                \\n<http://example.org/b.png|image>',
                 'markupSyntax':'MARKUP_SYNTAX_CHAT',
                 'cardsV2':[{'cardId':'images','card':{'sections':[{'widgets':[
                   {'image':{'imageUrl':'https://example.org/a.png','altText':'a.png'}}]}]}}]}
                """));
  }

  @Test
  void images_go_before_the_cards_of_the_sender() {
    Dispatch part =
        account
            .part(Message.to("gc", SPACE).text("hi").channelData(card("x")))
            .carrying(List.of(file(MediaKind.IMAGE, "https://example.org/a.png", "a.png")));
    assertThat(body(part, null).path("cardsV2").findValuesAsString("cardId"))
        .containsExactly("images", "one");
  }

  @Test
  void a_card_can_go_alone() {
    JsonNode body = body(account.part(Message.to("gc", SPACE).channelData(card("x"))), null);
    assertThat(body.has("text")).isFalse();
    assertThat(body.has("markupSyntax")).isFalse();
  }

  @Test
  void a_quote_and_a_thread_are_as_google_describes_them() {
    Replied replied =
        new Replied(SPACE + "/messages/T.M", "2026-03-01T11:00:00Z", SPACE + "/threads/T");
    assertThat(body(account.part(hi().replyToId("T.M")), replied))
        .isEqualTo(
            json(
                """
                {'text':'hi','markupSyntax':'MARKUP_SYNTAX_CHAT',
                 'thread':{'name':'spaces/AAAAroom/threads/T'},
                 'quotedMessageMetadata':{'name':'spaces/AAAAroom/messages/T.M',
                   'lastUpdateTime':'2026-03-01T11:00:00Z'}}
                """));
  }

  @Test
  void the_later_parts_of_a_reply_follow_the_first_into_the_thread_without_a_quote() {
    Message reply = hi().replyToId("T.M").build();
    Plan plan =
        new Plan(
            ID,
            List.of(
                new Part("a", null, List.of(), List.of()),
                new Part("b", null, List.of(), List.of())));
    Dispatch second = Dispatch.of(reply, plan, 1, GoogleChatRequest.OPTIONS);
    Replied replied =
        new Replied(SPACE + "/messages/T.M", "2026-03-01T11:00:00Z", SPACE + "/threads/T");

    assertThat(GoogleChatRequest.repliesTo(second)).isEqualTo(SPACE + "/messages/T.M");
    assertThat(body(second, replied))
        .isEqualTo(
            json(
                """
                {'text':'b','markupSyntax':'MARKUP_SYNTAX_CHAT',
                 'thread':{'name':'spaces/AAAAroom/threads/T'}}
                """));
    Message inThread = hi().replyToId("T.M").threadId("order-77").build();
    assertThat(GoogleChatRequest.repliesTo(Dispatch.of(inThread, plan, 1, Set.of())))
        .as("the thread is known")
        .isNull();
  }

  @Test
  void a_long_text_is_cut_by_its_bytes() {
    Capabilities can = new GoogleChatChannel().capabilities(account.config());
    List<Dialect.Written> parts =
        can.dialect().write("日本語 ".repeat(10_000), Format.PLAIN, can.text());

    assertThat(parts).hasSize(4); // of 100,000 bytes
    assertThat(parts)
        .allSatisfy(
            part ->
                assertThat(part.text().getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(30_000));
  }

  @Test
  void an_image_that_is_refused_goes_out_as_a_link() {
    Dispatch part =
        account
            .part(hi())
            .carrying(List.of(file(MediaKind.IMAGE, "https://example.org/a.png", "a.png")));
    Outcome refusal = new Outcome.Rejected(Blame.MESSAGE, "400 INVALID_ARGUMENT: imageUrl");
    assertThat(GoogleChatLink.repaired(refusal, new GoogleChatRequest(part, null)))
        .isEqualTo(new Outcome.Repairable(new Fix.AsDocument(), "400 INVALID_ARGUMENT: imageUrl"));
    assertThat(GoogleChatLink.repaired(refusal, new GoogleChatRequest(account.part(hi()), null)))
        .isEqualTo(refusal);
  }

  // ---- what is refused when it is handed in

  private static @Nullable InvalidInput refused(Message.Builder message) {
    Message built = message.build();
    Plan plan = new Plan(ID, List.of(new Part(built.text(), null, List.of(), List.of())));
    return catchThrowableOfType(
        InvalidInput.class, () -> new GoogleChatChannel().check(built, plan));
  }

  private static Message.Builder data(String json) {
    return Message.to("gc", SPACE).text("hi").channelData(Json.map(json(json)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {'cardsV3':[]}; channelData.cardsV3
          {'text':'other'}; channelData.text
          {'cardsV2':[{'cardId':'a','card':{'sektions':[]}}]}; channelData.cardsV2[0].card.sektions
          {'cardsV2':[{'card':{'sections':[{'widgets':[{'textParagraf':{}}]}]}}]}; \
          channelData.cardsV2[0].card.sections[0].widgets[0].textParagraf
          {'cardsV2':[{'card':{'header':{'title':7}}}]}; channelData.cardsV2[0].card.header.title
          {'cardsV2':[{'card':{'header':{'imageUrl':'http://x.example/a.png'}}}]}; \
          channelData.cardsV2[0].card.header.imageUrl
          {'messageReplyOption':'PERHAPS'}; channelData.messageReplyOption
          {'privateMessageViewer':'users/1'}; channelData.privateMessageViewer
          """)
  void channel_data_that_google_does_not_know_is_refused_by_name(String data, String field) {
    assertThat(refused(data(data))).extracting(InvalidInput::field).isEqualTo(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {'cardsV2':[{'cardId':'a','card':{'header':{'title':'T','imageUrl':'https://x/a.png'}}}]}
          {'cardsV2':[{'card':{'sections':[{'collapsible':true,'widgets':[{'buttonList':{'buttons':\
          [{'text':'Go','onClick':{'action':{'function':'go','parameters':[{'key':'k','value':'v'}]\
          }}}]}}]}]}}]}
          {'cardsV2':[{'card':{'sections':[{'widgets':[{'chipList':{'chips':[]}},{'decoratedText':\
          {'startIcon':{'materialIcon':{'name':'x'}},'text':'t'}}]}]}}]}
          {'accessoryWidgets':[{'buttonList':{'buttons':[{'text':'a'}]}}]}
          {'privateMessageViewer':{'name':'users/1'},'messageReplyOption':'REPLY_MESSAGE_OR_FAIL'}
          {'fallbackText':'a card'}
          """)
  void channel_data_that_google_knows_passes(String data) {
    assertThatCode(() -> assertThat(refused(data(data))).isNull()).doesNotThrowAnyException();
  }

  @Test
  void a_card_that_makes_the_message_too_large_is_refused_with_the_remedy() {
    assertThat(refused(hi().channelData(card("ä".repeat(15_000))))).isNull();
    assertThat(refused(hi().channelData(card("ä".repeat(16_000)))))
        .isNotNull()
        .hasMessageContaining("of which Google Chat takes 32000")
        .hasMessageContaining("send it on its own");
  }

  @ParameterizedTest
  @CsvSource({
    "spaces/BBBBother/threads/T, another space",
    "spaces/AAAAroom/messages/T, not a name such as",
    "spaces/AAAAroom/threads/T/x, not a name such as"
  })
  void a_thread_of_another_space_is_refused(String thread, String why) {
    assertThat(refused(hi().threadId(thread)))
        .isNotNull()
        .hasMessageContaining(why)
        .extracting(InvalidInput::field)
        .isEqualTo("threadId");
    assertThat(refused(hi().threadId("any key / of the sender's"))).isNull();
    assertThat(refused(hi().replyToId("spaces/BBBBother/messages/T.M")))
        .extracting(InvalidInput::field)
        .isEqualTo("replyToId");
  }
}
