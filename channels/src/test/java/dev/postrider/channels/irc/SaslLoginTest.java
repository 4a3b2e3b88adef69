package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.irc.SaslLogin.Mechanism;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaslLoginTest {
  private static String said(List<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.replaceFirst("AUTHENTICATE \\+?", "")));
    return new String(Base64.getDecoder().decode(text.toString()), StandardCharsets.UTF_8);
  }

  @Test
  void plain_says_name_and_password() throws Exception {
    SaslLogin login = new SaslLogin(Mechanism.PLAIN, "rider", "pässword");
    assertThat(login.begin()).isEqualTo("AUTHENTICATE PLAIN");
    assertThat(said(login.answer("+"))).isEqualTo("rider\0rider\0pässword");
    assertThat(login.isGenuine()).isTrue();
  }

  @Test
  void a_long_answer_goes_in_pieces_and_says_where_it_ends() throws Exception {
    List<String> exact = new SaslLogin(Mechanism.PLAIN, "r", "x".repeat(296)).answer("+");
    assertThat(exact).hasSize(2).last().isEqualTo("AUTHENTICATE +");
    List<String> more = new SaslLogin(Mechanism.PLAIN, "r", "x".repeat(299)).answer("+");
    assertThat(more).hasSize(2);
    assertThat(said(more)).endsWith("xxx");
  }

  @Test
  void a_long_challenge_is_put_together_and_one_without_an_end_is_not() throws Exception {
    SaslLogin login = new SaslLogin(Mechanism.PLAIN, "rider", "p");
    assertThat(login.answer("A".repeat(400))).isEmpty();
    assertThat(login.answer("+")).hasSize(1);
    SaslLogin endless = new SaslLogin(Mechanism.PLAIN, "rider", "p");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                endless.answer("A".repeat(400));
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_server_that_does_not_know_the_password_is_no_server_of_ours() throws Exception {
    SaslLogin login = new SaslLogin(Mechanism.SCRAM_SHA_256, "user", "pencil");
    String nonce = said(login.answer("+")).replaceFirst(".*r=", "");
    String first = "r=" + nonce + "abc,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    login.answer(base64(first));
    assertThat(login.isGenuine()).isFalse();
    assertThatThrownBy(() -> login.answer(base64("v=AAAA")))
        .hasMessageContaining("could not prove");
    assertThat(login.isGenuine()).isFalse();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
