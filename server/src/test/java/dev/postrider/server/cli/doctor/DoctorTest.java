package dev.postrider.server.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.server.config.HttpSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final Map<String, Channel> CHANNELS =
      ServiceLoader.load(Channel.class).stream()
          .map(ServiceLoader.Provider::get)
          .collect(Collectors.toMap(Channel::name, channel -> channel));
  private final List<Finding> findings = new ArrayList<>();

  @Test
  void a_clock_that_differs_from_the_platforms_is_found() {
    clock(Duration.ofSeconds(95), AccountConfig.of("tg", "telegram"));
    assertThat(findings)
        .containsExactly(
            Finding.bad(
                "clock",
                "It is 95 s ahead of that of api.telegram.org.",
                findings.getFirst().remedy()));
    findings.clear();
    clock(Duration.ofSeconds(-95), AccountConfig.of("tg", "telegram"));
    assertThat(findings.getFirst().sentence()).contains("95 s behind");
    findings.clear();
    clock(
        Duration.ofSeconds(3),
        AccountConfig.of("tg", "telegram").set("baseUrl", "http://bot.example.org:81"));
    assertThat(findings)
        .containsExactly(Finding.well("clock", "It agrees with that of bot.example.org."));
  }

  @Test
  void each_platform_is_asked_once_and_those_without_an_address_never() {
    List<URI> asked = new ArrayList<>();
    new ClockCheck(
            () -> NOW,
            address -> {
              asked.add(address);
              return Optional.empty();
            })
        .run(
            List.of(
                AccountConfig.of("a", "telegram"),
                AccountConfig.of("b", "telegram"),
                AccountConfig.of("c", "sandbox")),
            CHANNELS,
            findings);
    assertThat(asked).containsExactly(URI.create("https://api.telegram.org"));
    assertThat(findings).isEmpty();
  }

  @Test
  void a_platform_that_fetches_over_https_and_cannot_is_found() {
    PostriderConfig config =
        PostriderConfig.store("test")
            .account(AccountConfig.of("line-oa", "line").set("token", "abc"))
            .account(AccountConfig.of("nas", "synology-chat").set("token", "abc"));
    for (String base : new String[] {null, "https://postrider.example.org"}) {
      Doctor.files(config.media(MediaSettings.DEFAULTS.publicUrl(base)), CHANNELS, findings);
      assertThat(findings).isEmpty();
    }
    Doctor.files(
        config.media(MediaSettings.DEFAULTS.publicUrl("http://10.0.0.5:8080")), CHANNELS, findings);
    assertThat(findings)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.well()).isFalse();
              assertThat(it.sentence()).startsWith("line-oa can send no files of yours");
              assertThat(it.remedy()).contains("http.publicUrl");
            });
  }

  private void clock(Duration ahead, AccountConfig account) {
    new ClockCheck(() -> NOW.plus(ahead), _ -> Optional.of(NOW))
        .run(List.of(account), CHANNELS, findings);
  }

  @Test
  void secrets_that_are_short_or_that_others_can_read_are_found(@TempDir Path dir)
      throws Exception {
    Path secret = Files.writeString(dir.resolve("token"), "123456:long-enough");
    Path config =
        Files.writeString(
            dir.resolve("postrider.yaml"),
            """
            accounts:
              - { id: tg, channel: telegram, token: "${file:%s}" } # token: not here
            """
                .formatted(secret));
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    AccountConfig account = AccountConfig.of("tg", "telegram").set("token", "123456:long-enough");

    secrets(config, account);
    assertThat(findings).allMatch(Finding::well);

    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
    secrets(config, account);
    assertThat(findings.getFirst().sentence()).contains("Everybody", secret.toString());

    secrets(null, account.set("token", "123"));
    assertThat(findings.getFirst().sentence())
        .isEqualTo("token of account tg has only 3 characters.");
    secrets(null, account.set("token", " "));
    assertThat(findings.getFirst().sentence()).isEqualTo("token of account tg is blank.");

    Files.writeString(config, "accounts:\n  - id: tg\n    token: 123456:long-enough\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    secrets(config, account);
    assertThat(findings.getFirst().remedy()).isEqualTo("Run: chmod o-r " + config);
    assertThat(findings.toString()).doesNotContain("long-enough");
  }

  private void secrets(@Nullable Path file, AccountConfig account) {
    findings.clear();
    new SecretsCheck(CHANNELS, file).run(List.of(account), findings);
  }

  @ParameterizedTest
  @CsvSource({
    "healthy, ready, ''",
    "healthy, broken, but the server still holds it for broken",
    "healthy, unreachable, but the server still holds it for unreachable",
    "broken, ready, but the server still holds it for ready",
    "broken, broken, ''",
    "healthy, paused, ''",
  })
  void a_probe_that_contradicts_the_server_is_found(String answer, String health, String said) {
    JsonNode account =
        JsonMapper.shared()
            .readTree("{\"id\":\"tg\",\"health\":\"%s\",\"reason\":\"401\"}".formatted(health));

    assertThat(AccountsCheck.contradiction(account, answer).map(Finding::sentence).orElse(""))
        .contains(said)
        .matches(text -> text.isEmpty() == said.isEmpty());
  }

  @Test
  void the_server_is_found_by_its_configuration() {
    assertThat(Doctor.address(http("127.0.0.1"))).isEqualTo("http://127.0.0.1:9090");
    assertThat(Doctor.address(http("0.0.0.0"))).isEqualTo("http://127.0.0.1:9090");
    assertThat(Doctor.address(http("::"))).isEqualTo("http://[::1]:9090");
    assertThat(Doctor.address(http("::1"))).isEqualTo("http://[::1]:9090");
  }

  private static HttpSettings http(String host) {
    return new HttpSettings(host, 9090, List.of(), 1, 1, Duration.ofSeconds(1));
  }
}
