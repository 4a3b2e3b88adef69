package dev.postrider.internal.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataUriTest {
  private static String text(String uri) {
    return new String(DataUri.bytes(uri), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data:,hello|hello",
        "data:text/plain,a%20b%2Cc|a b,c",
        "data:text/plain;charset=utf-8;base64,aGVsbG8=|hello",
        "DATA:text/plain;BASE64,aGVsbG8|hello",
        "data:;base64,aGVs%0AbG8%3D|hello",
        "data:text/plain,100%25|100%",
        "data:text/plain,grün|grün"
      })
  void the_bytes_are_what_was_written(String uri, String text) {
    assertThat(text(uri)).isEqualTo(text);
  }

  @Test
  void nothing_is_allowed_to_be_nothing() {
    assertThat(DataUri.bytes("data:,")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data:text/plain;base64", "data:,50%", "data:,%zz", "data:;base64,a"})
  void what_is_no_data_uri_is_told_apart(String uri) {
    assertThatThrownBy(() -> DataUri.bytes(uri)).isInstanceOf(IllegalArgumentException.class);
  }
}
