package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SizesTest {

  @Test
  void sizes_are_read_and_written() {
    assertThat(Sizes.parse("1mb")).isEqualTo(1 << 20);
    assertThat(Sizes.parse("512 KB")).isEqualTo(512 << 10);
    assertThat(Sizes.parse("77")).isEqualTo(77);
    assertThat(Sizes.format(1536)).isEqualTo("1.5 KB");
    assertThat(Sizes.format(3L << 30)).isEqualTo("3 GB");
  }

  @Test
  void what_is_no_size_is_refused() {
    assertThatThrownBy(() -> Sizes.parse("big")).hasMessageContaining("write one like 512kb");
  }
}
