package dev.postrider.channels.xmpp;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An address of XMPP (RFC 7622), in its one form: {@code local@domain/resource}. Case counts in the
 * resource only, which is a device of a person or the nickname of somebody in a room.
 *
 * @param local empty for a server itself
 * @param resource empty for a bare address
 */
record Jid(String local, String domain, String resource) {
  private static final int LONGEST = 1023;
  private static final String NOT_IN_LOCAL = "\"&'/:<>@";

  /** Reads an address, or gives null if it is none. */
  static @Nullable Jid parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int slash = text.indexOf('/');
    String bare = slash < 0 ? text : text.substring(0, slash);
    String resource = slash < 0 ? "" : Normalizer.normalize(text.substring(slash + 1), NFC);
    int at = bare.indexOf('@');
    String local = at < 0 ? "" : folded(bare.substring(0, at));
    String domain = domain(bare.substring(at + 1));
    boolean empty = (at >= 0 && local.isEmpty()) || (slash >= 0 && resource.isEmpty());
    return domain == null || empty || !isLocal(local) || !isResource(resource)
        ? null
        : new Jid(local, domain, resource);
  }

  private static final Normalizer.Form NFC = Normalizer.Form.NFC;

  private static String folded(String text) {
    return Normalizer.normalize(text.toLowerCase(Locale.ROOT), NFC);
  }

  private static @Nullable String domain(String text) {
    String name = folded(text.endsWith(".") ? text.substring(0, text.length() - 1) : text);
    if (name.matches("\\[[0-9a-f:.]+]")) {
      return name;
    }
    try {
      String ascii = IDN.toASCII(name, IDN.USE_STD3_ASCII_RULES);
      return ascii.isEmpty() || ascii.length() > 253 ? null : name;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static boolean isLocal(String local) {
    return fits(local)
        && local
            .codePoints()
            .noneMatch(
                c ->
                    NOT_IN_LOCAL.indexOf(c) >= 0
                        || Character.isWhitespace(c)
                        || Character.isSpaceChar(c)
                        || unseen(c));
  }

  private static boolean isResource(String resource) {
    return fits(resource) && resource.codePoints().noneMatch(Jid::unseen);
  }

  private static boolean unseen(int c) {
    return Character.isISOControl(c)
        || !Character.isDefined(c)
        || Character.getType(c) == Character.SURROGATE;
  }

  private static boolean fits(String part) {
    return part.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
  }

  Jid bare() {
    return resource.isEmpty() ? this : new Jid(local, domain, "");
  }

  boolean isBare() {
    return resource.isEmpty();
  }

  Jid with(String other) {
    return new Jid(local, domain, other);
  }

  /** Whether both are of one person, or of one room. */
  boolean sameBare(Jid other) {
    return local.equals(other.local) && domain.equals(other.domain);
  }

  @Override
  public String toString() {
    String bare = local.isEmpty() ? domain : local + "@" + domain;
    return resource.isEmpty() ? bare : bare + "/" + resource;
  }
}
