package dev.postrider.channels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channels.bluebubbles.BlueBubblesChannel;
import dev.postrider.channels.discord.DiscordChannel;
import dev.postrider.channels.feishu.FeishuChannel;
import dev.postrider.channels.feishu.FeishuSigning;
import dev.postrider.channels.googlechat.GoogleChatChannel;
import dev.postrider.channels.googlechat.GoogleKeys;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.line.LineChannel;
import dev.postrider.channels.mattermost.MattermostChannel;
import dev.postrider.channels.msteams.FakeKeys;
import dev.postrider.channels.msteams.TeamsChannel;
import dev.postrider.channels.nextcloud.NextcloudChannel;
import dev.postrider.channels.slack.SlackChannel;
import dev.postrider.channels.synology.SynologyChannel;
import dev.postrider.channels.telegram.TelegramChannel;
import dev.postrider.channels.webhook.WebhookChannel;
import dev.postrider.channels.whatsapp.WhatsAppChannel;
import dev.postrider.channels.whatsappweb.WhatsAppWebChannel;
import dev.postrider.channels.zalo.ZaloChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.internal.fuzz.Fuzzing;
import dev.postrider.testkit.internal.fuzz.Noise;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * What platforms might say one day, signed as they sign it: whatever it is, it is read, or it is
 * malformed; nothing is thrown.
 */
class HookFuzzTest {
  private static final int CASES = 4_000;
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final JsonMapper JSON = new JsonMapper();

  /** Signs a body: gives the headers. */
  @FunctionalInterface
  private interface Signer {
    Map<String, String> sign(byte[] body) throws Exception;
  }

  private static Hook hook(Channel channel, String... settings) {
    AccountConfig account = AccountConfig.of("in", channel.name());
    for (int i = 0; i < settings.length; i += 2) {
      account = account.set(settings[i], settings[i + 1]);
    }
    return Objects.requireNonNull(channel.hook(account));
  }

  private static void fuzz(String name, Hook hook, Signer signer, List<String> genuine) {
    for (String each : genuine) {
      assertThat(read(hook, signer, each.getBytes(StandardCharsets.UTF_8)))
          .as("what is mutated is understood: %s", each)
          .isInstanceOf(Hook.Answer.Genuine.class);
    }
    int[] read = {0, 0};
    Fuzzing.run(
        name + "'s webhook",
        CASES,
        noise -> {
          byte[] body = body(noise, genuine);
          Hook.Answer answer = read(hook, signer, body);
          assertThat(answer).isNotInstanceOf(Hook.Answer.Forged.class);
          read[answer instanceof Hook.Answer.Genuine ? 0 : 1]++;
        });
    assertThat(read[0]).as("genuine ones").isPositive();
    assertThat(read[1]).as("malformed ones").isPositive();
  }

  private static byte[] body(Noise noise, List<String> genuine) {
    String one = noise.of(genuine);
    return switch (noise.below(10)) {
      case 0 -> noise.bytes(200);
      case 1, 2 -> noise.mutated(one.getBytes(StandardCharsets.UTF_8));
      case 3 -> noise.json().toString().getBytes(StandardCharsets.UTF_8);
      default ->
          one.startsWith("{")
              ? noise.mutated(JSON.readTree(one)).toString().getBytes(StandardCharsets.UTF_8)
              : noise.mutated(one).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static Hook.Answer read(Hook hook, Signer signer, byte[] body) {
    try {
      return hook.read(new Hook.Request("POST", signer.sign(body), Map.of(), body, NOW));
    } catch (RuntimeException | StackOverflowError e) {
      String text = new String(body, StandardCharsets.UTF_8);
      throw new AssertionError("throws " + e + " at " + text, e);
    } catch (Exception e) {
      throw new AssertionError("cannot be signed", e);
    }
  }

  private static Hook telegramHook() {
    return hook(new TelegramChannel(), "token", "1:x", "webhookSecret", "a-secret");
  }

  private static Map<String, String> telegramSecret(byte[] body) {
    assertThat(body).isNotNull();
    return Map.of("x-telegram-bot-api-secret-token", "a-secret");
  }

  // ---- what was found

  private static InboundMessage onlyArrival(Hook hook, Signer signer, String body) {
    Hook.Answer answer = read(hook, signer, body.getBytes(StandardCharsets.UTF_8));
    assertThat(answer).isInstanceOf(Hook.Answer.Genuine.class);
    return ((Hook.Answer.Genuine) answer).arrivals().getFirst();
  }

  @Test
  void a_telegram_update_from_beyond_all_time_is_read_without_its_time() {
    String update =
        "{\"update_id\":1,\"message\":{\"message_id\":5,\"date\":%s,\"from\":{\"id\":7},"
            + "\"chat\":{\"id\":7,\"type\":\"private\"},\"text\":\"x\"}}";
    for (String date : List.of("-9223372036854775808", "999999999999999", "9".repeat(40))) {
      InboundMessage arrival =
          onlyArrival(telegramHook(), HookFuzzTest::telegramSecret, update.formatted(date));
      assertThat(arrival.sentAt()).as(date).isNull();
      assertThat(arrival.text()).isEqualTo("x");
    }
  }

  @Test
  void a_telegram_chat_and_a_size_that_are_no_plain_values_stop_nothing() {
    String update =
        "{\"update_id\":1,\"message\":{\"message_id\":5,\"date\":1,\"from\":{\"id\":7},"
            + "\"chat\":{\"id\":{\"a\":1},\"type\":\"private\"},"
            + "\"document\":{\"file_id\":\"d\",\"file_size\":1e400}}}";

    assertThat(onlyArrival(telegramHook(), HookFuzzTest::telegramSecret, update).media())
        .singleElement()
        .extracting(InboundMessage.File::size)
        .isNull();
  }

  @Test
  void a_whatsapp_contact_without_a_name_stops_nothing() {
    String body =
        "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"8\","
            + "\"changes\":[{\"field\":\"messages\","
            + "\"value\":{\"metadata\":{\"phone_number_id\":\"1065\"},"
            + "\"contacts\":[{\"wa_id\":\"491\"}],\"messages\":[{\"from\":\"491\","
            + "\"id\":\"w1\",\"timestamp\":\"1\",\"type\":\"text\","
            + "\"text\":{\"body\":\"hi\"}}]}}]}]}";

    assertThat(onlyArrival(whatsAppHook(), HookFuzzTest::whatsAppSigned, body).text())
        .isEqualTo("hi");
  }

  // ---- each channel

  @Test
  void telegram() {
    fuzz(
        "telegram",
        telegramHook(),
        HookFuzzTest::telegramSecret,
        List.of(
            """
            {"update_id":1,"message":{"message_id":5,"date":1700000000,"message_thread_id":7,\
            "from":{"id":7,"first_name":"Ann","username":"ann"},
             "chat":{"id":-1001,"type":"supergroup","title":"T"},"text":"hello",\
            "entities":[{"type":"bold","offset":0,"length":5}],
             "reply_to_message":{"message_id":4,"date":1,"chat":{"id":-1001,"type":"supergroup"}}}}
            """,
            """
            {"update_id":2,"message":{"message_id":6,"date":1700000000,"from":{"id":7},\
            "chat":{"id":7,"type":"private"},"caption":"c",
             "photo":[{"file_id":"a","file_unique_id":"u","width":1,"height":1,"file_size":9}],\
            "document":{"file_id":"d","file_name":"n","mime_type":"text/plain","file_size":3}}}
            """,
            """
            {"update_id":3,"callback_query":{"id":"9","from":{"id":7,"first_name":"A"},"data":"d",\
            "message":{"message_id":5,"date":1,"chat":{"id":7,"type":"private"}}}}
            """,
            """
            {"update_id":4,"message":{"message_id":8,"date":1,"chat":{"id":-5,"type":"group"},\
            "migrate_to_chat_id":-1005}}
            """));
  }

  @Test
  void mattermost() {
    // Its time is in the body, and so is mutated too.
    Hook hook = hook(new MattermostChannel(), "webhookSecret", "a-secret", "tolerance", "9999999d");
    List<String> bodies =
        List.of(
            """
            {"token":"a-secret","team_id":"t","channel_id":"c","channel_name":"town","timestamp":\
            1700000000000,"user_id":"u","user_name":"ann","post_id":"p","text":"hi","file_ids":"f"}\
            """,
            """
            {"channel_id":"c","command":"/ask","text":"x","trigger_id":"dHJpZ2dlcg==",\
            "user_id":"u"}\
            """);
    fuzz("mattermost", hook, _ -> Map.of("authorization", "Token a-secret"), bodies);
    fuzz(
        "mattermost's form",
        hook,
        _ ->
            Map.of(
                "authorization",
                "Token a-secret",
                "content-type",
                "application/x-www-form-urlencoded"),
        List.of(
            "channel_id=c&user_id=u&post_id=p&text=a%20b&timestamp=1700000000",
            "channel_id=c&user_id=u&command=%2Fask&text=x&trigger_id=dHJpZ2dlcg%3D%3D"));
  }

  @Test
  void slack() {
    String payload =
        """
        {"type":"block_actions","trigger_id":"1.2","user":{"id":"U1","name":"ann"},\
        "channel":{"id":"C1","name":"c"},"team":{"id":"T1"},
         "message":{"ts":"1.1","thread_ts":"1.0"},"actions":[{"action_id":"a","block_id":"b",\
        "value":"v","action_ts":"1700000000.1","type":"button"}]}
        """;
    Hook hook = hook(new SlackChannel(), "token", "xoxb-1", "signingSecret", "shhh");
    List<String> events =
        List.of(
            """
            {"type":"event_callback","event_id":"Ev1","team_id":"T1","event":{"type":"message",\
            "channel":"C1","channel_type":"channel","user":"U1",
             "text":"hello","ts":"1700000000.000100","thread_ts":"1700000000.000000",\
            "files":[{"id":"F1","name":"n","mimetype":"image/png","size":3,\
            "url_private":"https://x/y"}]}}
            """,
            "{\"type\":\"url_verification\",\"challenge\":\"abc\"}");
    fuzz("slack", hook, body -> slack("application/json", body), events);
    fuzz(
        "slack's form",
        hook,
        body -> slack("application/x-www-form-urlencoded", body),
        List.of(
            "payload=" + URLEncoder.encode(payload, StandardCharsets.UTF_8),
            "command=%2Fdo&text=it&user_id=U1&user_name=ann&channel_id=C1&"
                + "channel_name=c&team_id=T1&trigger_id=1.2.3"));
  }

  private static Map<String, String> slack(String type, byte[] body) throws Exception {
    String timestamp = "" + NOW.getEpochSecond();
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", type);
    headers.put("x-slack-request-timestamp", timestamp);
    headers.put("x-slack-signature", "v0=" + hmac("shhh", concat("v0:" + timestamp + ":", body)));
    return headers;
  }

  private static byte[] concat(String head, byte[] body) {
    byte[] start = head.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    return all;
  }

  private static String hmac(String secret, byte[] body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(body));
  }

  @Test
  void discord() throws Exception {
    KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] encoded = keys.getPublic().getEncoded();
    String key =
        HexFormat.of().formatHex(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
    String timestamp = "" + NOW.getEpochSecond();
    fuzz(
        "discord",
        hook(new DiscordChannel(), "token", "x", "publicKey", key),
        body -> {
          Signature signer = Signature.getInstance("Ed25519");
          signer.initSign(keys.getPrivate());
          signer.update(timestamp.getBytes(StandardCharsets.UTF_8));
          signer.update(body);
          return Map.of(
              "x-signature-ed25519",
              HexFormat.of().formatHex(signer.sign()),
              "x-signature-timestamp",
              timestamp);
        },
        List.of(
            "{\"type\":1,\"id\":\"1\"}",
            """
            {"type":2,"id":"846462639134605312","application_id":"2","token":"t","channel_id":"3",\
            "guild_id":"4","channel":{"id":"3","type":0},
             "member":{"user":{"id":"5","username":"ann","global_name":"Ann"}},"data":{"id":"6",\
            "name":"remind","options":[{"name":"add","options":[{"name":"what","value":"milk"}]}]}}
            """,
            """
            {"type":3,"id":"846462639134605313","application_id":"2","token":"t","channel_id":"3",\
            "user":{"id":"5","username":"ann"},"channel":{"type":1},
             "data":{"custom_id":"c","component_type":3,"values":["a","b"]},"message":{"id":"9"}}
            """));
  }

  private static Hook whatsAppHook() {
    return hook(
        new WhatsAppChannel(),
        "token",
        "x",
        "appSecret",
        "appsecret",
        "verifyToken",
        "let me in",
        "phoneNumberId",
        "1065");
  }

  private static Map<String, String> whatsAppSigned(byte[] body) throws Exception {
    return Map.of("x-hub-signature-256", "sha256=" + hmac("appsecret", body));
  }

  @Test
  void line() {
    String head =
        "{\"destination\":\"U0123\",\"events\":[{\"webhookEventId\":\"01FZ74A0TDDPYRVKNK77XKC3ZR\","
            + "\"timestamp\":1700000000000,\"mode\":\"active\",\"replyToken\":\"t1\","
            + "\"deliveryContext\":{\"isRedelivery\":false},"
            + "\"source\":{\"type\":\"user\",\"userId\":\"U4af4980629000000000000000000abcd\"},";
    fuzz(
        "line",
        hook(new LineChannel(), "channelSecret", "a-secret"),
        body ->
            Map.of(
                "x-line-signature",
                Base64.getEncoder()
                    .encodeToString(
                        Hmac.sha256("a-secret".getBytes(StandardCharsets.UTF_8), body))),
        List.of(
            head
                + "\"type\":\"message\",\"message\":{\"id\":\"1\",\"type\":\"text\","
                + "\"text\":\"hi\",\"quoteToken\":\"q1\",\"quotedMessageId\":\"0\"}}]}",
            head
                + "\"type\":\"message\",\"message\":{\"id\":\"2\",\"type\":\"image\","
                + "\"contentProvider\":{\"type\":\"external\","
                + "\"originalContentUrl\":\"https://example.org/a.jpg\"}}}]}",
            head + "\"type\":\"postback\",\"postback\":{\"data\":\"a=1\"}}]}",
            head + "\"type\":\"unsend\",\"unsend\":{\"messageId\":\"1\"}}]}",
            head + "\"type\":\"unfollow\"}]}"));
  }

  @Test
  void teams() {
    String service = "https://smba.trafficmanager.net/emea/";
    String message =
        """
        {"type":"message","id":"1700000000001","timestamp":"2026-03-01T12:00:00Z",
        "channelId":"msteams","serviceUrl":"%s",
        "from":{"id":"29:ann","name":"Ann","aadObjectId":"1b4e28ba-2fa1-11d2-883f-0016d3cca427"},
        "recipient":{"id":"28:app","name":"Bot"},
        "conversation":{"id":"a:ann","conversationType":"personal","tenantId":"t-1"},
        "text":"<at>Bot</at> hi",
        "entities":[{"type":"mention","text":"<at>Bot</at>","mentioned":{"id":"28:app"}}],
        "attachments":[{"contentType":"image/*","contentUrl":"https://x.example/1"},
        {"contentType":"application/vnd.microsoft.teams.file.download.info","name":"a.pdf",
        "content":{"downloadUrl":"https://x.example/2","uniqueId":"1"}}]}
        """
            .formatted(service);
    String update =
        """
        {"type":"conversationUpdate","id":"f:1","channelId":"msteams","serviceUrl":"%s",
        "from":{"id":"29:ann"},"recipient":{"id":"28:app"},"membersRemoved":[{"id":"28:app"}],
        "conversation":{"id":"19:x@thread.tacv2;messageid=1","conversationType":"channel"},
        "channelData":{"tenant":{"id":"t-1"}}}
        """
            .formatted(service);
    String reaction =
        """
        {"type":"messageReaction","id":"f:2","channelId":"msteams","serviceUrl":"%s",
        "from":{"id":"29:ann"},"recipient":{"id":"28:app"},"replyToId":"1",
        "reactionsAdded":[{"type":"like"}],
        "conversation":{"id":"19:x@thread.v2","conversationType":"groupChat"}}
        """
            .formatted(service);
    try (FakeKeys keys = new FakeKeys()) {
      Map<String, String> tokens = new HashMap<>();
      fuzz(
          "Teams",
          hook(
              new TeamsChannel(),
              "appId",
              "app",
              "appPassword",
              "a-secret",
              "openIdUrl",
              keys.address()),
          body ->
              Map.of(
                  "authorization",
                  "Bearer "
                      + tokens.computeIfAbsent(
                          teamsService(body),
                          named -> FakeKeys.token(FakeKeys.claims("app", named, NOW)))),
          List.of(message, update, reaction));
    }
  }

  /** What the activity names, so that the token names it too. */
  private static String teamsService(byte[] body) {
    try {
      return JSON.readTree(new String(body, StandardCharsets.UTF_8))
          .path("serviceUrl")
          .asString("");
    } catch (tools.jackson.core.JacksonException e) {
      return "";
    }
  }

  @Test
  void whatsapp() {
    String head =
        "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"8\","
            + "\"changes\":[{\"field\":\"messages\","
            + "\"value\":{\"messaging_product\":\"whatsapp\","
            + "\"metadata\":{\"display_phone_number\":\"4917\","
            + "\"phone_number_id\":\"1065\"},\"contacts\":[{\"profile\":{\"name\":\"A\"},"
            + "\"wa_id\":\"491\"}],";
    fuzz(
        "whatsapp",
        whatsAppHook(),
        HookFuzzTest::whatsAppSigned,
        List.of(
            head
                + "\"messages\":[{\"from\":\"491\",\"id\":\"w1\","
                + "\"timestamp\":\"1700000000\",\"type\":\"text\","
                + "\"text\":{\"body\":\"hi\"},\"context\":{\"id\":\"w0\"}}]}}]}]}",
            head
                + "\"messages\":[{\"from\":\"491\",\"id\":\"w2\","
                + "\"timestamp\":\"1700000000\",\"type\":\"image\","
                + "\"image\":{\"id\":\"9\",\"mime_type\":\"image/png\","
                + "\"caption\":\"c\"}}]}}]}]}",
            head
                + "\"statuses\":[{\"id\":\"w3\",\"status\":\"failed\","
                + "\"timestamp\":\"1700000000\",\"recipient_id\":\"491\","
                + "\"errors\":[{\"code\":131047,\"title\":\"t\"}]}]}}]}]}"));
  }

  /** Signed by Feishu and encrypted, whatever is in it. */
  private static Hook feishuHook() {
    Hook hook = hook(new FeishuChannel(), "encryptKey", "a-secret");
    return request -> {
      byte[] body = FeishuSigning.encrypted(request.text(), "a-secret").getBytes(UTF_8);
      return hook.read(
          new Hook.Request(
              "POST", FeishuSigning.signed(body, "a-secret", NOW), Map.of(), body, NOW));
    };
  }

  @Test
  void feishu() {
    String head =
        "{\"schema\":\"2.0\",\"header\":{\"event_id\":\"e1\",\"create_time\":\"1700000000000\","
            + "\"token\":\"t\",\"event_type\":\"im.";
    String message =
        "message.receive_v1\"},\"event\":{\"sender\":{\"sender_type\":\"user\","
            + "\"sender_id\":{\"open_id\":\"ou_1\"}},\"message\":{\"message_id\":\"om_1\","
            + "\"chat_id\":\"oc_1\",\"chat_type\":\"p2p\",\"create_time\":\"1700000000000\",";
    fuzz(
        "feishu",
        feishuHook(),
        _ -> Map.of(),
        List.of(
            head
                + message
                + "\"message_type\":\"text\",\"content\":\"{\\\"text\\\":\\\"@_user_1 hi\\\"}\","
                + "\"mentions\":[{\"key\":\"@_user_1\",\"name\":\"Ann\"}]}}}",
            head
                + message
                + "\"message_type\":\"post\",\"content\":\"{\\\"content\\\":[[{\\\"tag\\\":"
                + "\\\"img\\\",\\\"image_key\\\":\\\"i\\\"}]]}\"}}}",
            head
                + "message.message_read_v1\"},\"event\":{\"reader\":{\"read_time\":"
                + "\"1700000000000\"},\"message_id_list\":[\"om_1\"]}}",
            head + "chat.member.bot.added_v1\"},\"event\":{\"chat_id\":\"oc_1\"}}"));
  }

  @Test
  void synology_chat() {
    Hook bot = hook(new SynologyChannel(), "token", "b0t", "tolerance", "9999999d");
    fuzz(
        "synology-chat",
        request -> // its token is in the body, which keeps it however it was mutated
        bot.read(
                new Hook.Request(
                    request.method(),
                    request.headers(),
                    request.query(),
                    concat("token=b0t&", request.body()),
                    request.receivedAt())),
        _ -> Map.of(),
        List.of(
            "user_id=1&username=Ann+Lee&post_id=146028888233&thread_id=0"
                + "&timestamp=1700000000000&text=Gr%C3%BC%C3%9Fe&channel_id=3",
            "user_id=1&username=ann&text=%2Fdeploy+now"));
  }

  @Test
  void bluebubbles() {
    Hook mac = hook(new BlueBubblesChannel(), "webhookSecret", "s3cret");
    String message =
        "{\"originalROWID\":7,\"guid\":\"G-7\",\"text\":\"hi\",\"isFromMe\":false,\"error\":0,"
            + "\"handle\":{\"address\":\"+491701234567\"},\"dateCreated\":1700000000000,"
            + "\"dateEdited\":1700000060000,\"attachments\":[{\"guid\":\"a\",\"totalBytes\":4}],"
            + "\"chats\":[{\"guid\":\"any;-;+491701234567\"}]}";
    fuzz(
        "bluebubbles",
        mac,
        _ -> Map.of("authorization", "Bearer s3cret"),
        List.of(
            "{\"type\":\"new-message\",\"data\":" + message + "}",
            "{\"type\":\"message-send-error\",\"data\":" + message + "}",
            "{\"type\":\"updated-message\",\"data\":"
                + message.replace("false", "true").replace("dateEdited", "dateRead")
                + "}"));
  }

  @Test
  void nextcloud_talk() {
    String actor =
        "\"actor\":{\"type\":\"Person\",\"id\":\"users/ann\",\"name\":\"Ann\"},"
            + "\"target\":{\"id\":\"n3xtc10ud\",\"name\":\"world\"},"
            + "\"published\":\"2023-11-14T22:13:20+00:00\",";
    String note =
        "\"object\":{\"type\":\"Note\",\"id\":\"1567\",\"name\":\"message\",\"content\":"
            + "\"{\\\"message\\\":\\\"hi {mention-user1} {file}\\\",\\\"parameters\\\":"
            + "{\\\"mention-user1\\\":{\\\"type\\\":\\\"user\\\",\\\"name\\\":\\\"B\\\"},"
            + "\\\"file\\\":{\\\"type\\\":\\\"file\\\",\\\"id\\\":7,\\\"size\\\":9}}}\","
            + "\"inReplyTo\":{\"object\":{\"id\":\"15\"}},\"threadId\":7}";
    fuzz(
        "nextcloud-talk", // its time is in the body, and so is mutated too
        hook(new NextcloudChannel(), "secret", "a-secret", "tolerance", "9999999d"),
        body -> {
          String random = "r".repeat(64);
          return Map.of(
              "x-nextcloud-talk-random",
              random,
              "x-nextcloud-talk-signature",
              hmac("a-secret", concat(random, body)));
        },
        List.of(
            "{\"type\":\"Create\"," + actor + note + "}",
            "{\"type\":\"Like\"," + actor + note + ",\"content\":\"👍\"}",
            "{\"type\":\"Undo\"," + actor + "\"object\":{" + note + ",\"content\":\"👍\"}}",
            "{\"type\":\"Leave\",\"actor\":{\"id\":\"bots/b\"},"
                + "\"object\":{\"id\":\"n3xtc10ud\"}}"));
  }

  @Test
  void googlechat() {
    try (FakePlatform google = FakePlatform.start()) {
      google.otherwise(_ -> Reply.json(200, GoogleKeys.publishedByGoogle()));
      String token = GoogleKeys.eventToken("1065", NOW.getEpochSecond() + 3600);
      fuzz(
          "googlechat",
          hook(new GoogleChatChannel(), "projectNumber", "1065", "keysUrl", google.baseUrl()),
          _ -> Map.of("authorization", "Bearer " + token),
          List.of(
              """
              {"type":"MESSAGE","eventTime":"2026-03-01T11:00:00.1Z","user":{"name":"users/1",\
              "displayName":"Ann","type":"HUMAN"},"space":{"name":"spaces/A","type":"ROOM"},\
              "message":{"name":"spaces/A/messages/B.C","text":"hi","threadReply":true,\
              "sender":{"name":"users/1","type":"HUMAN"},"createTime":"2026-03-01T11:00:00Z",\
              "thread":{"name":"spaces/A/threads/B"},"attachment":[{"contentName":"a.png",\
              "contentType":"image/png","attachmentDataRef":{"resourceName":"Cl"}}]}}
              """,
              """
              {"chat":{"eventTime":"2026-03-01T11:00:00Z","user":{"name":"users/1"},\
              "buttonClickedPayload":{"space":{"name":"spaces/A","singleUserBotDm":true},\
              "message":{"name":"spaces/A/messages/B.C"}}},\
              "commonEventObject":{"parameters":{"__action_method_name__":"go"}}}
              """));
    }
  }

  @Test
  void webhook() {
    fuzz(
        "webhook",
        hook(new WebhookChannel(), "url", "https://example.org/", "webhookSecret", SECRET),
        body -> {
          String timestamp = "" + NOW.getEpochSecond();
          byte[] key = Base64.getDecoder().decode(SECRET.substring(6));
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(new SecretKeySpec(key, "HmacSHA256"));
          String signature =
              Base64.getEncoder()
                  .encodeToString(mac.doFinal(concat("msg_1." + timestamp + ".", body)));
          return Map.of(
              "webhook-id",
              "msg_1",
              "webhook-timestamp",
              timestamp,
              "webhook-signature",
              "v1," + signature);
        },
        List.of(
            "{\"type\":\"message.sent\",\"data\":{\"id\":\"m_1\",\"text\":\"hello\"}}",
            """
            {"chat":"c","chatKind":"group","text":"hi","sender":{"id":"7","name":"Ann"},\
            "threadId":"t","replyToId":"r","media":[{"kind":"image","url":"https://x/y.png",\
            "mimeType":"image/png","size":3}]}
            """));
  }

  @Test
  void a_bot_of_zalo() {
    Hook bot = hook(new ZaloChannel(), "token", "1:x", "webhookSecret", "a-secret");
    fuzz(
        "zalo bot",
        request -> // its time is in the body, and so is mutated too
        bot.read(request) instanceof Hook.Answer.Forged(String cause) && cause.contains("older")
                ? new Hook.Answer.Malformed(cause)
                : bot.read(request),
        _ -> Map.of("x-bot-api-secret-token", "a-secret"),
        List.of(
            """
            {"event_name":"message.text.received","message":{"message_id":"2d","text":"hi",
             "chat":{"id":"6e","chat_type":"PRIVATE"},"date":1700000000000,
             "from":{"id":"6e","display_name":"An","is_bot":false}}}
            """,
            """
            {"ok":true,"result":{"event_name":"message.sticker.received","message":
             {"message_id":"2e","sticker":"e9","url":"https://z/s","chat":{"id":"6e"},
              "from":{"id":"6e","name":"An"},"date":1700000000000}}}
            """));
  }

  @Test
  void an_official_account_of_zalo() {
    fuzz(
        "zalo OA",
        hook(new ZaloChannel(), "appId", "36", "oaSecretKey", "a-key"),
        body -> {
          MessageDigest digest = MessageDigest.getInstance("SHA-256");
          digest.update("36".getBytes(StandardCharsets.UTF_8));
          digest.update(body);
          digest.update("1700000000000a-key".getBytes(StandardCharsets.UTF_8));
          return Map.of(
              "x-zevent-timestamp",
              "1700000000000",
              "x-zevent-signature",
              "mac=" + HexFormat.of().formatHex(digest.digest()));
        },
        List.of(
            """
            {"app_id":"36","sender":{"id":"24"},"recipient":{"id":"38"},
             "event_name":"user_send_file","timestamp":"1700000000000","message":{"msg_id":"96",
             "text":"x","attachments":[{"type":"file","payload":
             {"url":"https://z/f","name":"a.pdf","size":"12"}}]}}
            """,
            """
            {"app_id":"36","sender":{"id":"24"},"recipient":{"id":"38"},
             "event_name":"user_send_location","timestamp":"1700000000000","message":{"msg_id":"9",
             "attachments":[{"type":"location","payload":
             {"coordinates":{"latitude":"1","longitude":"2"}}}]}}
            """,
            """
            {"app_id":"36","sender":{"id":"24"},"recipient":{"id":"38"},
             "event_name":"user_seen_message","timestamp":"1700000000000",
             "message":{"msg_ids":["96","97"]}}
            """,
            """
            {"app_id":"36","oa_id":"38","follower":{"id":"24"},"event_name":"follow",
             "source":"oa_profile","timestamp":"1700000000000"}
            """));
  }

  @Test
  void waha() {
    fuzz(
        "waha",
        hook(new WhatsAppWebChannel(), "webhookSecret", "a-secret"),
        body ->
            Map.of(
                "x-webhook-hmac",
                HexFormat.of()
                    .formatHex(Hmac.sha512("a-secret".getBytes(StandardCharsets.UTF_8), body))),
        List.of(
            """
            {"id":"evt_1","event":"message","session":"default","payload":{"id":
             "false_4917@lid_A","timestamp":1700000000,"from":"4917@lid","fromMe":false,"body":"x",
             "media":{"url":"https://w/api/files/a.jpg","mimetype":"image/jpeg"},
             "replyTo":{"id":"B"},"_data":{"key":{"remoteJidAlt":"4917@s.whatsapp.net"}}}}
            """,
            """
            {"id":"evt_2","event":"message.ack","session":"default","payload":{"id":
             "true_4917@c.us_A","fromMe":true,"ack":-1,"error":{"code":463,"until":1}}}
            """,
            """
            {"id":"evt_3","event":"message.reaction","session":"default","payload":{"id":
             "false_1@g.us_A_2@lid","from":"1@g.us","participant":"2@lid","timestamp":1.5,
             "reaction":{"text":"x","messageId":"y"}}}
            """));
  }

  @Test
  void gowa() {
    fuzz(
        "gowa",
        hook(new WhatsAppWebChannel(), "bridge", "gowa", "webhookSecret", "a-secret"),
        body ->
            Map.of(
                "x-hub-signature-256",
                "sha256="
                    + HexFormat.of()
                        .formatHex(Hmac.sha256("a-secret".getBytes(StandardCharsets.UTF_8), body))),
        List.of(
            """
            {"event":"message","device_id":"1@s.whatsapp.net","payload":{"id":"A","chat_id":
             "4917@s.whatsapp.net","from":"4917@s.whatsapp.net","from_lid":"5@lid","timestamp":
             "2023-10-15T10:30:00Z","body":"x","document":{"path":"statics/a","filename":"a"}}}
            """,
            """
            {"event":"message.ack","timestamp":"2023-10-15T10:30:00Z","payload":{"ids":["A"],
             "chat_id":"1@g.us","receipt_type":"delivered"}}
            """));
  }
}
