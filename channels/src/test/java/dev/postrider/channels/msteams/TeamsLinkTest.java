package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class TeamsLinkTest {
  private static final String CHANNEL = "19:general@thread.tacv2";
  private static final String GROUP = "19:lunch@thread.v2";
  private static final String DM = "a:ann";

  private final FakeTeams teams = new FakeTeams();
  private final FakeTeams elsewhere = new FakeTeams();
  private final TeamsChannel channel = new TeamsChannel();
  private final TestAccount account = TestAccount.of(teams.account());
  private final Link link = channel.open(account);

  @AfterEach
  void close() {
    link.close();
    teams.close();
    elsewhere.close();
  }

  private Outcome send(Message.Builder message, Fix... fixes) throws Exception {
    return link.send(account.part(message, fixes));
  }

  private static Message.Builder to(String chat) {
    return Message.to("teams", chat).text("hello");
  }

  private void remember(String chat, String serviceUrl) {
    account.memory().write(new ConversationReference(serviceUrl, "t-1", "28:bot", null).of(chat));
  }

  // ---- where to

  @Test
  void a_text_goes_to_the_conversation_and_its_id_comes_back() throws Exception {
    teams.connector.answer(FakeTeams.sent("1700000000001"));
    assertThat(send(to(GROUP))).isEqualTo(Outcome.delivered("1700000000001"));
    assertThat(teams.post().path())
        .isEqualTo("/v3/conversations/19%3Alunch%40thread.v2/activities");
    JsonNode body = FakeTeams.body(teams.post());
    assertThat(body.path("type").asString()).isEqualTo("message");
    assertThat(body.path("text").asString()).isEqualTo("hello");
    assertThat(body.at("/conversation/id").asString()).isEqualTo(GROUP);
    assertThat(body.at("/from/id").asString()).isEqualTo("28:" + FakeTeams.APP);
  }

  @Test
  void a_personal_message_waits_for_word_that_it_was_read() throws Exception {
    teams.connector.answer(
        FakeTeams.sent("1700000000001"),
        FakeTeams.sent("1700000000001"),
        FakeTeams.sent("1700000000002"));
    assertThat(send(to(DM))).isEqualTo(Outcome.accepted("a:ann/1700000000001"));
    assertThat(send(to("a:bob")))
        .as("Teams numbers messages by conversation")
        .isEqualTo(Outcome.accepted("a:bob/1700000000001"));
    Message whole = to(DM).build();
    Part part = new Part("hello", null, List.of(), List.of());
    MessageId id = account.part(DM, "x").id();
    assertThat(link.send(Dispatch.of(whole, new Plan(id, List.of(part, part)), 0, Set.of())))
        .as("who has read the last part has read the first")
        .isEqualTo(Outcome.delivered("a:ann/1700000000002"));
    assertThat(channel.capabilities(account.config()).reports())
        .containsExactly(DeliveryReport.State.READ);
  }

  @Test
  void the_service_address_is_what_the_conversation_told_last() throws Exception {
    AccountConfig config =
        teams.account().set("baseUrl", elsewhere.connector.baseUrl()); // the same server, below
    TestAccount other = TestAccount.of(config);
    try (Link bot = channel.open(other)) {
      other
          .memory()
          .write(
              new ConversationReference(
                      elsewhere.connector.baseUrl() + "/emea/t-1/", "t-1", "28:bot", null)
                  .of(DM));
      bot.send(other.part(DM, "hello"));
    }
    assertThat(FakeTeams.path(elsewhere.post()))
        .isEqualTo("/emea/t-1/v3/conversations/a:ann/activities");
    assertThat(FakeTeams.body(elsewhere.post()).at("/from/id").asString()).isEqualTo("28:bot");
  }

  @Test
  void no_token_goes_to_a_host_that_is_not_microsofts() throws Exception {
    remember(DM, elsewhere.connector.baseUrl());
    remember(GROUP, "https://smba.trafficmanager.net.evil.example/teams");
    remember(CHANNEL, "https://user@smba.trafficmanager.net/teams");
    for (String chat : List.of(DM, GROUP, CHANNEL)) {
      assertThat(send(to(chat))).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(elsewhere.posts()).isEmpty();
    assertThat(teams.posts()).as("the usual address instead").hasSize(3);
  }

  @Test
  void hosts_that_may_get_the_token_can_be_added() throws Exception {
    Set<String> hosts =
        ConnectorApi.hosts(
            dev.postrider.channels.Settings.of(
                teams.account().set("serviceHosts", List.of("smba.example.us"))));
    assertThat(hosts).contains("smba.example.us", "smba.trafficmanager.net");
    AccountConfig wrong = teams.account().set("serviceHosts", List.of("https://smba.example.us"));
    assertThatThrownBy(() -> channel.open(TestAccount.of(wrong)))
        .hasMessageContaining("serviceHosts");
  }

  @Test
  void a_chat_that_the_bot_was_removed_from_says_since_when() throws Exception {
    account
        .memory()
        .write(new ConversationReference(null, null, null, "2026-03-01T10:00:00Z").of(GROUP));
    teams.connector.answer(FakeTeams.error(403, "BotNotInConversationRoster", "not part"));
    assertThat(send(to(GROUP)))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).contains("removed at 2026-03-01T10:00:00Z");
            });
  }

  // ---- people

  @Test
  void a_person_is_written_to_in_a_conversation_that_is_opened_first_and_kept() throws Exception {
    Outcome outcome = send(to("29:ann"));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Repairable.class,
            it -> assertThat(it.fix()).isEqualTo(new Fix.NewChat("a:opened")));
    JsonNode asked = FakeTeams.body(teams.post());
    assertThat(asked.at("/members/0/id").asString()).isEqualTo("29:ann");
    assertThat(asked.at("/bot/id").asString()).isEqualTo("28:" + FakeTeams.APP);
    assertThat(asked.at("/channelData/tenant/id").asString()).isEqualTo(FakeTeams.TENANT);
    assertThat(asked.path("isGroup").asBoolean(true)).isFalse();
    assertThat(send(to("29:ann"), new Fix.NewChat("a:opened")))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(FakeTeams.path(teams.posts().getLast()))
        .isEqualTo("/v3/conversations/a:opened/activities");
    assertThat(ConversationReference.read(account.memory(), "a:opened").tenant())
        .isEqualTo(FakeTeams.TENANT);
  }

  @Test
  void nothing_was_shown_to_a_person_when_opening_fails() throws Exception {
    teams.connector.answer(new Reply.HangUp());
    assertThat(send(to("29:ann"))).isInstanceOf(Outcome.NotSent.class);
    teams.connector.answer(FakeTeams.error(403, "ForbiddenOperationException", "not installed"));
    assertThat(send(to("29:ann")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).contains("must install it first");
            });
    teams.connector.answer(FakeTeams.error(400, "BadSyntax", "Failed to decrypt pairwise id"));
    assertThat(send(to("29:ann")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.TARGET));
  }

  @Test
  void a_person_of_an_unknown_tenant_is_refused_with_the_remedy() throws Exception {
    AccountConfig many =
        AccountConfig.of("teams", "msteams")
            .set("appId", FakeTeams.APP)
            .set("appPassword", FakeTeams.PASSWORD)
            .set("baseUrl", teams.connector.baseUrl())
            .set("loginUrl", teams.login.baseUrl());
    TestAccount other = TestAccount.of(many);
    try (Link bot = channel.open(other)) {
      assertThat(bot.send(other.part("29:ann", "hello")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, it -> assertThat(it.cause()).contains("set tenantId"));
      assertThat(teams.posts()).isEmpty();
      other.memory().write(new ConversationReference(null, "t-2", null, null).of("29:ann"));
      bot.send(other.part("29:ann", "hello"));
    }
    assertThat(FakeTeams.body(teams.post()).path("tenantId").asString()).isEqualTo("t-2");
  }

  // ---- threads and answers

  @Test
  void a_thread_of_a_channel_is_part_of_the_conversations_id() throws Exception {
    send(to(CHANNEL).threadId("1612345678901"));
    send(to(CHANNEL).replyToId("1612345678901"));
    assertThat(teams.posts())
        .allSatisfy(
            post ->
                assertThat(FakeTeams.path(post))
                    .isEqualTo(
                        "/v3/conversations/19:general@thread.tacv2;messageid=1612345678901"
                            + "/activities"));
  }

  @Test
  void an_answer_to_a_post_that_is_gone_becomes_a_post_of_its_own() throws Exception {
    send(to(CHANNEL).replyToId("1612345678901"), new Fix.DropReply());
    assertThat(FakeTeams.path(teams.post()))
        .isEqualTo("/v3/conversations/19:general@thread.tacv2/activities");
  }

  @Test
  void an_answer_in_a_chat_names_the_message() throws Exception {
    send(to(GROUP).replyToId("1612345678901"));
    assertThat(FakeTeams.path(teams.post()))
        .isEqualTo("/v3/conversations/19:lunch@thread.v2/activities/1612345678901");
    assertThat(FakeTeams.body(teams.post()).path("replyToId").asString())
        .isEqualTo("1612345678901");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:ann/1612345678901", "1612345678901"})
  void an_answer_to_a_person_names_the_message_as_it_came_in(String name) throws Exception {
    send(to(DM).replyToId(name));
    assertThat(FakeTeams.path(teams.post()))
        .isEqualTo("/v3/conversations/a:ann/activities/1612345678901");
    assertThat(FakeTeams.body(teams.post()).path("replyToId").asString())
        .isEqualTo("1612345678901");
  }

  // ---- what

  @Test
  void markup_is_markdown_and_what_has_none_is_plain() throws Exception {
    link.send(account.markup(to(DM), "**hello**"));
    link.send(account.markup(to(DM), "**hello**", new Fix.PlainText()));
    link.send(account.markup(to(DM).channelData(Map.of("textFormat", "xml")), "<b>hello</b>"));
    assertThat(teams.posts())
        .extracting(post -> FakeTeams.body(post).path("textFormat").asString())
        .containsExactly("markdown", "plain", "xml");
  }

  @Test
  void only_what_is_not_silent_alerts() throws Exception {
    send(to(DM));
    send(to(DM).silent(true));
    send(to(DM).channelData(Map.of("channelData", Map.of("notification", Map.of("alert", false)))));
    assertThat(teams.posts())
        .extracting(
            post -> FakeTeams.body(post).at("/channelData/notification/alert").asString("none"))
        .containsExactly("true", "none", "false");
  }

  @Test
  void a_picture_goes_by_its_address_or_with_its_bytes() throws Exception {
    Attachment picture =
        new Attachment("https://example.org/a.png", MediaKind.IMAGE, null, null, -1, false, false);
    Dispatch part = account.part(to(DM));
    link.send(part.carrying(List.of(new PartFile(picture, null, null))));
    link.send(
        part.carrying(
            List.of(new PartFile(picture.of("image/png", 3), null, bytes(new byte[] {1, 2, 3})))));
    assertThat(teams.posts())
        .extracting(
            post -> FakeTeams.body(post).at("/attachments/0/contentUrl").asString(),
            post -> FakeTeams.body(post).at("/attachments/0/contentType").asString())
        .containsExactly(
            tuple("https://example.org/a.png", "image/png"),
            tuple("data:image/png;base64,AQID", "image/png"));
  }

  @Test
  void another_file_is_a_link_in_the_text() throws Exception {
    Attachment file =
        new Attachment(
            "https://example.org/media/1?x=(2)",
            MediaKind.DOCUMENT,
            "Q1 [draft].pdf",
            null,
            -1,
            false,
            false);
    List<PartFile> cargo = List.of(new PartFile(file, null, null));
    link.send(account.markup(to(DM), "**hello**").carrying(cargo));
    link.send(account.part(to(DM)).carrying(cargo));
    link.send(
        account.part(Message.to("teams", DM).media(List.of(Media.at(file.url())))).carrying(cargo));
    assertThat(teams.posts())
        .extracting(
            post -> FakeTeams.body(post).path("textFormat").asString(),
            post -> FakeTeams.body(post).path("text").asString(),
            post -> FakeTeams.body(post).has("attachments"))
        .containsExactly(
            tuple(
                "markdown",
                "**hello**\n\n[Q1 \\[draft\\].pdf](https://example.org/media/1?x=%282%29)",
                false),
            tuple("plain", "hello\n\nQ1 [draft].pdf: https://example.org/media/1?x=(2)", false),
            tuple(
                "markdown", "[Q1 \\[draft\\].pdf](https://example.org/media/1?x=%282%29)", false));
  }

  @Test
  void bytes_of_pictures_need_no_public_address_and_larger_ones_are_links() {
    MediaRules media = channel.capabilities(account.config()).media();
    assertThat(media.sendable(MediaKind.IMAGE, "image/png", 1 << 20)).isEqualTo(MediaKind.IMAGE);
    assertThat(media.needsAddress(MediaKind.IMAGE)).isFalse();
    assertThat(media.sendable(MediaKind.IMAGE, "image/png", 2 << 20)).isEqualTo(MediaKind.DOCUMENT);
    assertThat(media.sendable(MediaKind.IMAGE, "image/webp", 9)).isEqualTo(MediaKind.DOCUMENT);
    assertThat(media.sendable(MediaKind.VIDEO, "video/mp4", 9)).isEqualTo(MediaKind.DOCUMENT);
    assertThat(media.needsAddress(MediaKind.DOCUMENT)).isTrue();
  }

  private static PartFile.Bytes bytes(byte[] all) {
    return new PartFile.Bytes() {
      @Override
      public long size() {
        return all.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(all);
      }
    };
  }

  // ---- mentions

  private static final Map<String, Object> ANN =
      Map.of(
          "type",
          "mention",
          "text",
          "<at>Ann_Lee</at>",
          "mentioned",
          Map.of("id", "29:ann", "name", "Ann Lee"));

  private Plan plan(Message message) {
    return Planner.plan(
        new MessageId(UUID.randomUUID()),
        message,
        channel.capabilities(account.config()).within(account.config().content()),
        _ -> Optional.empty());
  }

  @Test
  void a_mention_reaches_teams_as_it_was_meant_in_the_part_that_has_it() throws Exception {
    String filler = "x".repeat(11_990);
    Message message =
        Message.to("teams", DM)
            .text("Hi <at>Ann_Lee</at>, *you* and <at>Bob</at>\n\n" + filler)
            .channelData(Map.of("entities", List.of(ANN, Map.of("type", "clientInfo"))))
            .build();
    Plan plan = plan(message);
    channel.check(message, plan);
    assertThat(plan.parts()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      link.send(Dispatch.of(message, plan, i, TeamsRequest.OPTIONS));
    }
    JsonNode first = FakeTeams.body(teams.posts().getFirst());
    assertThat(first.path("text").asString())
        .startsWith("Hi <at>Ann_Lee</at>, *you* and \\<at>Bob");
    assertThat(first.path("entities")).hasSize(1);
    assertThat(first.at("/entities/0/mentioned/id").asString()).isEqualTo("29:ann");
    JsonNode last = FakeTeams.body(teams.posts().getLast());
    assertThat(last.path("entities")).hasSize(1);
    assertThat(last.at("/entities/0/type").asString()).isEqualTo("clientInfo");
  }

  @Test
  void a_mention_that_does_not_stand_in_the_text_is_refused() {
    Message message =
        Message.to("teams", DM).text("Hi").channelData(Map.of("entities", List.of(ANN))).build();
    assertThatThrownBy(() -> channel.check(message, plan(message)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("<at>Ann_Lee</at>");
  }

  // ---- a Workflows webhook

  private TestAccount workflow() {
    return TestAccount.of(
        AccountConfig.of("flow", "msteams")
            .set(
                "webhookUrl", teams.connector.baseUrl() + "/workflows/1/invoke?sp=x&sig=s3cr3t-s"));
  }

  @Test
  void a_workflow_gets_the_text_as_a_card_and_cards_as_they_are() throws Exception {
    TestAccount flow = workflow();
    Attachment picture =
        new Attachment(
            "https://example.org/a.png", MediaKind.IMAGE, "a.png", null, -1, false, false);
    Map<String, Object> card =
        Map.of(
            "contentType",
            TeamsRequest.ADAPTIVE_CARD,
            "content",
            Map.of("type", "AdaptiveCard", "version", "1.4"));
    teams.connector.answer(Reply.text(202, "text/plain", ""));
    try (Link hook = channel.open(flow)) {
      Dispatch part =
          flow.part(
              Message.to("flow", "ops")
                  .text("hello")
                  .channelData(Map.of("attachments", List.of(card))));
      assertThat(hook.send(part.carrying(List.of(new PartFile(picture, null, null)))))
          .isEqualTo(Outcome.accepted(""));
      assertThat(hook.probe()).isEqualTo(new Probe.Healthy(""));
    }
    assertThat(teams.login.requests()).isEmpty();
    assertThat(teams.post().path()).isEqualTo("/workflows/1/invoke?sp=x&sig=s3cr3t-s");
    JsonNode body = FakeTeams.body(teams.post());
    assertThat(body.path("type").asString()).isEqualTo("message");
    assertThat(body.path("attachments")).hasSize(2);
    assertThat(body.at("/attachments/0/contentType").asString())
        .isEqualTo(TeamsRequest.ADAPTIVE_CARD);
    assertThat(body.at("/attachments/0/content/body/0/text").asString()).isEqualTo("hello");
    assertThat(body.at("/attachments/0/content/body/1/url").asString())
        .isEqualTo("https://example.org/a.png");
    assertThat(body.at("/attachments/1/content/type").asString()).isEqualTo("AdaptiveCard");
  }

  @Test
  void a_workflows_address_is_never_told() throws Exception {
    TestAccount flow = workflow();
    teams.connector.answer(Reply.text(500, "text/plain", "no: /workflows/1/invoke sig=s3cr3t-s"));
    try (Link hook = channel.open(flow)) {
      assertThat(hook.send(flow.part("ops", "hello")).toString())
          .doesNotContain("s3cr3t-s")
          .doesNotContain("/workflows/1/invoke");
    }
  }

  @Test
  void a_workflow_takes_no_other_channel_data() throws Exception {
    TestAccount flow = workflow();
    try (Link hook = channel.open(flow)) {
      assertThat(
              hook.send(
                  flow.part(
                      Message.to("flow", "ops")
                          .text("hello")
                          .channelData(Map.of("importance", "high")))))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              it -> assertThat(it.cause()).startsWith("channelData.importance"));
    }
  }

  @Test
  void memory_keeps_what_must_be_known_of_a_conversation() {
    Remembered kept = new ConversationReference("https://x", "t", "b", "then").of("a:1");
    account.memory().write(kept);
    assertThat(ConversationReference.read(account.memory(), "a:1"))
        .isEqualTo(new ConversationReference("https://x", "t", "b", "then"));
    assertThat(ConversationReference.read(account.memory(), "a:2"))
        .isEqualTo(ConversationReference.UNKNOWN);
  }
}
