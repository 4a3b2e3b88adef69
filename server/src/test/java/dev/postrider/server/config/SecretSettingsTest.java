package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.Postrider;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A secret in which nothing can be seen would let everybody in. */
class SecretSettingsTest {
  private static final List<String> BLANK =
      List.of("\"\"", "\"  \"", "\"\\t\\n\"", "\"\\u200B\\u00A0\"", "[]", "[\"\"]", "[x, null]");

  private static Stream<Arguments> secrets() {
    return ServiceLoader.load(Channel.class).stream()
        .map(ServiceLoader.Provider::get)
        .flatMap(
            channel ->
                channel.settings().stream()
                    .filter(Channel.Setting::secret)
                    .map(setting -> Arguments.of(channel.name(), setting.name())));
  }

  @ParameterizedTest
  @MethodSource("secrets")
  void a_blank_secret_of_any_channel_is_refused_by_name(String channel, String secret) {
    for (String blank : BLANK) {
      String yaml =
          "accounts:\n  - { id: a, channel: %s, %s: %s }".formatted(channel, secret, blank);
      assertThat(bad(yaml).getMessage())
          .as(blank)
          .contains("line 2: accounts[0]." + secret + " must not be blank", "Give the secret");
    }
  }

  @Test
  void every_channel_that_has_secrets_declares_them() {
    assertThat(secrets().map(each -> each.get()[0] + "." + each.get()[1]))
        .contains(
            "telegram.token",
            "telegram.webhookSecret",
            "discord.token",
            "discord-webhook.url",
            "slack.token",
            "slack.signingSecret",
            "slack.webhookSecret",
            "slack.appToken",
            "slack-webhook.url",
            "whatsapp.token",
            "whatsapp.appSecret",
            "whatsapp.webhookSecret",
            "whatsapp.verifyToken",
            "whatsapp-web.apiKey",
            "whatsapp-web.password",
            "whatsapp-web.webhookSecret",
            "line.token",
            "line.channelSecret",
            "line.webhookSecret",
            "googlechat.serviceAccount",
            "googlechat.webhookUrl",
            "irc.password",
            "irc.saslPassword",
            "irc.nickservPassword",
            "xmpp.password",
            "zalo.token",
            "zalo.webhookSecret",
            "zalo.appSecret",
            "zalo.refreshToken",
            "zalo.oaSecretKey",
            "twitch.clientSecret",
            "twitch.refreshToken",
            "twitch.token",
            "tlon.code",
            "feishu.appSecret",
            "feishu.webhookUrl",
            "feishu.secret",
            "feishu.encryptKey",
            "feishu.webhookSecret",
            "feishu.verificationToken",
            "signal.captcha",
            "matrix.token",
            "nostr.privateKey",
            "mattermost.token",
            "mattermost.webhookUrl",
            "msteams.appPassword",
            "msteams.webhookUrl",
            "mattermost.webhookSecret",
            "webhook.url",
            "webhook.secret",
            "nextcloud-talk.secret",
            "nextcloud-talk.webhookSecret",
            "nextcloud-talk.appPassword",
            "bluebubbles.password",
            "bluebubbles.webhookSecret",
            "synology-chat.webhookUrl",
            "synology-chat.token",
            "synology-chat.webhookSecret",
            "email.password",
            "email.imapPassword",
            "email.oauthClientSecret",
            "email.oauthRefreshToken");
  }

  @Test
  void the_servers_own_secrets_are_refused_when_blank_too() {
    assertThat(
            bad("""
                    http: { tokens: [ { name: ops, secret: " ", role: admin } ] }
                    inbound: { pushTo: "https://example.org", pushSecret: "" }
                    alerts: { webhook: "https://example.org", webhookSecret: " " }
                    """)
                .getMessage())
        .contains(
            "line 1: http.tokens[0].secret must not be blank",
            "line 2: inbound.pushSecret must not be blank",
            "line 3: alerts.webhookSecret must not be blank");
  }

  @Test
  void a_variable_that_is_set_to_nothing_is_no_secret() {
    ConfigLoader loader = ConfigLoader.forChannelsOnClassPath(Map.of("HOOK", ""));
    String yaml = "accounts: [{id: a, channel: telegram, token: t, webhookSecret: '${HOOK}'}]";

    assertThatThrownBy(() -> loader.read("postrider.yaml", yaml, List.of()))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining("accounts[0].webhookSecret must not be blank");
  }

  @Test
  void a_program_that_brings_its_own_accounts_is_held_to_the_same(@TempDir Path dir) {
    PostriderConfig config =
        PostriderConfig.store("sqlite:" + dir.resolve("postrider.db"))
            .account(
                AccountConfig.of("tg", "telegram").set("token", "1:x").set("webhookSecret", ""));

    assertThatThrownBy(() -> Postrider.open(config).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("account 'tg': webhookSecret must not be blank");
  }

  private static BadConfig bad(String yaml) {
    BadConfig bad =
        catchThrowableOfType(
            BadConfig.class,
            () ->
                ConfigLoader.forChannelsOnClassPath(Map.of())
                    .read("postrider.yaml", yaml, List.of()));
    assertThat(bad).as(yaml).isNotNull();
    return bad;
  }
}
