package dev.postrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  private static final List<String> KNOWN = List.of("idempotencyKey", "metadata", "text", "to");

  @Test
  void a_slip_finds_the_name_that_was_meant() {
    assertThat(NearestName.to("idempotency_key", KNOWN)).contains("idempotencyKey");
    assertThat(NearestName.to("txet", KNOWN)).contains("text");
    assertThat(NearestName.to("METADATA", KNOWN)).contains("metadata");
  }

  @Test
  void something_altogether_different_finds_nothing() {
    assertThat(NearestName.to("colour", KNOWN)).isEmpty();
    assertThat(NearestName.hint("colour", KNOWN))
        .isEqualTo("; known are idempotencyKey, metadata, text, to");
  }
}
