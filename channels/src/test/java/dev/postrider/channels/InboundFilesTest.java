package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.channels.bluebubbles.BlueBubblesChannel;
import dev.postrider.channels.discord.DiscordChannel;
import dev.postrider.channels.googlechat.GoogleChatChannel;
import dev.postrider.channels.googlechat.GoogleKeys;
import dev.postrider.channels.imessage.IMessageChannel;
import dev.postrider.channels.line.LineChannel;
import dev.postrider.channels.matrix.MatrixChannel;
import dev.postrider.channels.mattermost.MattermostChannel;
import dev.postrider.channels.nextcloud.NextcloudChannel;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.channels.slack.SlackChannel;
import dev.postrider.channels.telegram.TelegramChannel;
import dev.postrider.channels.tlon.TlonChannel;
import dev.postrider.channels.webhook.WebhookChannel;
import dev.postrider.channels.whatsapp.WhatsAppChannel;
import dev.postrider.channels.whatsappweb.WhatsAppWebChannel;
import dev.postrider.channels.xmpp.XmppChannel;
import dev.postrider.channels.zalo.ZaloChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How each channel gets the files of inbound messages, and whom it shows its token. */
class InboundFilesTest {
  private static final String TOKEN = "12345:s3cret-of-ours";
  private static final String BYTES = "bytes of a file";

  private final FakePlatform platform = FakePlatform.start();
  private final FakePlatform stranger = FakePlatform.start();

  @AfterEach
  void stop() {
    platform.close();
    stranger.close();
  }

  private void on(FakePlatform where, String path, Function<Request, Reply> reply) {
    where.when(request -> request.path().equals(path), reply);
  }

  private void gives(FakePlatform where, String path) {
    on(where, path, _ -> Reply.text(200, "application/pdf", BYTES));
  }

  private static InboundMessage message(@Nullable String id, @Nullable String url) {
    return new InboundMessage(
        "1",
        InboundMessage.Kind.MESSAGE,
        "42",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("42", null),
        null,
        List.of(new InboundMessage.File("document", id, url, "a.pdf", "application/pdf", null)),
        null,
        null,
        null,
        null,
        Map.of());
  }

  private InboundFiles files(Channel channel) {
    return files(channel, true);
  }

  private InboundFiles files(Channel channel, boolean reachable) {
    MediaSettings usual = MediaSettings.DEFAULTS;
    MediaSettings media =
        new MediaSettings(
            usual.largest(),
            usual.keepUnused(),
            Duration.ofSeconds(10),
            usual.maxRedirects(),
            reachable ? List.of(Network.parse("127.0.0.0/8")) : List.of());
    AccountConfig account =
        AccountConfig.of("a", channel.name())
            .set("token", TOKEN)
            .set("apiKey", TOKEN)
            .set("phoneNumberId", "77")
            .set("serviceAccount", GoogleKeys.file(platform.baseUrl() + "/token"))
            .set("baseUrl", platform.baseUrl())
            .set("timeout", "5m");
    InboundFiles files = channel.inboundFiles(account, media);
    assertThat(files).isNotNull();
    return files;
  }

  private static String read(InboundFiles files, @Nullable String id, @Nullable String url)
      throws IOException {
    try (InboundFiles.Opened file = files.open(message(id, url), 0)) {
      return new String(file.bytes().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertUnavailable(
      Unavailable.Why why, InboundFiles files, @Nullable String id, @Nullable String url) {
    assertThatThrownBy(() -> read(files, id, url))
        .isInstanceOfSatisfying(
            Unavailable.class,
            e -> {
              assertThat(e.why()).as(e.getMessage()).isEqualTo(why);
              assertThat(e.getMessage()).doesNotContain("s3cret-of-ours");
            });
  }

  private void assertThatNoSecretWentTo(FakePlatform where) {
    assertThat(where.requests())
        .allSatisfy(
            request ->
                assertThat(request.headers() + request.path()).doesNotContain("s3cret-of-ours"));
  }

  // ---- Telegram

  @Test
  void telegram_is_asked_where_the_file_is() throws Exception {
    on(
        platform,
        "/bot" + TOKEN + "/getFile",
        request -> {
          assertThat(request.text()).isEqualTo("{\"file_id\":\"F\"}");
          return Reply.json(200, "{\"ok\":true,\"result\":{\"file_path\":\"photos/file_0.jpg\"}}");
        });
    gives(platform, "/file/bot" + TOKEN + "/photos/file_0.jpg");

    assertThat(read(files(new TelegramChannel()), "F", null)).isEqualTo(BYTES);
  }

  @Test
  void telegrams_refusals_are_told_apart() {
    InboundFiles files = files(new TelegramChannel());
    platform.otherwise(
        _ -> Reply.json(400, "{\"ok\":false,\"description\":\"Bad Request: file is too big\"}"));
    assertUnavailable(Unavailable.Why.REFUSED, files, "F", null);
    platform.otherwise(
        _ -> Reply.json(400, "{\"ok\":false,\"description\":\"Bad Request: wrong file_id\"}"));
    assertUnavailable(Unavailable.Why.GONE, files, "F", null);
    platform.otherwise(_ -> Reply.json(502, "{}"));
    assertUnavailable(Unavailable.Why.UNREACHABLE, files, "F", null);
    for (String path : List.of("/var/lib/file", "../../etc/passwd", "a/../../b", "x?y", "")) {
      platform.otherwise(
          _ -> Reply.json(200, "{\"ok\":true,\"result\":{\"file_path\":\"%s\"}}".formatted(path)));
      assertUnavailable(Unavailable.Why.REFUSED, files, "F", null);
    }
  }

  // ---- Mattermost

  @Test
  void mattermost_is_asked_by_the_files_id_with_the_token() throws Exception {
    String id = "4xp9fdt5k3r9mybkdyrgi4ntnc";
    gives(platform, "/api/v4/files/" + id);
    gives(stranger, "/a.pdf");
    InboundFiles files = files(new MattermostChannel());

    assertThat(read(files, id, null)).isEqualTo(BYTES);
    assertThat(platform.onlyRequest().headers()).containsEntry("authorization", "Bearer " + TOKEN);
    assertThat(read(files, id, stranger.baseUrl() + "/a.pdf"))
        .as("whatever address somebody has named")
        .isEqualTo(BYTES);
    assertThat(stranger.requests()).isEmpty();
    assertUnavailable(Unavailable.Why.GONE, files, null, stranger.baseUrl() + "/a.pdf");
    assertUnavailable(Unavailable.Why.GONE, files, "../../users/me", null);
  }

  @Test
  void a_mattermost_webhook_can_fetch_nothing() {
    AccountConfig account =
        AccountConfig.of("a", "mattermost").set("webhookUrl", platform.baseUrl() + "/hooks/x");
    InboundFiles files = new MattermostChannel().inboundFiles(account, MediaSettings.DEFAULTS);

    assertUnavailable(Unavailable.Why.REFUSED, files, "4xp9fdt5k3r9mybkdyrgi4ntnc", null);
    assertThat(platform.requests()).isEmpty();
  }

  // ---- BlueBubbles

  @Test
  void a_mac_is_asked_by_the_files_guid_with_the_password_whatever_address_was_named()
      throws Exception {
    gives(
        platform,
        "/api/v1/attachment/at_0_A%2FB/download?original=true&password=12345%3As3cret-of-ours");
    AccountConfig account =
        AccountConfig.of("a", "bluebubbles")
            .set("baseUrl", platform.baseUrl())
            .set("password", TOKEN);
    InboundFiles files = new BlueBubblesChannel().inboundFiles(account, MediaSettings.DEFAULTS);

    assertThat(read(files, "at_0_A/B", stranger.baseUrl() + "/a.pdf")).isEqualTo(BYTES);
    assertThat(stranger.requests()).isEmpty();
    assertUnavailable(Unavailable.Why.GONE, files, null, stranger.baseUrl() + "/a.pdf");
  }

  // ---- iMessage

  @Test
  void files_of_imessage_are_opened_where_messages_keeps_them_and_nowhere_else(@TempDir Path mac)
      throws Exception {
    Path kept = Files.createDirectories(mac.resolve("Attachments/a/b"));
    Path picture = Files.writeString(kept.resolve("IMG.heic"), BYTES);
    Path secret = Files.writeString(mac.resolve("id_rsa"), "a secret");
    Path link = Files.createSymbolicLink(kept.resolve("link.heic"), secret);
    InboundFiles files =
        new IMessageChannel()
            .inboundFiles(
                AccountConfig.of("a", "imessage")
                    .set("attachments", mac.resolve("Attachments").toString()),
                MediaSettings.DEFAULTS);

    assertThat(read(files, picture.toString(), null)).isEqualTo(BYTES);
    for (Path other : List.of(secret, link, kept, kept.resolve("../../../id_rsa"))) {
      assertUnavailable(Unavailable.Why.REFUSED, files, other.toString(), null);
    }
    assertUnavailable(Unavailable.Why.GONE, files, kept.resolve("none").toString(), null);
    assertUnavailable(Unavailable.Why.GONE, files, null, stranger.baseUrl() + "/a.pdf");
  }

  // ---- Slack

  @Test
  void slack_is_shown_the_token_and_a_stranger_is_not() throws Exception {
    gives(platform, "/files/1");
    gives(stranger, "/files/2");
    InboundFiles files = files(new SlackChannel());

    assertThat(read(files, "F", platform.baseUrl() + "/files/1")).isEqualTo(BYTES);
    assertThat(platform.requests().getFirst().headers())
        .containsEntry("authorization", "Bearer " + TOKEN);
    assertThat(read(files, "F", stranger.baseUrl() + "/files/2")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
  }

  @Test
  void slacks_sign_in_page_is_not_taken_for_the_file() {
    on(platform, "/a", _ -> Reply.html(200, "<html>Sign in</html>"));
    on(platform, "/b", _ -> Reply.html(302, "").header("Location", stranger.baseUrl() + "/signin"));
    InboundFiles files = files(new SlackChannel());

    assertUnavailable(Unavailable.Why.REFUSED, files, "F", platform.baseUrl() + "/a");
    assertUnavailable(Unavailable.Why.REFUSED, files, "F", platform.baseUrl() + "/b");
    assertThat(stranger.requests()).isEmpty();
  }

  // ---- Discord

  @Test
  void discords_old_addresses_are_made_new() throws Exception {
    on(platform, "/old", _ -> Reply.json(404, "{}"));
    on(
        platform,
        "/attachments/refresh-urls",
        request -> {
          assertThat(request.headers()).containsEntry("authorization", "Bot " + TOKEN);
          return Reply.json(
              200,
              "{\"refreshed_urls\":[{\"original\":\"x\",\"refreshed\":\"%s/new\"}]}"
                  .formatted(platform.baseUrl()));
        });
    gives(platform, "/new");

    assertThat(read(files(new DiscordChannel()), "1", platform.baseUrl() + "/old"))
        .isEqualTo(BYTES);
    assertThat(platform.requests().getLast().headers()).doesNotContainKey("authorization");
  }

  @Test
  void a_file_that_discord_has_no_more_is_gone() {
    platform.otherwise(_ -> Reply.json(404, "{}"));
    assertUnavailable(
        Unavailable.Why.GONE, files(new DiscordChannel()), "1", platform.baseUrl() + "/old");
  }

  // ---- WhatsApp

  @Test
  void whatsapp_is_asked_for_the_address_and_shown_the_token_at_both() throws Exception {
    on(
        platform,
        "/v23.0/M1",
        _ -> Reply.json(200, "{\"url\":\"" + platform.baseUrl() + "/cdn/1\"}"));
    gives(platform, "/cdn/1");

    assertThat(read(files(new WhatsAppChannel()), "M1", null)).isEqualTo(BYTES);
    assertThat(platform.requests())
        .allSatisfy(
            request ->
                assertThat(request.headers()).containsEntry("authorization", "Bearer " + TOKEN));
  }

  @Test
  void whatsapps_token_is_not_shown_to_a_stranger() {
    on(
        platform,
        "/v23.0/M1",
        _ -> Reply.json(200, "{\"url\":\"" + stranger.baseUrl() + "/cdn/1\"}"));
    assertUnavailable(Unavailable.Why.REFUSED, files(new WhatsAppChannel()), "M1", null);
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void a_file_that_whatsapp_has_no_more_is_gone() {
    platform.otherwise(_ -> Reply.json(400, "{\"error\":{\"code\":100,\"error_subcode\":33}}"));
    assertUnavailable(Unavailable.Why.GONE, files(new WhatsAppChannel()), "M1", null);
  }

  // ---- LINE

  @Test
  void line_is_asked_by_the_messages_id_with_the_token() throws Exception {
    gives(platform, "/v2/bot/message/468789577898262530/content");

    assertThat(read(files(new LineChannel()), "468789577898262530", null)).isEqualTo(BYTES);
    assertThat(platform.onlyRequest().headers()).containsEntry("authorization", "Bearer " + TOKEN);
  }

  @Test
  void what_a_line_user_has_elsewhere_is_fetched_there_without_the_token() throws Exception {
    gives(stranger, "/a.jpg");
    assertThat(read(files(new LineChannel()), null, stranger.baseUrl() + "/a.jpg"))
        .isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertThat(platform.requests()).isEmpty();
  }

  @Test
  void a_video_that_line_is_still_preparing_can_be_had_later() {
    platform.otherwise(_ -> Reply.json(202, "{}"));
    assertUnavailable(Unavailable.Why.UNREACHABLE, files(new LineChannel()), "1", null);
  }

  @Test
  void a_file_that_line_has_no_more_is_gone() {
    platform.otherwise(_ -> Reply.json(404, "{\"message\":\"Not found\"}"));
    assertUnavailable(Unavailable.Why.GONE, files(new LineChannel()), "1", null);
  }

  // ---- Google Chat

  @Test
  void google_chat_is_shown_a_token_that_is_got_for_it() throws Exception {
    on(
        platform,
        "/token",
        _ -> Reply.json(200, "{\"access_token\":\"12345:s3cret-of-ours\",\"expires_in\":3599}"));
    gives(platform, "/v1/media/ClxzcGFj/ZXM=?alt=media");

    assertThat(read(files(new GoogleChatChannel()), "ClxzcGFj/ZXM=", null)).isEqualTo(BYTES);
    assertThat(platform.requests().getLast().headers())
        .containsEntry("authorization", "Bearer " + TOKEN);
  }

  @Test
  void google_chats_refusals_are_told_apart() {
    InboundFiles files = files(new GoogleChatChannel());
    assertUnavailable(Unavailable.Why.REFUSED, files, null, null); // on Drive
    for (String name : List.of("../spaces", "a?b", "a b", "a#b")) {
      assertUnavailable(Unavailable.Why.GONE, files, name, null);
    }
    assertThat(platform.requests()).isEmpty();
    platform.otherwise(_ -> Reply.json(400, "{\"error\":\"invalid_grant\"}"));
    assertUnavailable(Unavailable.Why.REFUSED, files, "a", null);
    platform.otherwise(_ -> Reply.html(502, "<h1>Oops</h1>"));
    assertUnavailable(Unavailable.Why.UNREACHABLE, files, "a", null);
    platform.when(
        request -> request.path().equals("/token"),
        Reply.json(200, "{\"access_token\":\"12345:s3cret-of-ours\",\"expires_in\":3599}"));
    platform.otherwise(_ -> Reply.json(404, "{}"));
    assertUnavailable(Unavailable.Why.GONE, files, "a", null);
    platform.otherwise(_ -> Reply.html(403, "<p>12345:s3cret-of-ours may not see this</p>"));
    assertUnavailable(Unavailable.Why.REFUSED, files, "a", null);
  }

  // ---- Matrix

  @Test
  void matrix_files_come_from_our_own_homeserver() throws Exception {
    gives(platform, "/_matrix/client/v1/media/download/other.example:8448/Ab-c_1");

    assertThat(read(files(new MatrixChannel()), "mxc://other.example:8448/Ab-c_1", null))
        .isEqualTo(BYTES);
    assertThat(platform.requests().getFirst().headers())
        .containsEntry("authorization", "Bearer " + TOKEN);
  }

  @Test
  void a_homeserver_may_send_us_on_and_the_token_stays() throws Exception {
    platform.otherwise(
        _ -> Reply.json(307, "{}").header("Location", stranger.baseUrl() + "/stored"));
    gives(stranger, "/stored");

    assertThat(read(files(new MatrixChannel()), "mxc://a/b", null)).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
  }

  @Test
  void an_old_homeserver_is_asked_in_the_old_way() throws Exception {
    platform.otherwise(_ -> Reply.json(404, "{\"errcode\":\"M_UNRECOGNIZED\"}"));
    gives(platform, "/_matrix/media/v3/download/a/b");

    assertThat(read(files(new MatrixChannel()), "mxc://a/b", null)).isEqualTo(BYTES);
  }

  @Test
  void what_is_no_matrix_file_is_not_asked_for() {
    for (String id : List.of("mxc://a/../b", "https://a/b", "mxc://a/b?c", "mxc://a/b/c")) {
      assertUnavailable(Unavailable.Why.GONE, files(new MatrixChannel()), id, null);
    }
    assertThat(platform.requests()).isEmpty();
  }

  // ---- addresses that others name

  @Test
  void nextcloud_is_asked_for_an_address_as_a_user_whom_nobody_else_is_shown() throws Exception {
    AccountConfig bot =
        AccountConfig.of("a", "nextcloud-talk")
            .set("baseUrl", platform.baseUrl())
            .set("secret", "of-the-bot")
            .set("timeout", "5m");
    AccountConfig user = bot.set("user", "ann").set("appPassword", TOKEN);
    String direct = "/ocs/v2.php/apps/dav/api/v1/direct";
    String answer = "{\"ocs\":{\"meta\":{\"statuscode\":200},\"data\":{\"url\":\"%s\"}}}";
    on(
        platform,
        direct,
        request ->
            Reply.json(
                200,
                answer.formatted(
                    (request.text().equals("fileId=77") ? platform : stranger).baseUrl()
                        + "/remote.php/direct/x")));
    gives(platform, "/remote.php/direct/x");
    NextcloudChannel channel = new NextcloudChannel();
    InboundFiles files = channel.inboundFiles(user, MediaSettings.DEFAULTS);

    assertThat(read(files, "77", "https://cloud/f/77")).isEqualTo(BYTES);
    assertThat(platform.requests().getFirst().headers().get("authorization")).startsWith("Basic ");
    assertThat(platform.requests().getLast().headers()).doesNotContainKey("authorization");
    assertUnavailable(Unavailable.Why.REFUSED, files, "78", null);
    assertThat(stranger.requests()).isEmpty();
    assertUnavailable(Unavailable.Why.GONE, files, null, "https://cloud/f/77");
    assertUnavailable(
        Unavailable.Why.REFUSED, channel.inboundFiles(bot, MediaSettings.DEFAULTS), "77", null);
  }

  @Test
  void a_webhooks_files_are_fetched_as_a_stranger_would() throws Exception {
    gives(stranger, "/a");
    assertThat(read(files(new WebhookChannel()), null, stranger.baseUrl() + "/a")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertUnavailable(Unavailable.Why.GONE, files(new WebhookChannel()), null, null);
  }

  @Test
  void nobody_talks_us_into_fetching_from_this_machine() {
    for (Channel channel :
        List.of(
            new WebhookChannel(), new SlackChannel(), new DiscordChannel(), new SandboxChannel())) {
      assertUnavailable(
          Unavailable.Why.REFUSED, files(channel, false), null, stranger.baseUrl() + "/a");
    }
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void the_sandbox_gives_back_what_it_was_given() throws Exception {
    assertThat(read(files(new SandboxChannel()), null, "data:text/plain;base64,aGVsbG8="))
        .isEqualTo("hello");
  }

  // ---- XMPP

  @Test
  void files_on_xmpp_are_fetched_where_people_say_and_nobody_is_shown_anything() throws Exception {
    gives(stranger, "/f.pdf");
    InboundFiles files = files(new XmppChannel());
    assertThat(read(files, null, stranger.baseUrl() + "/f.pdf")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertUnavailable(
        Unavailable.Why.REFUSED,
        files(new XmppChannel(), false),
        null,
        stranger.baseUrl() + "/f.pdf");
  }

  // ---- Zalo

  @Test
  void zalos_files_are_fetched_where_it_says_and_it_is_shown_nothing() throws Exception {
    gives(stranger, "/f.pdf");
    InboundFiles files = files(new ZaloChannel());
    assertThat(read(files, null, stranger.baseUrl() + "/f.pdf")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertUnavailable(Unavailable.Why.GONE, files, "sticker", null);
    assertUnavailable(
        Unavailable.Why.REFUSED,
        files(new ZaloChannel(), false),
        null,
        stranger.baseUrl() + "/f.pdf");
  }

  // ---- Tlon

  @Test
  void tlons_pictures_are_fetched_where_their_senders_put_them_and_nobody_is_shown_the_code()
      throws Exception {
    gives(stranger, "/a.png");
    InboundFiles files = files(new TlonChannel());
    assertThat(read(files, null, stranger.baseUrl() + "/a.png")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertUnavailable(
        Unavailable.Why.REFUSED,
        files(new TlonChannel(), false),
        null,
        stranger.baseUrl() + "/a.png");
  }

  // ---- bridges to WhatsApp

  @Test
  void wahas_files_are_fetched_from_the_bridge_with_the_key_whatever_it_calls_itself()
      throws Exception {
    gives(platform, "/api/files/default/a.jpg");
    gives(stranger, "/bucket/a.jpg");
    InboundFiles files = files(new WhatsAppWebChannel());
    assertThat(read(files, null, "http://localhost:3000/api/files/default/a.jpg")).isEqualTo(BYTES);
    assertThat(platform.onlyRequest().headers()).containsEntry("x-api-key", TOKEN);
    assertThat(read(files, null, stranger.baseUrl() + "/bucket/a.jpg")).isEqualTo(BYTES);
    assertThatNoSecretWentTo(stranger);
    assertUnavailable(Unavailable.Why.GONE, files, null, null);
  }
}
