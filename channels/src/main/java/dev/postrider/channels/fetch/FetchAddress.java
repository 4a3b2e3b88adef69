package dev.postrider.channels.fetch;

import dev.postrider.media.Fetcher.Refused;
import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;

/**
 * What an address means: whom to ask, and for what. Read once, and used as read: the host that is
 * looked up, connected to, asked for a certificate and named in the request is this one.
 *
 * @param name of the host, in ASCII
 * @param address the host's, if it was given as one
 * @param target path and query
 */
record FetchAddress(
    URI uri, String name, @Nullable InetAddress address, HttpHost host, String target) {
  private static final Pattern AUTHORITY =
      Pattern.compile("(?<host>\\[[0-9a-fA-F:.]+]|[^\\[\\]:@%]+)(:(?<port>\\d{0,5}))?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})*");

  /** Whoever reads the last label as a number takes the host for an IPv4 address. */
  private static final Pattern NUMBER = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)");

  private static final int LONGEST_NAME = 253;

  static FetchAddress of(String url) throws Refused {
    try {
      if (StandardCharsets.UTF_8.newEncoder().canEncode(url)) {
        return of(new URI(escaped(url)));
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw new Refused("this is not an address");
  }

  private static FetchAddress of(URI uri) throws Refused {
    String scheme = uri.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw new Refused("only http and https addresses are fetched");
    }
    String authority = uri.getRawAuthority();
    if (authority != null && authority.contains("@")) {
      throw new Refused("addresses with a user name are not fetched");
    }
    Matcher parts = AUTHORITY.matcher(authority == null ? "" : authority);
    if (!parts.matches()) {
      throw new Refused("the address names no host that can be looked up");
    }
    String name = name(parts.group("host"));
    InetAddress address = literal(name);
    HttpHost host =
        new HttpHost(
            scheme,
            address == null ? name : address.getHostAddress(),
            port(parts.group("port"), scheme));
    return new FetchAddress(uri, name, address, host, target(uri));
  }

  /** Browsers mend these, so people write them. */
  private static String escaped(String url) {
    return Pattern.compile("[ \"<>\\\\^`{|}]")
        .matcher(url.strip())
        .replaceAll(found -> "%%%02X".formatted((int) found.group().charAt(0)));
  }

  private static String name(String host) throws Refused {
    if (host.startsWith("[")) {
      return host.substring(1, host.length() - 1);
    }
    try {
      String ascii = IDN.toASCII(host).toLowerCase(Locale.ROOT);
      String name = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
      if (name.length() <= LONGEST_NAME && NAME.matcher(name).matches()) {
        return name;
      }
    } catch (IllegalArgumentException _) {
      // Said below.
    }
    throw new Refused("the address names no host that can be looked up");
  }

  /** The host as an address, if it is one; written so that everybody reads the same. */
  private static @Nullable InetAddress literal(String name) throws Refused {
    boolean v6 = name.contains(":");
    if (!v6 && !NUMBER.matcher(name).matches()) {
      return null;
    }
    try {
      InetAddress address = InetAddress.ofLiteral(name);
      if (v6 || address.getHostAddress().equals(name)) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // Said below.
    }
    throw new Refused(name + " is not how an address is written");
  }

  /** Below zero for the usual one, which is not to be said aloud: signed addresses mind. */
  private static int port(@Nullable String digits, String scheme) throws Refused {
    int usual = scheme.equalsIgnoreCase("https") ? 443 : 80;
    int port = digits == null || digits.isEmpty() ? usual : Integer.parseInt(digits);
    if (port == 0 || port > 65_535) {
      throw new Refused("port " + port + " does not exist");
    }
    return port == usual ? -1 : port;
  }

  private static String target(URI uri) {
    URI ascii = URI.create(uri.toASCIIString());
    String path = ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
    return ascii.getRawQuery() == null ? path : path + "?" + ascii.getRawQuery();
  }

  /** Where a redirect from here leads. */
  FetchAddress onward(String location) throws Refused {
    FetchAddress next;
    try {
      URI base = uri.getRawPath().isEmpty() ? uri.resolve("/") : uri;
      String onward = location.startsWith("?") ? base.getRawPath() + location : location;
      next = of(base.resolve(new URI(escaped(onward))));
    } catch (URISyntaxException _) {
      throw new Refused(this + " redirects to what is not an address");
    }
    if (isSecure() && !next.isSecure()) {
      throw new Refused(this + " redirects from https to http");
    }
    return next;
  }

  private boolean isSecure() {
    return host.getSchemeName().equals("https");
  }

  /** The host alone: the rest may hold secrets. */
  @Override
  public String toString() {
    return name;
  }
}
