package dev.postrider.channels.fetch;

import dev.postrider.config.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a host that somebody else has named may be connected to: one that anybody on the Internet
 * can reach, or in a network that the owner allows. Asked by its name it is a courtesy, to say
 * early and clearly what is wrong: whoever owns the name can change it a moment later. What counts
 * is the address that is connected to.
 */
public final class ReachableHosts {
  private final AllowedAddresses allowed;
  private final HostLookup names;

  public ReachableHosts(List<Network> allowed) {
    this(allowed, HostLookup.SYSTEM);
  }

  public ReachableHosts(List<Network> allowed, HostLookup names) {
    this.allowed = new AllowedAddresses(allowed);
    this.names = names;
  }

  /**
   * @throws UnknownHostException if it has no address
   */
  public boolean includes(String host) throws UnknownHostException {
    InetAddress[] addresses = names.addresses(host.replaceAll("^\\[|]$", ""));
    return Stream.of(addresses).allMatch(allowed::includes);
  }

  public boolean includes(InetAddress address) {
    return allowed.includes(address);
  }
}
