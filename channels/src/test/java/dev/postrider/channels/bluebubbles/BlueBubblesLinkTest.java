package dev.postrider.channels.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class BlueBubblesLinkTest {
  private static final String ANN = "iMessage;-;+491701234567";
  private static final String TEAM = "iMessage;+;chat123456789";
  private static final Channel CHANNEL = new BlueBubblesChannel();

  private final FakeBlueBubbles mac = new FakeBlueBubbles();
  private final AccountConfig config =
      AccountConfig.of("mac", "bluebubbles")
          .set("baseUrl", mac.platform.baseUrl())
          .set("password", FakeBlueBubbles.PASSWORD)
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = CHANNEL.open(account);

  @AfterEach
  void close() {
    link.close();
    mac.close();
  }

  private void privateApi() {
    mac.info.put("private_api", true);
    mac.info.put("helper_connected", true);
  }

  // ---- sending

  @Test
  void a_text_is_posted_with_a_temporary_id_made_of_the_parts_own() throws Exception {
    Dispatch part = account.part(ANN, "Grüße 👋");

    assertThat(((Outcome.Delivered) link.send(part)).receipt())
        .isEqualTo(new Receipt("GUID-1", true));

    JsonNode body = mac.asked("/message/text").getFirst();
    assertThat(body.path("chatGuid").asString()).isEqualTo(ANN);
    assertThat(body.path("message").asString()).isEqualTo("Grüße 👋");
    assertThat(body.path("method").asString()).isEqualTo("apple-script");
    assertThat(body.path("tempGuid").asString()).isEqualTo("temp-" + part.key());
  }

  @Test
  void a_mac_since_macos_26_gets_its_own_names_of_chats() throws Exception {
    mac.info.put("os_version", "26.1");
    link.send(account.part(ANN, "one"));
    link.send(account.part(TEAM, "two"));
    link.send(account.part("SMS;-;+491701234567", "three"));
    assertThat(mac.asked("/message/text"))
        .extracting(body -> body.path("chatGuid").asString())
        .containsExactly("any;-;+491701234567", "any;+;chat123456789", "SMS;-;+491701234567");
  }

  @Test
  void the_service_can_be_set_and_then_nobody_is_asked() throws Exception {
    try (Link set = CHANNEL.open(TestAccount.of(config.set("service", "any")))) {
      set.send(account.part(ANN, "one"));
    }
    assertThat(mac.asked("/message/text").getFirst().path("chatGuid").asString())
        .isEqualTo("any;-;+491701234567");
    assertThat(mac.platform.requests()).hasSize(1);
  }

  @Test
  void the_method_can_be_set_for_the_account_and_for_a_message() throws Exception {
    privateApi();
    try (Link set = CHANNEL.open(TestAccount.of(config.set("method", "private-api")))) {
      set.send(account.part(ANN, "one"));
      set.send(
          account.part(
              Message.to("mac", ANN).text("two").channelData(Map.of("method", "apple-script"))));
    }
    assertThat(mac.asked("/message/text"))
        .extracting(body -> body.path("method").asString())
        .containsExactly("private-api", "apple-script");
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

  private Dispatch file(String name, MediaKind kind) {
    Attachment attachment =
        new Attachment("media:" + "a".repeat(64), kind, name, "image/png", 3, false, false);
    Dispatch part = account.part(TEAM, "unused");
    Part planned = new Part(null, null, List.of(), List.of(attachment));
    return new Dispatch(
        part.id(),
        part.message(),
        new Plan(part.id(), List.of(planned)),
        0,
        part.state(),
        List.of(new PartFile(attachment, null, new Held(new byte[] {1, 2, 3}))));
  }

  @Test
  void a_file_is_uploaded_with_a_temporary_id_of_its_own() throws Exception {
    Dispatch part = file("cat.png", MediaKind.IMAGE);

    assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);

    Request request =
        mac.platform.requests().stream()
            .filter(each -> FakeBlueBubbles.is(each, "/message/attachment"))
            .findFirst()
            .orElseThrow();
    FormData form = FormData.read(request);
    assertThat(form.field("chatGuid").asString()).isEqualTo(TEAM);
    assertThat(form.field("tempGuid").asString()).isEqualTo("temp-" + part.key());
    assertThat(form.field("name").asString()).isEqualTo("cat.png");
    assertThat(form.file("attachment").bytes()).containsExactly(1, 2, 3);
    assertThat(request.text()).contains("name=\"isAudioMessage\"\r\n\r\nfalse");
  }

  @Test
  void speech_is_sent_as_an_audio_message() throws Exception {
    link.send(file("note.mp3", MediaKind.VOICE));
    assertThat(mac.platform.requests().getLast().text())
        .contains("name=\"isAudioMessage\"\r\n\r\ntrue");
  }

  // ---- the Private API

  @Test
  void a_reply_and_an_effect_are_sent_where_the_private_api_is_on() throws Exception {
    privateApi();
    link.send(
        account.part(
            Message.to("mac", ANN)
                .text("yes")
                .replyToId("GUID-9")
                .channelData(Map.of("effectId", "com.apple.MobileSMS.expressivesend.impact"))));
    JsonNode body = mac.asked("/message/text").getFirst();
    assertThat(body.path("selectedMessageGuid").asString()).isEqualTo("GUID-9");
    assertThat(body.path("effectId").asString()).endsWith(".impact");
    assertThat(body.path("method").asString()).isEqualTo("private-api");
  }

  @Test
  void without_the_private_api_a_reply_goes_out_as_a_message_and_says_so() throws Exception {
    Outcome outcome =
        link.send(account.part(Message.to("mac", ANN).text("yes").replyToId("GUID-9")));
    assertThat(((Outcome.Delivered) outcome).note())
        .isEqualTo("sent without the reply: the Private API is off");
    JsonNode body = mac.asked("/message/text").getFirst();
    assertThat(body.has("selectedMessageGuid")).isFalse();
    assertThat(body.path("method").asString()).isEqualTo("apple-script");
  }

  @Test
  void without_the_private_api_what_only_that_can_say_is_refused_with_the_remedy()
      throws Exception {
    assertThat(
            link.send(
                account.part(
                    Message.to("mac", ANN)
                        .channelData(
                            Map.of(
                                "reaction", Map.of("messageGuid", "GUID-9", "reaction", "love"))))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause())
                  .startsWith("channelData.reaction needs the Private API; switch");
            });
    assertThat(mac.asked("/message/react")).isEmpty();
  }

  @Test
  void a_message_is_reacted_to_edited_and_unsent() throws Exception {
    privateApi();
    link.send(action("reaction", Map.of("messageGuid", "G-1", "reaction", "-like"), null));
    link.send(action("edit", Map.of("messageGuid", "G-1"), "better"));
    Dispatch unsend = action("unsend", Map.of("messageGuid", "G-1", "partIndex", 1), null);

    assertThat(link.send(unsend)).isEqualTo(Outcome.delivered("CHANGED"));
    assertThat(link.remembers(unsend, Duration.ZERO))
        .as("once more would change nothing")
        .isEqualTo(Capabilities.FOR_GOOD);

    JsonNode react = mac.asked("/message/react").getFirst();
    assertThat(react.path("selectedMessageGuid").asString()).isEqualTo("G-1");
    assertThat(react.path("reaction").asString()).isEqualTo("-like");
    JsonNode edit = mac.asked("/message/G-1/edit").getFirst();
    assertThat(edit.path("editedMessage").asString()).isEqualTo("better");
    assertThat(edit.path("backwardsCompatibilityMessage").asString())
        .isEqualTo("Edited to: better");
    assertThat(mac.asked("/message/G-1/unsend").getFirst().path("partIndex").asInt()).isOne();
  }

  private Dispatch action(String name, Map<String, Object> details, String text) {
    Message.Builder message = Message.to("mac", ANN).channelData(Map.of(name, details));
    return account.part(text == null ? message : message.text(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"effect":"x"}                                  | channelData.effect
          {"method":"carrier-pigeon"}                     | channelData.method
          {"subject":7}                                   | channelData.subject
          {"ddScan":"yes"}                                | channelData.ddScan
          {"partIndex":-1}                                | channelData.partIndex
          {"reaction":{"reaction":"love"}}                | channelData.reaction.messageGuid
          {"reaction":{"messageGuid":"G"}}                | channelData.reaction
          {"unsend":{"messageGuid":"../../server/info"}}  | channelData.unsend.messageGuid
          """)
  void channel_data_that_the_server_does_not_know_is_refused_when_it_is_handed_in(
      String data, String field) {
    Message message =
        Message.to("mac", ANN)
            .text("x")
            .channelData(
                dev.postrider.channels.http.Json.map(
                    dev.postrider.channels.http.Json.readObject(data)))
            .build();
    Dispatch part = account.part(Message.to("mac", ANN).text("x"));
    assertThatThrownBy(() -> CHANNEL.check(message, part.plan()))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.toString()).contains(field));
  }

  // ---- what got no answer

  private Dispatch doubted(String chat, String text) {
    return account.part(chat, text).inDoubt(Instant.ofEpochMilli(mac.now));
  }

  @Test
  void one_that_arrived_all_the_same_is_found_by_its_text_and_not_sent_again() throws Exception {
    Dispatch part = doubted(ANN, "order 7  is\nready");
    mac.row("any;-;+491701234567", "order 7 is ready", true);

    assertThat(link.reconcile(part))
        .isEqualTo(new Reconciliation.Found(new Receipt("GUID-1", true)));
    assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);
    assertThat(mac.asked("/message/text")).isEmpty();
  }

  @Test
  void a_file_is_found_by_its_name() throws Exception {
    Dispatch part = file("cat.png", MediaKind.IMAGE).inDoubt(Instant.ofEpochMilli(mac.now));
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Absent());
    mac.row(TEAM, "\ufffc", true).put("attachments", List.of(Map.of("transferName", "cat.heic")));
    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Found.class);
  }

  @Test
  void the_same_words_sent_before_are_not_taken_for_it() throws Exception {
    Outcome.Delivered before = (Outcome.Delivered) link.send(account.part(ANN, "ok"));
    account.memory().write(before.memory());

    assertThat(link.reconcile(doubted(ANN, "ok"))).isEqualTo(new Reconciliation.Absent());
    mac.row(ANN, "ok", true);
    assertThat(link.reconcile(doubted(ANN, "ok"))).isInstanceOf(Reconciliation.Found.class);
  }

  @Test
  void what_others_wrote_what_failed_and_what_is_in_another_chat_is_not_taken_for_it()
      throws Exception {
    mac.row(ANN, "ok", false);
    mac.row(ANN, "ok", true).put("error", 22);
    mac.row(TEAM, "ok", true);
    mac.row(ANN, "ok", true).put("dateCreated", mac.now - Duration.ofHours(1).toMillis());
    mac.row(ANN, "ok", true).put("associatedMessageGuid", "p:0/GUID-1");
    assertThat(link.reconcile(doubted(ANN, "ok"))).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void it_is_absent_only_if_the_history_could_be_read() throws Exception {
    Dispatch part = doubted(ANN, "ok");
    for (Reply reply :
        List.of(
            Reply.text(404, "text/plain", "Not Found"),
            FakeBlueBubbles.error(500, "Server Error", "database is locked", null),
            FakeBlueBubbles.done(Map.of()),
            new Reply.HangUp())) {
      mac.platform.answer(reply);
      assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Inconclusive());
    }
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void more_messages_than_one_answer_holds_are_all_looked_through() throws Exception {
    for (int i = 0; i < 1500; i++) {
      mac.row(TEAM, "chatter " + i, false);
    }
    assertThat(link.reconcile(doubted(ANN, "ok"))).isEqualTo(new Reconciliation.Absent());
    mac.row(ANN, "ok", true);
    assertThat(link.reconcile(doubted(ANN, "ok"))).isInstanceOf(Reconciliation.Found.class);
  }

  @Test
  void a_look_waits_until_messages_has_written_down_what_it_sent() throws Exception {
    Instant before = account.scheduler().instant();
    link.reconcile(doubted(ANN, "ok"));
    assertThat(account.scheduler().instant()).isEqualTo(before.plusSeconds(10));
    try (Link quick =
        CHANNEL.open(
            new TestAccount(
                config.set("settle", "2s"), account.scheduler(), account.readiness()))) {
      quick.reconcile(doubted(ANN, "ok"));
    }
    assertThat(account.scheduler().instant()).isEqualTo(before.plusSeconds(12));
  }

  // ---- the account

  @Test
  void an_attempt_may_take_as_long_as_the_server_tries() {
    assertThat(CHANNEL.delivery(DeliverySettings.DEFAULTS).attemptTimeout())
        .isEqualTo(Duration.ofMinutes(20));
  }

  @Test
  void the_password_reaches_no_outcome() throws Exception {
    mac.platform.answer(
        Reply.html(500, "GET /api/v1?password=" + FakeBlueBubbles.ENCODED + " failed"),
        Reply.html(500, "password " + FakeBlueBubbles.PASSWORD + " failed"),
        Reply.html(500, "p%26ss+w%C3%B6rd-of-the-mac failed"));
    try (Link set = CHANNEL.open(TestAccount.of(config.set("service", "any")))) {
      for (int i = 0; i < 3; i++) {
        assertThat(set.send(account.part(ANN, "x")).toString())
            .contains("***")
            .doesNotContain("of-the-mac");
      }
    }
  }

  @Test
  void a_probe_says_who_we_are() throws Exception {
    assertThat(link.probe())
        .isEqualTo(
            new Probe.Healthy("ann@example.org (BlueBubbles 1.9.9, macOS 15.3, Private API off)"));
    mac.info.put("detected_imessage", "");
    assertThat(((Probe.Healthy) link.probe()).identity()).contains("sign in to iMessage");
  }

  @Test
  void a_probe_names_the_usual_mistakes() throws Exception {
    try (Link wrong = CHANNEL.open(TestAccount.of(config.set("password", "not this one")))) {
      assertThat(((Probe.Broken) wrong.probe()).cause())
          .contains("password is not the one in BlueBubbles' settings");
    }
    try (Link asleep = CHANNEL.open(TestAccount.of(config.set("baseUrl", "http://127.0.0.1:1")))) {
      assertThat(((Probe.Unreachable) asleep.probe()).cause()).contains("is the Mac awake");
    }
    try (Link wanting = CHANNEL.open(TestAccount.of(config.set("method", "private-api")))) {
      assertThat(((Probe.Broken) wanting.probe()).cause()).contains("Private API is off");
      mac.info.put("private_api", true);
      assertThat(((Probe.Unreachable) wanting.probe()).cause()).contains("helper");
      mac.info.put("helper_connected", true);
      assertThat(wanting.probe()).isInstanceOf(Probe.Healthy.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          method  | pigeon                        | method must be apple-script or private-api
          service | SMS                           | service must be iMessage or any
          baseUrl | http://mac:1234?password=x    | without a password
          baseUrl | mac.local                     | is not an address such as
          """)
  void an_account_that_cannot_work_is_refused(String key, String value, String problem) {
    assertThatThrownBy(() -> CHANNEL.checkAccount(config.set(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }
}
