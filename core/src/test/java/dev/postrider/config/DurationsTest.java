package dev.postrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "5s, PT5S",
    "2m, PT2M",
    "48h, PT48H",
    "30d, PT720H",
    "PT1H30M, PT90M",
    "0s, PT0S"
  })
  void every_way_to_write_a_duration_is_read(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
    assertThat(Durations.parse(Durations.format(expected))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "soon", "5 weeks", "-", "999999999999999d"})
  void what_is_no_duration_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write one like 500ms");
  }

  @Test
  void a_duration_is_written_in_its_largest_whole_unit() {
    assertThat(Durations.format(Duration.ofSeconds(90))).isEqualTo("90s");
    assertThat(Durations.format(Duration.ofHours(48))).isEqualTo("48h");
    assertThat(Durations.format(Duration.ofDays(30))).isEqualTo("30d");
  }
}
