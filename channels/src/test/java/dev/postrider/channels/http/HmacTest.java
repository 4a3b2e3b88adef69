package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HmacTest {

  /** RFC 4231, test case 2. */
  @Test
  void the_pieces_are_signed_as_one() {
    byte[] key = "Jefe".getBytes(UTF_8);
    String right = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assertThat(Hmac.sha256(key, "what do ya want for nothing?".getBytes(UTF_8)))
        .isEqualTo(HexFormat.of().parseHex(right));
    assertThat(Hmac.sha256(key, "what do ya ".getBytes(UTF_8), "want for nothing?".getBytes(UTF_8)))
        .isEqualTo(HexFormat.of().parseHex(right));
  }

  @Test
  void texts_are_the_same_or_not() {
    assertThat(Hmac.same("añb", "añb")).isTrue();
    assertThat(Hmac.same("añb", "añc")).isFalse();
    assertThat(Hmac.same("añb", "")).isFalse();
  }
}
