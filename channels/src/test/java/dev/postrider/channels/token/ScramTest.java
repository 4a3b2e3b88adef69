package dev.postrider.channels.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** The examples of RFC 5802 and RFC 7677. */
class ScramTest {
  private static final String SHA1_NONCE = "fyko+d2lbbFgONRv9qkxdawL";
  private static final String SHA1_CHALLENGE =
      "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096";

  private static Scram sha1() {
    return new Scram("SHA-1", "user", "pencil", "n,,", new byte[0], SHA1_NONCE);
  }

  @Test
  void the_example_of_rfc_5802() throws Exception {
    Scram scram = sha1();
    assertThat(scram.first()).isEqualTo("n,,n=user,r=" + SHA1_NONCE);
    assertThat(scram.answer(SHA1_CHALLENGE))
        .isEqualTo(
            "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,"
                + "p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=");
    scram.verify("v=rmF9pqV8S7suAoZWja4dJRkFsKQ=");
  }

  @Test
  void the_example_of_rfc_7677() throws Exception {
    Scram scram =
        new Scram("SHA-256", "user", "pencil", "n,,", new byte[0], "rOprNGfwEbeRWgbNEkqO");
    assertThat(
            scram.answer(
                "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                    + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"))
        .endsWith(",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
    scram.verify("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }

  @Test
  void what_binds_the_login_to_its_connection_is_in_the_proof() throws Exception {
    Scram scram =
        new Scram("SHA-1", "a=b,c", "pencil", "p=tls-exporter,,", new byte[] {1, 2}, SHA1_NONCE);
    assertThat(scram.first()).isEqualTo("p=tls-exporter,,n=a=3Db=2Cc,r=" + SHA1_NONCE);
    String bound = scram.answer(SHA1_CHALLENGE).split(",")[0].substring(2);
    assertThat(Base64.getDecoder().decode(bound))
        .isEqualTo(
            "p=tls-exporter,,\u0001\u0002".getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void a_server_that_does_not_know_the_password_is_not_ours() throws Exception {
    Scram scram = sha1();
    scram.answer(SHA1_CHALLENGE);
    for (String proof : new String[] {"", "v=", "v=AAAA", "e=other-error", "v=!"}) {
      assertThatThrownBy(() -> scram.verify(proof)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> sha1().verify("v=")).as("before any challenge").isNotNull();
  }

  @Test
  void a_challenge_that_is_none_is_refused() {
    for (String challenge :
        new String[] {
          "",
          "r=other,s=QSXCR+Q6sek8bf92,i=4096",
          "r=" + SHA1_NONCE + ",s=QSXCR+Q6sek8bf92,i=4096",
          "r=" + SHA1_NONCE + "x,s=QSXCR+Q6sek8bf92,i=1",
          "r=" + SHA1_NONCE + "x,s=QSXCR+Q6sek8bf92,i=2000000000",
          "r=" + SHA1_NONCE + "x,s=!,i=4096",
          "m=x," + SHA1_CHALLENGE
        }) {
      assertThatThrownBy(() -> sha1().answer(challenge)).isInstanceOf(IOException.class);
    }
  }
}
