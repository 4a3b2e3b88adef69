package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.ANN;
import static dev.postrider.channels.whatsappweb.FakeBridge.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.CountedFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a text or file becomes on its way to a bridge, and how a repeat is avoided. */
class WhatsAppWebLinkTest {
  private final FakeBridge bridge = new FakeBridge();
  private final TestAccount waha = TestAccount.of(bridge.waha());
  private final TestAccount gowa = TestAccount.of(bridge.gowa());
  private final Link wahaLink = new WhatsAppWebChannel().open(waha);
  private final Link gowaLink = new WhatsAppWebChannel().open(gowa);

  @AfterEach
  void close() {
    wahaLink.close();
    gowaLink.close();
    bridge.close();
  }

  private static JsonNode body(Request request) {
    JsonNode body = Json.readObject(request.text());
    assertThat(body).isNotNull();
    return body;
  }

  @Test
  void a_text_goes_to_waha_with_an_id_made_of_its_key() throws Exception {
    Dispatch part = waha.part(GROUP, "hello");
    Outcome outcome = wahaLink.send(part);
    Request request = bridge.platform.onlyRequest();
    assertThat(request.path()).isEqualTo("/api/sendText");
    assertThat(request.headers()).containsEntry("x-api-key", "waha-very-secret");
    String id = body(request).path("id").asString();
    assertThat(id).matches("3EB0[0-9A-F]{18}").isEqualTo(WahaRequest.id(part));
    assertThat(body(request).path("chatId").asString()).isEqualTo(GROUP);
    assertThat(body(request).path("session").asString()).isEqualTo("default");
    assertThat(body(request).path("text").asString()).isEqualTo("hello");
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> assertThat(it.receipt()).isEqualTo(new Receipt(id, true)));
  }

  @Test
  void a_repeat_of_a_text_has_the_same_id_and_counts_as_the_same_message() throws Exception {
    Dispatch part = waha.part(GROUP, "hello");
    bridge.platform.answer(new Reply.HangUp());
    assertThat(wahaLink.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(wahaLink.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);
    assertThat(wahaLink.remembers(part, Capabilities.FOR_GOOD)).isEqualTo(Capabilities.FOR_GOOD);
    wahaLink.send(part.inDoubt(waha.scheduler().instant()));
    List<Request> sends = bridge.requests("/api/sendText");
    assertThat(sends).hasSize(2);
    assertThat(sends.get(0).text()).isEqualTo(sends.get(1).text());
  }

  @Test
  void a_text_that_arrived_after_all_is_found_by_its_id_and_not_repeated() throws Exception {
    Dispatch part = waha.part(GROUP, "hello");
    String id = WahaRequest.id(part);
    bridge.platform.answer(new Reply.HangUp());
    wahaLink.send(part);
    bridge.history.put(GROUP, List.of(Map.of("id", "true_" + GROUP + "_" + id, "fromMe", true)));
    assertThat(wahaLink.reconcile(part.inDoubt(waha.scheduler().instant())))
        .isEqualTo(new Reconciliation.Found(new Receipt(id, true)));
    assertThat(wahaLink.send(part.inDoubt(waha.scheduler().instant())))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(bridge.requests("/api/sendText")).hasSize(1);
  }

  @Test
  void an_engine_that_gives_ids_of_its_own_is_not_trusted_to_know_a_repeat() throws Exception {
    bridge.takesOwnIds = false;
    Dispatch part = waha.part(GROUP, "hello");
    Outcome.Delivered delivered = (Outcome.Delivered) wahaLink.send(part);
    waha.memory().write(delivered.memory());
    assertThat(wahaLink.remembers(part, Capabilities.FOR_GOOD)).isEqualTo(Duration.ZERO);
  }

  @Test
  void a_file_goes_to_waha_inside_the_request_with_its_caption() throws Exception {
    byte[] bytes = {1, 2, 3, 4};
    Dispatch part = waha.part(GROUP, "look").carrying(List.of(WhatsAppWebFaultsTest.image(bytes)));
    wahaLink.send(part);
    Request request = bridge.platform.onlyRequest();
    assertThat(request.path()).isEqualTo("/api/sendImage");
    JsonNode body = body(request);
    assertThat(body.path("caption").asString()).isEqualTo("look");
    assertThat(body.at("/file/mimetype").asString()).isEqualTo("image/png");
    assertThat(body.at("/file/filename").asString()).isEqualTo("x.png");
    assertThat(body.at("/file/data").binaryValue()).isEqualTo(bytes);
    assertThat(body.has("id")).as("files take none").isFalse();
  }

  @Test
  void a_reply_names_the_whole_id_of_what_it_answers() throws Exception {
    wahaLink.send(
        waha.part(Message.to("wa", GROUP).text("yes").replyToId("false_" + GROUP + "_AA_1@lid")));
    wahaLink.send(waha.part(Message.to("wa", GROUP).text("yes").replyToId("3EB0AB")));
    List<Request> sends = bridge.requests("/api/sendText");
    assertThat(body(sends.get(0)).path("reply_to").asString())
        .isEqualTo("false_" + GROUP + "_AA_1@lid");
    assertThat(body(sends.get(1)).path("reply_to").asString())
        .isEqualTo("true_" + GROUP + "_3EB0AB");
  }

  @Test
  void a_text_goes_to_gowa_with_password_and_device() throws Exception {
    gowa.memory().write(dev.postrider.channel.Remembered.of(ANN, Strangers.KNOWN, "1"));
    Outcome outcome =
        gowaLink.send(gowa.part(Message.to("wa", ANN).text("hello").replyToId("3EB0AB")));
    Request request = bridge.platform.onlyRequest();
    assertThat(request.path()).isEqualTo("/send/message");
    assertThat(request.headers())
        .containsEntry("authorization", "Basic cG9zdHJpZGVyOmdvd2EtdmVyeS1zZWNyZXQ=")
        .containsEntry("x-device-id", "org_2");
    assertThat(body(request))
        .isEqualTo(
            Json.tree(
                Map.of(
                    "phone",
                    "491701234567@s.whatsapp.net",
                    "message",
                    "hello",
                    "reply_message_id",
                    "3EB0AB")));
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    assertThat(gowaLink.remembers(gowa.part(ANN, "x"), Duration.ZERO)).isEqualTo(Duration.ZERO);
  }

  @Test
  void a_file_goes_to_gowa_as_a_form() throws Exception {
    gowaLink.send(
        gowa.part(GROUP, "look")
            .carrying(List.of(WhatsAppWebFaultsTest.image(new byte[] {1, 2, 3}))));
    Request request = bridge.platform.onlyRequest();
    assertThat(request.path()).isEqualTo("/send/image");
    assertThat(request.headers().get("content-type")).startsWith("multipart/form-data");
    assertThat(request.text())
        .contains("name=\"phone\"", GROUP, "name=\"caption\"", "look", "filename=\"x.png\"");
  }

  @Test
  void what_gowa_may_have_sent_is_looked_for_in_the_history_behind_the_last_known_part()
      throws Exception {
    Dispatch first = gowa.part(GROUP, "hello");
    Outcome.Delivered delivered = (Outcome.Delivered) gowaLink.send(first);
    gowa.memory().write(delivered.memory());
    Map<String, Object> known =
        Map.of("id", delivered.receipt().id(), "content", "hello", "is_from_me", true);
    bridge.history.put(GROUP, List.of(known));
    Dispatch second = gowa.part(GROUP, "hello").inDoubt(gowa.scheduler().instant());
    assertThat(gowaLink.reconcile(second)).isInstanceOf(Reconciliation.Inconclusive.class);

    Map<String, Object> later = Map.of("id", "3EB0LATER", "content", "hello", "is_from_me", true);
    bridge.history.put(GROUP, List.of(later, known));
    assertThat(gowaLink.reconcile(second))
        .isEqualTo(new Reconciliation.Found(new Receipt("3EB0LATER", true)));
  }

  /** A part that is planned with its file. */
  private Dispatch picture(String caption, byte... bytes) {
    PartFile file = WhatsAppWebFaultsTest.image(bytes);
    Dispatch bare = waha.part(GROUP, caption);
    Part part = new Part(caption, null, List.of(), List.of(file.attachment()));
    return new Dispatch(
        bare.id(),
        bare.message(),
        new Plan(bare.id(), List.of(part)),
        0,
        PartState.PENDING,
        List.of(file));
  }

  @Test
  void a_file_of_waha_is_looked_for_in_the_history_before_it_is_sent_again() throws Exception {
    Dispatch part = picture("look", (byte) 1).inDoubt(waha.scheduler().instant());
    assertThat(wahaLink.remembers(part, Capabilities.FOR_GOOD)).isEqualTo(Duration.ZERO);
    Map<String, Object> text = Map.of("id", "true_x_3EB0A", "body", "look", "hasMedia", false);
    bridge.history.put(GROUP, List.of(text));
    assertThat(wahaLink.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);

    Map<String, Object> file = Map.of("id", "true_x_3EB0B", "body", "look", "hasMedia", true);
    bridge.history.put(GROUP, List.of(file, text));
    assertThat(wahaLink.reconcile(part))
        .isEqualTo(new Reconciliation.Found(new Receipt("3EB0B", true)));
    assertThat(wahaLink.send(part)).isInstanceOf(Outcome.Delivered.class);
    assertThat(bridge.requests("/api/sendImage")).isEmpty();
    assertThat(bridge.requests("/api/default/chats/").getFirst().path())
        .contains("filter.fromMe=true", "filter.timestamp.gte=");
  }

  @Test
  void an_account_that_is_not_paired_is_not_ready_and_says_what_to_do() throws Exception {
    assertThat(waha.readiness()).hasSize(1).first().asString().startsWith("not ready: ");
    bridge.status = "SCAN_QR_CODE";
    assertThat(wahaLink.probe())
        .isInstanceOfSatisfying(
            Probe.Unreachable.class, it -> assertThat(it.cause()).contains("accounts login wa"));
    assertThat(gowaLink.probe())
        .isInstanceOfSatisfying(
            Probe.Unreachable.class, it -> assertThat(it.cause()).contains("accounts login wa"));

    bridge.platform.answer(
        Reply.json(
            422, "{\"error\":\"Session status is not as expected\",\"status\":\"SCAN_QR_CODE\"}"));
    Outcome outcome = wahaLink.send(waha.part(GROUP, "x"));
    assertThat(outcome)
        .as("waits, uncharged")
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class, it -> assertThat(it.cause()).contains("accounts login wa"));
    assertThat(waha.readiness().getLast()).contains("accounts login wa");

    bridge.status = "WORKING";
    assertThat(identity(wahaLink)).startsWith("Shop 4930123456@c.us");
    assertThat(identity(gowaLink)).startsWith("4930123456@c.us");
    assertThat(waha.readiness().getLast()).isEqualTo("ready");
  }

  @Test
  void a_file_that_many_get_by_gowa_is_read_once() throws Exception {
    CountedFile file = new CountedFile("the whole file");
    for (int chat = 0; chat < 10; chat++) {
      gowaLink.send(gowa.part(GROUP, "look").carrying(List.of(file.inCustody())));
    }
    assertThat(file.reads()).hasValue(1);
    assertThat(bridge.requests("/send/file"))
        .hasSize(10)
        .allSatisfy(it -> assertThat(it.text()).contains("the whole file"));
  }

  private static String identity(Link link) throws Exception {
    return ((Probe.Healthy) link.probe()).identity();
  }

  @Test
  void a_gowa_that_only_reconnects_asks_nobody_to_pair() throws Exception {
    bridge.status = "reconnecting";
    assertThat(gowaLink.probe())
        .isInstanceOfSatisfying(
            Probe.Unreachable.class,
            it -> assertThat(it.cause()).contains("connects").doesNotContain("login"));
    assertThat(gowaLink.login(new LoginRequest(null))).isInstanceOf(LoginState.Waiting.class);
    bridge.platform.answer(
        FakeBridge.refused(
            401,
            "AUTHENTICATION_ERROR",
            "you are not connect to services server, please reconnect"));
    assertThat(gowaLink.send(gowa.part(GROUP, "x")))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class, it -> assertThat(it.cause()).doesNotContain("login"));
  }

  @Test
  void gowas_files_are_fetched_where_it_keeps_them_or_after_it_was_made_to() throws Exception {
    bridge.platform.when(
        it -> it.path().startsWith("/statics/"), Reply.text(200, "image/jpeg", "picture"));
    bridge.platform.when(
        it -> it.path().equals("/message/3EB0AA/download?phone=491701234567%40s.whatsapp.net"),
        FakeBridge.success(Map.of("file_path", "statics/media/2.jpeg")));
    InboundFiles files =
        new WhatsAppWebChannel().inboundFiles(bridge.gowa(), MediaSettings.DEFAULTS);
    for (String path : new String[] {"statics/media/1.jpeg", null}) {
      InboundMessage message =
          new InboundMessage(
              "3EB0AA",
              InboundMessage.Kind.MESSAGE,
              ANN,
              InboundMessage.ChatKind.DM,
              new InboundMessage.Sender(ANN, null),
              null,
              List.of(new InboundMessage.File("image", path, null, null, null, null)),
              "3EB0AA",
              null,
              null,
              null,
              Map.of());
      try (InboundFiles.Opened file = files.open(message, 0)) {
        assertThat(file.bytes().readAllBytes()).asString().isEqualTo("picture");
      }
    }
    assertThat(bridge.platform.requests())
        .extracting(Request::path)
        .containsSequence(
            "/statics/media/1.jpeg",
            "/message/3EB0AA/download?phone=491701234567%40s.whatsapp.net",
            "/statics/media/2.jpeg");
    assertThat(bridge.platform.requests())
        .allSatisfy(it -> assertThat(it.headers()).containsEntry("x-device-id", "org_2"));
  }
}
