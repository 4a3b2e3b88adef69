package dev.postrider.channels.xmpp;

import java.net.IDN;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/** Where a server listens. */
record ServerAddress(String host, int port) {

  /** One SRV record. */
  private record Service(int priority, int weight, ServerAddress at) {}

  /**
   * Where the clients of a domain are to connect, best first: as its SRV records say (RFC 6120,
   * XEP-0368), else the domain itself.
   *
   * @param direct whether TLS begins with the connection
   */
  static List<ServerAddress> of(String domain, boolean direct) {
    String ascii = IDN.toASCII(domain);
    String service = direct ? "_xmpps-client._tcp." : "_xmpp-client._tcp.";
    List<Service> found = new ArrayList<>(lookUp(service + ascii));
    found.sort(
        Comparator.comparingInt(Service::priority)
            .thenComparing(Comparator.comparingInt(Service::weight).reversed()));
    return found.isEmpty()
        ? List.of(new ServerAddress(ascii, direct ? 5223 : 5222))
        : found.stream().map(Service::at).toList();
  }

  @SuppressWarnings("BanJNDI") // of JNDI only the DNS provider is asked, which gives texts
  private static List<Service> lookUp(String name) {
    Hashtable<String, String> settings = new Hashtable<>();
    settings.put("java.naming.factory.initial", "com.sun.jndi.dns.DnsContextFactory");
    settings.put("java.naming.provider.url", "dns:");
    settings.put("com.sun.jndi.dns.timeout.initial", "2000");
    settings.put("com.sun.jndi.dns.timeout.retries", "2");
    List<Service> found = new ArrayList<>();
    try {
      DirContext dns = new InitialDirContext(settings);
      try {
        Attributes answer = dns.getAttributes(name, new String[] {"SRV"});
        Attribute records = answer.get("SRV");
        if (records != null) {
          NamingEnumeration<?> each = records.getAll();
          while (each.hasMore()) {
            add(String.valueOf(each.next()), found);
          }
        }
      } finally {
        dns.close();
      }
    } catch (NamingException _) {
      // No such records, or nobody who knows: then the domain is the host.
    }
    return found;
  }

  /** Reads {@code priority weight port host.}; a host of one dot is no host. */
  private static void add(String srv, List<Service> to) {
    String[] fields = srv.trim().split(" ");
    if (fields.length == 4 && !fields[3].equals(".")) {
      try {
        to.add(
            new Service(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                new ServerAddress(
                    fields[3].replaceFirst("\\.$", ""), Integer.parseInt(fields[2]))));
      } catch (NumberFormatException _) {
        // Not a record that can be followed.
      }
    }
  }
}
