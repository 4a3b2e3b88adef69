package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Network;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.WritableHeaders;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallersTest {
  private final Callers callers =
      new Callers(List.of(Network.parse("10.0.0.0/8"), Network.parse("fd00::/8")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.1 | 203.0.113.9 | 192.0.2.1", // nobody we trust
        "10.0.0.1 | 203.0.113.9 | 203.0.113.9",
        "10.0.0.1 | 1.1.1.1, 203.0.113.9 | 203.0.113.9", // anybody can write the first
        "10.0.0.1 | 203.0.113.9, 10.0.0.2 | 203.0.113.9", // two proxies of ours
        "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
        "10.0.0.1 | 203.0.113.9:5555 | 203.0.113.9",
        "10.0.0.1 | [2001:db8::1]:5555 | 2001:db8:0:0:0:0:0:1",
        "fd00::1 | 2001:db8::1 | 2001:db8:0:0:0:0:0:1",
        "10.0.0.1 | unknown | 10.0.0.1",
        "10.0.0.1 | 203.0.113.9, localhost | 10.0.0.1",
        "10.0.0.1 | 203.0.113.9, | 10.0.0.1",
        "10.0.0.1 | [ | 10.0.0.1",
        "10.0.0.1 | '' | 10.0.0.1",
      })
  void the_last_address_that_is_not_a_trusted_proxys_asks(
      String peer, String header, String expected) {
    WritableHeaders<?> headers = WritableHeaders.create();
    headers.add(HeaderNames.X_FORWARDED_FOR, header);

    assertThat(found(peer, headers)).isEqualTo(expected);
  }

  @Test
  void headers_that_come_twice_are_read_as_one() {
    WritableHeaders<?> headers = WritableHeaders.create();
    headers.add(HeaderNames.X_FORWARDED_FOR, "1.1.1.1");
    headers.add(HeaderNames.X_FORWARDED_FOR, "203.0.113.9");

    assertThat(found("10.0.0.1", headers)).isEqualTo("203.0.113.9");
  }

  @Test
  void without_the_header_whoever_connected_asks() {
    assertThat(found("10.0.0.1", WritableHeaders.create())).isEqualTo("10.0.0.1");
  }

  private String found(String peer, WritableHeaders<?> headers) {
    return callers
        .find(InetAddress.ofLiteral(peer), ServerRequestHeaders.create(headers))
        .getHostAddress();
  }
}
