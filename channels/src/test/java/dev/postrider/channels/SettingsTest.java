package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.AccountConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final AccountConfig ACCOUNT = AccountConfig.of("tg-main", "telegram");

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "5s, PT5S",
    "2m, PT2M",
    "48h, PT48H",
    "30d, PT720H",
    "PT1M30S, PT1M30S",
    "' 10 s ', PT10S",
    "0s, PT0S"
  })
  void durations_are_read_as_people_write_them(String text, Duration expected) {
    assertThat(Settings.of(ACCOUNT.set("timeout", text)).duration("timeout", Duration.ZERO))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "10", "-5s", "PT-5S", "5 weeks", ""})
  void what_is_no_duration_is_refused_with_account_and_key(String text) {
    Settings settings = Settings.of(ACCOUNT.set("timeout", text));
    assertThatThrownBy(() -> settings.duration("timeout", Duration.ZERO))
        .hasMessageStartingWith("account tg-main: timeout is not a duration");
  }

  @Test
  void a_complaint_does_not_repeat_the_value() {
    Settings settings = Settings.of(ACCOUNT.set("permanentErrors", List.of("s3cret(")));
    assertThatThrownBy(() -> settings.patterns("permanentErrors"))
        .hasMessage(
            "account tg-main: permanentErrors holds something that is not a regular expression");
  }
}
