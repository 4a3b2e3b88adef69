package dev.postrider.channels.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "3, PT3S",
    "6775, PT1H52M55S",
    "0, PT0S",
    "0.2504, PT0.251S",
    "'Sun, 1 Mar 2026 12:00:30 GMT', PT30S",
    "'Sun, 01 Mar 2026 11:00:00 GMT', PT0S"
  })
  void every_form_gives_a_delay_that_is_never_too_short(String header, Duration expected) {
    assertThat(RetryAfter.parse(header, NOW)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-3", "", "NaN", "99999999999999999999", "1e3"})
  void anything_else_gives_none(String header) {
    assertThat(RetryAfter.parse(header, NOW)).isNull();
  }
}
