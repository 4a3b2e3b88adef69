package dev.postrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.255.255, true",
    "10.1.0.0/16, 10.2.0.0, false",
    "10.1.0.0/16, ::ffff:10.1.2.3, true",
    "172.16.0.0/12, 172.31.255.255, true",
    "172.16.0.0/12, 172.32.0.0, false",
    "128.0.0.0/1, 255.0.0.1, true",
    "128.0.0.0/1, 127.0.0.1, false",
    "0.0.0.0/0, 8.8.8.8, true",
    "0.0.0.0/0, ::1, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.2, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fc00::1, false",
    "::1, ::1, true",
    "::1, ::2, false",
    "::/0, 10.0.0.1, false"
  })
  void it_holds_the_addresses_that_begin_like_it(String network, String address, boolean in) {
    assertThat(Network.parse(network).contains(InetAddress.ofLiteral(address))).isEqualTo(in);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/8",
        "10.1/16",
        "10",
        "010.1.0.0/16",
        "0x0a.1.0.0/16",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/8/8",
        "10.0.0.0 /8",
        "fd00::/129",
        "fe80::1%lo/64",
        "example.com",
        "localhost/8"
      })
  void what_is_no_network_is_named_in_the_error(String text) {
    assertThatThrownBy(() -> Network.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
  }
}
