package dev.postrider.channels.fetch;

import dev.postrider.config.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a host that somebody else has named may be connected to: one that anybody on the Internet
 * can reach, or in a network that the owner allows. For connections that cannot be made to an
 * address which was looked up before; whoever owns the name could change it in between.
 */
public final class ReachableHosts {
  private final AllowedAddresses allowed;

  public ReachableHosts(List<Network> allowed) {
    this.allowed = new AllowedAddresses(allowed);
  }

  /**
   * @throws UnknownHostException if it has no address
   */
  public boolean includes(String host) throws UnknownHostException {
    InetAddress[] addresses = HostLookup.SYSTEM.addresses(host.replaceAll("^\\[|]$", ""));
    return Stream.of(addresses).allMatch(allowed::includes);
  }
}
