package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postrider.channel.Link;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.Pace;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What we ask, and what channel data may say, against Microsoft's own description. */
@VerifiedAgainst(value = "Microsoft's description of the Bot Connector v3.1", channels = "msteams")
class TeamsRequestTest {
  private static final SchemaRegistry SPEC = spec();
  private static final Map<String, Object> CARD =
      Map.of(
          "contentType",
          TeamsRequest.ADAPTIVE_CARD,
          "content",
          Map.of(
              "type",
              "AdaptiveCard",
              "version",
              "1.5",
              "body",
              List.of(Map.of("type", "TextBlock", "text", "hi")),
              "actions",
              List.of(Map.of("type", "Action.Submit", "title", "Go"))));

  private final FakeTeams teams = new FakeTeams();
  private final TeamsChannel channel = new TeamsChannel();
  private final TestAccount account = TestAccount.of(teams.account());
  private final Link link = channel.open(account);

  @AfterEach
  void close() {
    link.close();
    teams.close();
  }

  /** The description, in which what it does not name is not allowed. */
  private static SchemaRegistry spec() {
    try (InputStream file =
        Objects.requireNonNull(
            TeamsRequestTest.class.getResourceAsStream(
                "/specs/msteams/botframework-channel.json"))) {
      JsonNode all =
          Objects.requireNonNull(
              Json.readObject(new String(file.readAllBytes(), StandardCharsets.UTF_8)));
      for (JsonNode definition : all.path("definitions")) {
        if (definition.path("properties").size() > 1) {
          ((ObjectNode) definition).put("additionalProperties", false);
        }
      }
      String text = Json.write(Map.of("definitions", Json.map(all.path("definitions"))));
      return SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_4, with -> with.schemas(Map.of("urn:spec", text)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Error> errors(String definition, JsonNode body) {
    Schema schema = SPEC.getSchema(SchemaLocation.of("urn:spec#/definitions/" + definition));
    return schema.validate(body);
  }

  private static void assertAllowed(Request request) {
    String definition =
        request.path().equals("/v3/conversations") ? "ConversationParameters" : "Activity";
    assertThat(errors(definition, FakeTeams.body(request))).as(request.text()).isEmpty();
  }

  @Test
  void the_description_refuses_what_is_wrong() {
    assertThat(errors("Activity", Json.tree(Map.of("type", "message", "text", 7)))).isNotEmpty();
    assertThat(errors("Activity", Json.tree(Map.of("texts", "x")))).isNotEmpty();
    assertThat(errors("ConversationParameters", Json.tree(Map.of("member", "x")))).isNotEmpty();
  }

  static List<Message.Builder> messages() {
    return List.of(
        Message.to("teams", "a:ann").text("hello"),
        Message.to("teams", "a:ann").text("hello").silent(true).replyToId("1612345678901"),
        Message.to("teams", "19:x@thread.tacv2").text("hello").threadId("1612345678901"),
        Message.to("teams", "29:ann").text("hello"),
        Message.to("teams", "1b4e28ba-2fa1-11d2-883f-0016d3cca427").text("hello"),
        Message.to("teams", "a:ann")
            .channelData(
                Map.of(
                    "attachments",
                    List.of(CARD),
                    "attachmentLayout",
                    "carousel",
                    "importance",
                    "high",
                    "summary",
                    "a card")),
        Message.to("teams", "a:ann")
            .text("<at>Ann</at>")
            .channelData(
                Map.of(
                    "entities",
                    List.of(
                        Map.of(
                            "type",
                            "mention",
                            "text",
                            "<at>Ann</at>",
                            "mentioned",
                            Map.of("id", "29:ann", "name", "Ann"))))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void every_request_keeps_to_the_description(Message.Builder message) throws Exception {
    link.send(account.part(message));
    JsonNode body = FakeTeams.body(teams.post());
    if (body.has("entities")) { // the description knows of an entity only that it has a type
      assertThat(errors("Mention", body.path("entities").path(0))).isEmpty();
    }
    assertAllowed(teams.post());
  }

  @Test
  void a_picture_keeps_to_the_description() throws Exception {
    Attachment picture =
        new Attachment("https://example.org/a.png", MediaKind.IMAGE, null, null, -1, false, false);
    link.send(
        account
            .part(Message.to("teams", "a:ann").text("hello"))
            .carrying(List.of(new PartFile(picture, null, null))));
    assertAllowed(teams.post());
  }

  // ---- channel data

  private void check(Map<String, Object> channelData) {
    Message message = Message.to("teams", "a:ann").text("hi").channelData(channelData).build();
    channel.check(
        message,
        Planner.plan(
            new MessageId(UUID.randomUUID()),
            message,
            channel.capabilities(account.config()),
            _ -> Optional.empty()));
  }

  @Test
  void cards_of_every_kind_are_taken() {
    check(Map.of("attachments", List.of(CARD)));
    Map<String, Object> button =
        Map.of("type", "openUrl", "title", "Go", "value", "https://example.org");
    for (String kind : List.of("hero", "thumbnail")) {
      check(
          Map.of(
              "attachments",
              List.of(
                  Map.of(
                      "contentType",
                      "application/vnd.microsoft.card." + kind,
                      "content",
                      Map.of("title", "x", "buttons", List.of(button))))));
    }
    check(
        Map.of(
            "attachments",
            List.of(
                Map.of(
                    "contentType",
                    "application/vnd.microsoft.teams.card.list",
                    "content",
                    Map.of("items", List.of()))),
            "suggestedActions",
            Map.of("actions", List.of(button)),
            "channelData",
            Map.of("feedbackLoopEnabled", true)));
  }

  static List<Map<String, Object>> wrong() {
    String hero = "application/vnd.microsoft.card.hero";
    return List.of(
        Map.of("attachment", List.of(CARD)),
        Map.of("attachments", CARD),
        Map.of("attachments", List.of(Map.of("content", Map.of()))),
        Map.of("attachments", List.of(Map.of("contentType", hero))),
        Map.of(
            "attachments", List.of(Map.of("contentType", hero, "content", Map.of("titel", "x")))),
        Map.of(
            "attachments",
            List.of(
                Map.of("contentType", TeamsRequest.ADAPTIVE_CARD, "content", Map.of("body", 1)))),
        Map.of(
            "attachments",
            List.of(
                Map.of(
                    "contentType",
                    TeamsRequest.ADAPTIVE_CARD,
                    "content",
                    Map.of(
                        "type", "AdaptiveCard",
                        "version", "1.5",
                        "body", List.of(Map.of("text", "no type")))))),
        Map.of("importance", "very"),
        Map.of("textFormat", "html"),
        Map.of("text", "another"),
        Map.of("conversation", Map.of("id", "a:bob")),
        Map.of("serviceUrl", "https://evil.example"),
        Map.of("entities", List.of(Map.of("type", "mention", "text", "<at>Ann</at>"))));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void what_teams_does_not_know_is_refused_by_name(Map<String, Object> channelData) {
    assertThatThrownBy(() -> check(channelData))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e ->
                assertThat(e.field())
                    .startsWith("channelData." + channelData.keySet().iterator().next()));
  }

  private static Map<String, Object> card(String body) {
    String json =
        "{'type':'AdaptiveCard','version':'1.5','body':[%s]}".formatted(body).replace('\'', '"');
    Map<String, ?> card = Json.map(Json.readObject(json));
    return Map.of(
        "attachments", List.of(Map.of("contentType", TeamsRequest.ADAPTIVE_CARD, "content", card)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          {'type':'TextBlok','text':'x'}; body[0].type; 'TextBlock'
          {'type':'Container','items':[{'type':'Imgae','url':'x'}]}; body[0].items[0].type; 'Image'
          {'type':'ColumnSet','columns':[{'items':[{'type':'Facts'}]}]}; \
          body[0].columns[0].items[0].type; 'FactSet'
          {'type':'Table','rows':[{'cells':[{'items':[{'type':'Text'}]}]}]}; \
          body[0].rows[0].cells[0].items[0].type; ''
          {'type':'ActionSet','actions':[{'type':'Action.Sumbit'}]}; \
          body[0].actions[0].type; 'Action.Submit'
          {'type':'ActionSet','actions':[{'type':'Action.ShowCard','card':\
          {'body':[{'type':'Txt'}]}}]}; \
          body[0].actions[0].card.body[0].type; ''
          {'type':'Image','url':'x','selectAction':{'type':'OpenUrl'}}; \
          body[0].selectAction.type; ''
          """)
  void an_element_that_teams_does_not_know_is_refused_wherever_it_stands(
      String element, String field, String meant) {
    assertThatThrownBy(() -> check(card(element)))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e -> assertThat(e.field()).isEqualTo("channelData.attachments[0].content." + field))
        .hasMessageContaining(meant);
  }

  @Test
  void every_element_of_teams_is_taken_and_a_newer_one_that_says_what_stands_in_for_it() {
    check(card("{'type':'Chart.Line','data':[]},{'type':'CodeBlock','codeSnippet':'x'}"));
    check(card("{'type':'Table','columns':[{'width':1}],'rows':[]}"));
    check(card("{'type':'Input.ChoiceSet','id':'a','choices':[{'title':'A','value':'1'}]}"));
    check(card("{'type':'Hologram','fallback':{'type':'TextBlock','text':'x'}}"));
    check(card("{'type':'Hologram','fallback':'drop'}"));
    assertThatThrownBy(() -> check(card("{'type':'Hologram','fallback':{'type':'Txt'}}")))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void what_is_larger_than_any_teams_takes_is_refused() {
    Map<String, Object> large =
        Map.of(
            "contentType",
            TeamsRequest.ADAPTIVE_CARD,
            "content",
            Map.of("type", "AdaptiveCard", "version", "1.5", "fallbackText", "x".repeat(52_000)));
    assertThatThrownBy(() -> check(Map.of("attachments", List.of(large))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("102400");
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "19:x@thread.tacv2"})
  void a_thread_that_teams_cannot_have_is_refused(String thread) {
    Message message = Message.to("teams", "19:x@thread.tacv2").text("hi").threadId(thread).build();
    assertThatThrownBy(
            () ->
                channel.check(
                    message,
                    Planner.plan(
                        new MessageId(UUID.randomUUID()),
                        message,
                        channel.capabilities(account.config()),
                        _ -> Optional.empty())))
        .isInstanceOfSatisfying(
            InvalidInput.class, e -> assertThat(e.field()).isEqualTo("threadId"));
  }

  @Test
  void a_long_text_is_cut_so_that_a_part_keeps_within_28_kb() throws Exception {
    Message message =
        Message.to("teams", "a:ann").text("Straße 中文 🙂 and so on. ".repeat(2_000)).build();
    var plan =
        Planner.plan(
            new MessageId(UUID.randomUUID()),
            message,
            channel.capabilities(account.config()),
            _ -> Optional.empty());
    assertThat(plan.parts()).hasSizeGreaterThan(3);
    for (int i = 0; i < plan.parts().size(); i++) {
      link.send(dev.postrider.channel.Dispatch.of(message, plan, i, TeamsRequest.OPTIONS));
    }
    assertThat(teams.posts())
        .allSatisfy(post -> assertThat(2 * post.text().length()).isLessThanOrEqualTo(28 << 10));
  }

  // ---- pace

  /** In any window w a pace lets through at most w / interval + burst. */
  private static double most(Pace pace, Duration window) {
    return pace.limits().entrySet().stream()
        .mapToDouble(
            limit ->
                (double) window.toMillis() / limit.getKey().toMillis() * limit.getValue()
                    + pace.burst())
        .min()
        .orElseThrow();
  }

  @Test
  void the_usual_pace_keeps_teams_limits_of_seconds() {
    Pace chat = channel.capabilities(account.config()).chatPace().apply("a:ann");
    assertThat(most(chat, Duration.ofSeconds(1))).isLessThanOrEqualTo(7);
    assertThat(most(chat, Duration.ofSeconds(2))).isLessThanOrEqualTo(8);
    assertThat(most(chat, Duration.ofSeconds(30))).isLessThanOrEqualTo(60);
    assertThat(most(channel.capabilities(account.config()).pace(), Duration.ofSeconds(1)))
        .as("of a tenant")
        .isLessThanOrEqualTo(50);
  }
}
