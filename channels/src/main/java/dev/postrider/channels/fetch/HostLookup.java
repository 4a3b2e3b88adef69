package dev.postrider.channels.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of a host. */
@FunctionalInterface
public interface HostLookup {
  HostLookup SYSTEM = InetAddress::getAllByName;

  InetAddress[] addresses(String host) throws UnknownHostException;
}
