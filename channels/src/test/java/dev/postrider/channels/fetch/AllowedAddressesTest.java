package dev.postrider.channels.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Network;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedAddressesTest {
  private static final AllowedAddresses PUBLIC = new AllowedAddresses(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1", // IPv4-compatible
        "::8.8.8.8",
        "::ffff:10.0.0.1", // IPv4-mapped
        "::ffff:0:127.0.0.1", // IPv4-translated
        "64:ff9b::127.0.0.1", // NAT64
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8", // local NAT64
        "100::1", // discard
        "2001::1", // Teredo
        "2001:0:4136:e378:8000:63bf:f5ff:fffe",
        "2001:2::1", // benchmarks
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::", // 6to4 of 127.0.0.1
        "2002:808:808::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1", // site-local
        "ff02::1"
      })
  void what_is_not_public_is_out_of_reach(String address) {
    assertThat(PUBLIC.includes(InetAddress.ofLiteral(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00::1"
      })
  void what_is_public_is_within_reach(String address) {
    assertThat(PUBLIC.includes(InetAddress.ofLiteral(address))).isTrue();
  }

  @Test
  void a_network_the_owner_allows_is_within_reach_and_no_other() {
    AllowedAddresses reach =
        new AllowedAddresses(
            List.of(
                Network.parse("10.1.0.0/16"),
                Network.parse("fd12::/16"),
                Network.parse("127.0.0.1")));
    assertThat(reach.includes(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
    assertThat(reach.includes(InetAddress.ofLiteral("64:ff9b::10.1.2.3"))).isTrue();
    assertThat(reach.includes(InetAddress.ofLiteral("fd12::1"))).isTrue();
    assertThat(reach.includes(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
    assertThat(reach.includes(InetAddress.ofLiteral("10.2.0.1"))).isFalse();
    assertThat(reach.includes(InetAddress.ofLiteral("127.0.0.2"))).isFalse();
    assertThat(reach.includes(InetAddress.ofLiteral("2002:a01:203::"))).isFalse();
    assertThat(reach.includes(InetAddress.ofLiteral("::1"))).isFalse();
  }
}
