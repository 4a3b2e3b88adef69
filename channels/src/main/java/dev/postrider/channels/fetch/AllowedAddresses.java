package dev.postrider.channels.fetch;

import dev.postrider.config.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses a fetch may reach: those that anybody on the Internet can, and the networks the
 * owner allows. By the registries of special-purpose addresses (IANA, RFC 6890); of IPv6, only what
 * is given out for global use counts as public.
 */
final class AllowedAddresses {
  private static final List<Network> NOT_PUBLIC =
      networks(
          "0.0.0.0/8", // this network
          "10.0.0.0/8",
          "100.64.0.0/10", // carriers' own; a cloud's metadata at 100.100.100.200
          "127.0.0.0/8",
          "168.63.129.16/32", // a cloud's metadata, at what looks like a public address
          "169.254.0.0/16", // link-local; metadata at 169.254.169.254
          "172.16.0.0/12",
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16",
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4", // reserved, broadcast
          "2001::/23", // protocol assignments, Teredo
          "2001:db8::/32", // documentation
          "2002::/16", // 6to4, which can hold any IPv4 address
          "3fff::/20"); // documentation

  private static final Network GLOBAL_V6 = Network.parse("2000::/3");

  /** IPv4 as a network without it sees it. */
  private static final Network NAT64 = Network.parse("64:ff9b::/96");

  private final List<Network> allowed;

  AllowedAddresses(List<Network> allowed) {
    this.allowed = allowed;
  }

  private static List<Network> networks(String... texts) {
    return Stream.of(texts).map(Network::parse).toList();
  }

  boolean includes(InetAddress address) {
    InetAddress real = NAT64.contains(address) ? embedded(address) : address;
    return isIn(allowed, real) || (isGlobal(real) && !isIn(NOT_PUBLIC, real));
  }

  private static boolean isIn(List<Network> networks, InetAddress address) {
    return networks.stream().anyMatch(network -> network.contains(address));
  }

  private static boolean isGlobal(InetAddress address) {
    return address.getAddress().length == 4 || GLOBAL_V6.contains(address);
  }

  private static InetAddress embedded(InetAddress address) {
    byte[] bytes = address.getAddress();
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }
}
