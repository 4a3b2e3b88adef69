package dev.postrider.channels.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhatsAppHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Hook hook =
      hook(
          AccountConfig.of("wa", "whatsapp")
              .set("appSecret", "appsecret")
              .set("verifyToken", "let me in")
              .set("phoneNumberId", "1065"));

  private static Hook hook(AccountConfig account) {
    return Objects.requireNonNull(new WhatsAppChannel().hook(account));
  }

  private Answer post(byte[] body, Map<String, String> headers) {
    return hook.read(new Hook.Request("POST", headers, Map.of(), body, NOW));
  }

  private Answer post(String body) throws Exception {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("appsecret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signature = "sha256=" + HexFormat.of().formatHex(mac.doFinal(bytes));
    return post(bytes, Map.of("x-hub-signature-256", signature));
  }

  private static String change(String content) {
    return """
        {"field":"messages","value":{"messaging_product":"whatsapp",
         "metadata":{"display_phone_number":"4917","phone_number_id":"1065"},
         "contacts":[{"profile":{"name":"Änne"},"wa_id":"491"}],%s}}"""
        .formatted(content);
  }

  private static String payload(String... changes) {
    return "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"8\",\"changes\":["
        + String.join(",", changes)
        + "]}]}";
  }

  private InboundMessage arrival(String message) throws Exception {
    Answer.Genuine genuine =
        (Answer.Genuine) post(payload(change("\"messages\":[" + message.replace('\'', '"') + "]")));
    assertThat(genuine.arrivals()).hasSize(1);
    return genuine.arrivals().getFirst();
  }

  private List<DeliveryReport> reports(String statuses) throws Exception {
    return ((Answer.Genuine)
            post(payload(change("\"statuses\":[" + statuses.replace('\'', '"') + "]"))))
        .reports();
  }

  // ---- who speaks

  @Test
  void a_signature_another_library_made_is_accepted_and_a_changed_byte_is_not() {
    String body = "{\"type\":\"message.sent\",\"data\":{\"id\":\"m_1\",\"text\":\"héllo 🌍\"}}";
    Map<String, String> headers =
        Map.of(
            "x-hub-signature-256",
            "sha256=2b93ae9ec4aa448bbfe052f5da9e148cb449eec3e62dbbc37da4ed3b31cc4afe");
    assertThat(post(body.getBytes(StandardCharsets.UTF_8), headers))
        .isInstanceOf(Answer.Malformed.class); // genuine, though nothing WhatsApp says
    assertThat(post(body.replace("m_1", "m_2").getBytes(StandardCharsets.UTF_8), headers))
        .isInstanceOf(Answer.Forged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha256=", "sha256=00", "sha1=00", "x"})
  void a_missing_or_wrong_signature_is_forged(String signature) {
    byte[] body = payload().getBytes(StandardCharsets.UTF_8);
    assertThat(post(body, Map.of("x-hub-signature-256", signature)))
        .isInstanceOf(Answer.Forged.class);
    assertThat(post(body, Map.of())).isInstanceOf(Answer.Forged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "[]", "{}", "{\"entry\":{}}", "{\"entry\":[", "null"})
  void what_is_no_notification_is_malformed(String body) throws Exception {
    assertThat(post(body)).isInstanceOf(Answer.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"entry\":[null,1,{\"changes\":[{\"value\":7},{}]}]}",
        "{\"entry\":[{\"changes\":[{\"value\":{\"metadata\":{\"phone_number_id\":\"1065\"},"
            + "\"messages\":[1,{},{\"id\":{}}],\"statuses\":[null,{\"status\":\"sent\"}]}}]}]}"
      })
  void strange_shapes_say_nothing_and_break_nothing(String body) throws Exception {
    assertThat(post(body)).isEqualTo(Answer.Genuine.of(List.of()));
  }

  @Test
  void more_than_meta_sends_is_not_even_looked_at() {
    assertThat(post(new byte[(3 << 20) + 1], Map.of())).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void the_secret_has_two_names_and_without_it_there_is_no_webhook() {
    AccountConfig account = AccountConfig.of("wa", "whatsapp");
    assertThat(new WhatsAppChannel().hook(account)).isNull();
    assertThat(new WhatsAppChannel().hook(account.set("webhookSecret", "x"))).isNotNull();
  }

  // ---- the handshake

  private Answer handshake(Map<String, String> query) {
    return hook.read(new Hook.Request("GET", Map.of(), query, new byte[0], NOW));
  }

  @Test
  void a_handshake_with_our_token_gets_its_challenge_back() {
    Answer.Genuine answer =
        (Answer.Genuine)
            handshake(
                Map.of(
                    "hub.mode",
                    "subscribe",
                    "hub.verify_token",
                    "let me in",
                    "hub.challenge",
                    "1158201444"));
    assertThat(answer.reply().status()).isEqualTo(200);
    assertThat(answer.reply().contentType()).isEqualTo("text/plain");
    assertThat(answer.reply().body()).asString(StandardCharsets.UTF_8).isEqualTo("1158201444");
  }

  @Test
  void a_handshake_with_another_token_gets_nothing() {
    Map<String, String> wrong =
        Map.of("hub.mode", "subscribe", "hub.verify_token", "x", "hub.challenge", "1");
    assertThat(handshake(wrong)).isInstanceOf(Answer.Forged.class);
    assertThat(handshake(Map.of())).isInstanceOf(Answer.Forged.class);
    assertThat(handshake(Map.of("hub.verify_token", "let me in")))
        .isInstanceOf(Answer.Malformed.class);
    Hook without = hook(AccountConfig.of("wa", "whatsapp").set("appSecret", "appsecret"));
    assertThat(
            without.read(
                new Hook.Request(
                    "GET", Map.of(), Map.of("hub.verify_token", ""), new byte[0], NOW)))
        .isInstanceOf(Answer.Forged.class);
  }

  // ---- what users say

  @Test
  void a_text_is_a_message_from_one_person() throws Exception {
    String message =
        "{'from':'491','id':'wamid.A','timestamp':'1772366400','type':'text',"
            + "'text':{'body':'Grüße'},'context':{'from':'4917','id':'wamid.Q'}}";
    assertThat(arrival(message))
        .isEqualTo(
            new InboundMessage(
                "wamid.A",
                InboundMessage.Kind.MESSAGE,
                "491",
                InboundMessage.ChatKind.DM,
                new InboundMessage.Sender("491", "Änne"),
                "Grüße",
                List.of(),
                "wamid.A",
                "wamid.Q",
                null,
                NOW,
                Json.map(Objects.requireNonNull(Json.readObject(message.replace('\'', '"'))))));
  }

  @Test
  void a_message_in_a_group_is_answered_there() throws Exception {
    InboundMessage arrival =
        arrival("{'from':'492','group_id':'Y2Fw','id':'w','type':'text','text':{'body':'x'}}");
    assertThat(arrival.chat()).isEqualTo("Y2Fw");
    assertThat(arrival.chatKind()).isEqualTo(InboundMessage.ChatKind.GROUP);
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("492", null));
    assertThat(arrival.sentAt()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'type':'image','image':{'caption':'c','mime_type':'image/jpeg','id':'7'}|image|c",
        "'type':'video','video':{'mime_type':'video/mp4','id':'7'}|video|",
        "'type':'audio','audio':{'mime_type':'audio/ogg','id':'7','voice':true}|voice|",
        "'type':'audio','audio':{'mime_type':'audio/mpeg','id':'7','voice':false}|audio|",
        "'type':'document','document':{'filename':'f','caption':'c','id':'7'}|document|c",
        "'type':'sticker','sticker':{'mime_type':'image/webp','id':'7','animated':true}|image|"
      })
  void a_file_comes_with_what_meta_calls_it(String content, String kind, String text)
      throws Exception {
    InboundMessage arrival = arrival("{'from':'491','id':'w','timestamp':'1'," + content + "}");
    assertThat(arrival.kind()).isEqualTo(InboundMessage.Kind.MESSAGE);
    assertThat(arrival.text()).isEqualTo(text);
    assertThat(arrival.media())
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.kind()).isEqualTo(kind);
              assertThat(file.id()).isEqualTo("7");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'type':'button','button':{'payload':'p','text':'Yes'}|ACTION|Yes",
        "'type':'interactive','interactive':{'type':'button_reply','button_reply':"
            + "{'id':'y','title':'Yes'}}|ACTION|Yes",
        "'type':'interactive','interactive':{'type':'list_reply','list_reply':"
            + "{'id':'1','title':'One','description':'d'}}|ACTION|One",
        "'type':'interactive','interactive':{'type':'nfm_reply','nfm_reply':{'name':'flow'}}"
            + "|ACTION|",
        "'type':'location','location':{'latitude':1.5,'longitude':2}|MESSAGE|",
        "'type':'contacts','contacts':[{'name':{'formatted_name':'B'}}]|MESSAGE|",
        "'type':'unsupported','errors':[{'code':131051}]|OTHER|",
        "'type':'system','system':{'body':'changed number'}|OTHER|",
        "'type':'order','order':{'catalog_id':'1'}|OTHER|"
      })
  void everything_else_is_told_by_its_kind_and_kept(String content, String kind, String text)
      throws Exception {
    InboundMessage arrival = arrival("{'from':'491','id':'w','timestamp':'1'," + content + "}");
    assertThat(arrival.kind()).hasToString(kind);
    assertThat(arrival.text()).isEqualTo(text);
    assertThat(arrival.media()).isEmpty();
    assertThat(arrival.raw()).containsKey("type");
  }

  @Test
  void a_reaction_is_about_a_message_and_an_empty_one_takes_it_back() throws Exception {
    String reaction = "{'from':'491','id':'w','type':'reaction','reaction':{'message_id':'m'%s}}";
    InboundMessage given = arrival(reaction.formatted(",'emoji':'👍'"));
    assertThat(given.kind()).isEqualTo(InboundMessage.Kind.REACTION);
    assertThat(given.text()).isEqualTo("👍");
    assertThat(given.messageId()).isEqualTo("m");
    assertThat(arrival(reaction.formatted("")).text()).isNull();
  }

  @Test
  void a_batch_is_read_whole_but_for_what_concerns_other_numbers() throws Exception {
    String one =
        change("\"messages\":[{\"from\":\"1\",\"id\":\"a\"},{\"from\":\"2\",\"id\":\"b\"}]");
    String two = change("\"statuses\":[{\"id\":\"x\",\"status\":\"read\",\"timestamp\":\"1\"}]");
    String other = change("\"messages\":[{\"from\":\"3\",\"id\":\"c\"}]").replace("1065", "9999");
    Answer.Genuine answer = (Answer.Genuine) post(payload(one, other, two));
    assertThat(answer.arrivals()).extracting(InboundMessage::platformId).containsExactly("a", "b");
    assertThat(answer.reports()).extracting(DeliveryReport::receipt).containsExactly("x");
  }

  // ---- what happened to ours

  @ParameterizedTest
  @CsvSource({"sent,SENT", "delivered,DELIVERED", "read,READ", "played,READ"})
  void a_status_is_a_report(String status, DeliveryReport.State state) throws Exception {
    assertThat(
            reports(
                "{'id':'wamid.A','status':'"
                    + status
                    + "','timestamp':'1772366400','recipient_id':'491'}"))
        .containsExactly(new DeliveryReport("wamid.A", state, NOW, null));
  }

  @Test
  void a_failure_says_why() throws Exception {
    assertThat(
            reports(
                "{'id':'wamid.A','status':'failed','timestamp':'1772366400',"
                    + "'errors':[{'code':131047,"
                    + "'title':'Re-engagement message','error_data':{'details':'More"
                    + " than 24 hours'}}]}"))
        .containsExactly(
            new DeliveryReport(
                "wamid.A",
                DeliveryReport.State.FAILED,
                NOW,
                "131047 Re-engagement message: More than 24 hours",
                true));
  }

  @Test
  void a_failure_that_may_pass_is_told_from_one_that_will_not() throws Exception {
    for (int code : new int[] {131000, 131016, 130429, 131026, 131047, 132000}) {
      assertThat(
              reports(
                  "{'id':'wamid.A','status':'failed','timestamp':'1772366400',"
                      + "'errors':[{'code':%d,'title':'x'}]}".formatted(code)))
          .singleElement()
          .satisfies(
              report -> assertThat(report.permanent()).as("%d", code).isEqualTo(code >= 131026));
    }
  }

  @Test
  void a_status_nobody_knows_is_left_out() throws Exception {
    assertThat(reports("{'id':'a','status':'warning','timestamp':'1'}")).isEmpty();
  }
}
