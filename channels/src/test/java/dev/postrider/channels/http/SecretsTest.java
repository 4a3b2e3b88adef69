package dev.postrider.channels.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretsTest {
  private final Secrets secrets = Secrets.of("123:abc-secret", "abc-secret");

  @Test
  void a_secret_is_hidden_plain_and_encoded_and_in_part() {
    assertThat(secrets.scrub("GET /bot123:abc-secret/x /bot123%3Aabc-secret/x abc-secret"))
        .isEqualTo("GET /bot***/x /bot***/x ***");
  }

  @Test
  void secrets_do_not_show_themselves() {
    assertThat(secrets.toString()).doesNotContain("abc-secret");
  }
}
