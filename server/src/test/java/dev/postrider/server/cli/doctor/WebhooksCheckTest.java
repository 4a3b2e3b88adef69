package dev.postrider.server.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.PostriderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhooksCheckTest {
  private static final Map<String, Channel> CHANNELS =
      ServiceLoader.load(Channel.class).stream()
          .map(ServiceLoader.Provider::get)
          .collect(Collectors.toMap(Channel::name, channel -> channel));

  private static final AccountConfig TELEGRAM =
      AccountConfig.of("tg", "telegram").set("token", "1:a").set("webhookSecret", "long-enough");

  private static final AccountConfig NEXTCLOUD =
      AccountConfig.of("talk", "nextcloud-talk")
          .set("baseUrl", "https://cloud.example.org")
          .set("secret", "long-enough");

  private static List<Finding> found(@Nullable String publicUrl, AccountConfig account) {
    PostriderConfig config =
        PostriderConfig.store("test")
            .account(account)
            .media(MediaSettings.DEFAULTS.publicUrl(publicUrl));
    List<Finding> findings = new ArrayList<>();
    new WebhooksCheck(config, CHANNELS).run(findings);
    return findings;
  }

  @Test
  void an_account_that_is_told_by_webhook_needs_an_address() {
    assertThat(found(null, TELEGRAM))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.well()).isFalse();
              assertThat(finding.sentence()).contains("tg is told at /hooks/tg");
              assertThat(finding.remedy()).contains("http.publicUrl");
            });
    AccountConfig polling = AccountConfig.of("tg", "telegram").set("token", "1:a");
    assertThat(found(null, polling)).isEmpty();
    assertThat(found(null, AccountConfig.of("sandbox", "sandbox"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1:8080",
        "https://localhost",
        "https://[::1]:8080",
        "https://10.0.0.5",
        "https://192.168.1.7",
        "https://[fd00::5]",
        "http://169.254.1.1",
      })
  void a_platform_on_the_internet_does_not_reach_private_addresses(String publicUrl) {
    assertThat(found(publicUrl, TELEGRAM))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.sentence())
                  .isEqualTo(
                      ("tg is told at %s/hooks/tg, which its platform on the internet does not"
                              + " reach.")
                          .formatted(publicUrl));
              assertThat(finding.remedy()).contains("http.publicUrl", "https");
            });
  }

  @Test
  void a_platform_on_the_internet_is_to_be_given_an_https_address() {
    assertThat(found("http://postrider.example.org", TELEGRAM))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.sentence()).contains("without TLS");
              assertThat(finding.remedy()).contains("https");
            });
    assertThat(found("https://postrider.example.org", TELEGRAM))
        .containsExactly(
            Finding.well("webhooks", "tg is told at https://postrider.example.org/hooks/tg."));
  }

  @ParameterizedTest
  @CsvSource({
    "http://10.0.0.5:8080, https://cloud.example.org, true",
    "http://postrider.lan, http://10.0.0.7, true",
    "http://127.0.0.1:8080, http://127.0.0.1:9000, true",
    "http://127.0.0.1:8080, https://cloud.example.org, false",
    "http://localhost:8080, http://10.0.0.7, false",
  })
  void a_platform_of_ones_own_does_not_reach_what_only_this_machine_does(
      String publicUrl, String platform, boolean well) {
    assertThat(found(publicUrl, NEXTCLOUD.set("baseUrl", platform)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.well()).isEqualTo(well));
    assertThat(found(publicUrl, TELEGRAM.set("baseUrl", platform)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.well()).isEqualTo(well));
  }
}
