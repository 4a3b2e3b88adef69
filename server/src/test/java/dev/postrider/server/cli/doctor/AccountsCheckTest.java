package dev.postrider.server.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AccountsCheckTest {

  private static Finding deaf(String json) {
    JsonNode listening = JsonMapper.shared().readTree(json);
    return AccountsCheck.deaf("dc", listening);
  }

  @Test
  void an_account_that_may_not_listen_is_told_apart_from_one_that_cannot() {
    String rest =
        "\"status\":\"failing\",\"since\":\"2026-11-20T09:00:00Z\",\"cause\":\"4014 off\"}";

    assertThat(deaf("{\"refused\":true," + rest).sentence())
        .isEqualTo("dc is not allowed to listen since 2026-11-20T09:00:00Z: 4014 off.");
    assertThat(deaf("{\"refused\":true," + rest).remedy())
        .isEqualTo("Sending goes on. Change that on the platform, then check the account.");
    assertThat(deaf("{\"refused\":false," + rest).sentence())
        .isEqualTo("dc hears nothing since 2026-11-20T09:00:00Z: 4014 off.");
    assertThat(deaf("{\"refused\":true," + rest).well()).isFalse();
  }
}
