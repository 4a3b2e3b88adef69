package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.channels.webhook.WebhookChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigSourcesTest {
  private static final String TELEGRAM =
      """
      accounts:
        - id: tg-main
          channel: telegram
          token: "${TELEGRAM_TOKEN}"
      """;

  @Test
  void without_a_file_there_is_one_sandbox_account_on_this_machine_only() {
    ServerConfig config = new ConfigLoader(ConfigFixture.CHANNELS, Map.of()).load(null, List.of());

    assertThat(config.postrider().store()).isEqualTo("sqlite:postrider-data/postrider.db");
    assertThat(config.http().host()).isEqualTo("127.0.0.1");
    assertThat(config.http().port()).isEqualTo(8080);
    assertThat(config.postrider().accounts())
        .singleElement()
        .satisfies(
            account -> {
              assertThat(account.id()).isEqualTo("sandbox");
              assertThat(account.channel()).isEqualTo("sandbox");
            });
  }

  @Test
  void references_are_resolved_inside_a_text_and_can_be_escaped(@TempDir Path dir)
      throws IOException {
    Path secret = Files.writeString(dir.resolve("token"), "from-file\n");
    ServerConfig config =
        ConfigFixture.read(
            """
            accounts:
              - {id: a, channel: telegram, token: "x-${T}-y", baseUrl: "$${T}"}
              - {id: b, channel: telegram, token: "${file:%s}"}
            """
                .formatted(secret),
            Map.of("T", "$1"));

    assertThat(config.postrider().accounts().get(0).text("token")).isEqualTo("x-$1-y");
    assertThat(config.postrider().accounts().get(0).text("baseUrl")).isEqualTo("${T}");
    assertThat(config.postrider().accounts().get(1).text("token")).isEqualTo("from-file");
  }

  @Test
  void an_account_is_overridden_by_index_and_by_id() {
    for (String name : List.of("POSTRIDER_ACCOUNTS_0_TOKEN", "POSTRIDER_ACCOUNTS_TG_MAIN_TOKEN")) {
      ServerConfig config = ConfigFixture.read(TELEGRAM, Map.of(name, "${literal}"));

      assertThat(config.postrider().accounts().getFirst().text("token")).isEqualTo("${literal}");
      assertThat(config.warnings()).isEmpty();
    }
  }

  @Test
  void the_index_after_the_last_adds_an_account() {
    ServerConfig config =
        ConfigFixture.read(
            "",
            Map.of(
                "POSTRIDER_ACCOUNTS_0_ID", "tg",
                "POSTRIDER_ACCOUNTS_0_CHANNEL", "telegram",
                "POSTRIDER_ACCOUNTS_0_TOKEN", "t",
                "POSTRIDER_ACCOUNTS_1_ID", "box",
                "POSTRIDER_ACCOUNTS_1_CHANNEL", "sandbox"));

    assertThat(config.postrider().accounts()).extracting("id").containsExactly("tg", "box");
    assertThat(config.postrider().accounts().getFirst().text("token")).isEqualTo("t");
  }

  @Test
  void a_list_is_overridden_item_by_item() {
    ServerConfig config =
        ConfigFixture.read(
            "delivery: {backoff: [1s, 2s]}",
            Map.of("POSTRIDER_DELIVERY_BACKOFF_1", "3s", "POSTRIDER_DELIVERY_BACKOFF_2", "4s"));

    assertThat(config.postrider().accounts().getFirst().delivery().backoff())
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(4));
  }

  @Test
  void a_channels_own_usual_values_hold_where_nothing_is_said() {
    ServerConfig config =
        new ConfigLoader(List.of(new WebhookChannel(), new SandboxChannel()), Map.of())
            .read(
                "postrider.yaml",
                """
                delivery: {maxAttempts: 12}
                accounts:
                  - id: a
                    channel: webhook
                    allowAnyTarget: true
                    secret: whsec_c2VjcmV0LW9mLTI0LWJ5dGVzLW9yLW1vcmU=
                  - {id: b, channel: sandbox}
                """,
                List.of());

    var webhook = config.postrider().accounts().getFirst().delivery();
    var sandbox = config.postrider().accounts().getLast().delivery();
    assertThat(webhook.maxAttempts()).isEqualTo(12);
    assertThat(webhook.expireAfter()).isEqualTo(Duration.ofDays(4));
    assertThat(webhook.backoff()).endsWith(Duration.ofHours(24));
    assertThat(sandbox.maxAttempts()).isEqualTo(12);
    assertThat(sandbox.expireAfter()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void an_account_overrides_its_channel_which_overrides_the_rest() {
    ServerConfig config =
        ConfigFixture.read(
            """
            delivery: {maxAttempts: 2, lateAfter: 1m, jitter: 0.2}
            channels: {sandbox: {delivery: {maxAttempts: 3, lateAfter: 2m}}}
            accounts:
              - {id: a, channel: sandbox, delivery: {maxAttempts: 4}}
            """);

    var delivery = config.postrider().accounts().getFirst().delivery();
    assertThat(delivery.maxAttempts()).isEqualTo(4);
    assertThat(delivery.lateAfter()).isEqualTo(Duration.ofMinutes(2));
    assertThat(delivery.jitter()).isEqualTo(0.2);
  }

  @Test
  void a_channel_is_given_lists_and_groups_as_they_stand() {
    ServerConfig config =
        ConfigFixture.read(
            "accounts: [{id: a, channel: telegram, token: t, baseUrl: {a: [1, x], b: null}}]");

    assertThat(config.postrider().accounts().getFirst().settings().get("baseUrl"))
        .isEqualTo(Map.of("a", List.of("1", "x")));
  }

  @Test
  void an_option_wins_over_the_environment_which_wins_over_the_file() {
    ConfigLoader loader =
        new ConfigLoader(ConfigFixture.CHANNELS, Map.of("POSTRIDER_HTTP_PORT", "2"));
    var option = new ConfigLoader.Option("--port", "http.port", "3");

    assertThat(loader.read("f", "http: {port: 1}", List.of()).http().port()).isEqualTo(2);
    ServerConfig config = loader.read("f", "http: {port: 1}", List.of(option));
    assertThat(config.http().port()).isEqualTo(3);
    assertThat(config.values())
        .contains(new ServerConfig.Shown("http.port", "3", ConfigSource.option("--port")));
  }

  @Test
  void a_variable_that_is_no_setting_is_a_warning_unless_it_is_referred_to() {
    ServerConfig config =
        ConfigFixture.read(
            TELEGRAM.replace("TELEGRAM_TOKEN", "POSTRIDER_TELEGRAM"),
            Map.of(
                "POSTRIDER_TELEGRAM", "t",
                "POSTRIDER_HTTP_PROT", "1",
                "POSTRIDER_URL", "http://localhost"));

    assertThat(config.warnings())
        .containsExactly(
            new ServerConfig.Warning(
                "The environment variable POSTRIDER_HTTP_PROT is not a setting; did you mean"
                    + " POSTRIDER_HTTP_PORT?",
                "Correct its name, or take it out of the environment."));
  }

  @Test
  void secrets_are_masked_wherever_values_are_shown() {
    ServerConfig config =
        ConfigFixture.read(
            TELEGRAM
                + """
                store: jdbc:postgresql://bob:pw1/@pw3@host/db?user=bob&password=pw2
                http: {tokens: [{name: ops, secret: hush-hush-hush-hush, role: admin}]}
                """,
            Map.of("TELEGRAM_TOKEN", "123:abc"));

    assertThat(config.values().toString())
        .contains("accounts[0].token", "http.tokens[0].secret", "bob:********@host")
        .doesNotContain("123:abc", "hush", "pw1", "pw2", "pw3");
    assertThat(config.http().toString()).doesNotContain("hush");
    assertThat(config.postrider().toString()).doesNotContain("123:abc");
  }
}
