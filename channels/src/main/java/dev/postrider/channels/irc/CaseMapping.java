package dev.postrider.channels.irc;

import java.util.Locale;

/** Which letters a server takes to be the same in nicks and names of channels. */
enum CaseMapping {
  ASCII(""),
  RFC1459("[]\\~"),
  /** As the document says, and no server does: without the tilde. */
  STRICT_RFC1459("[]\\");

  private static final String SMALL = "{}|^";

  private final String capitals;

  CaseMapping(String capitals) {
    this.capitals = capitals;
  }

  /** The mapping a server names. What none of these is has at least ASCII's letters in common. */
  static CaseMapping named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "rfc1459" -> RFC1459;
      case "rfc1459-strict", "strict-rfc1459" -> STRICT_RFC1459;
      default -> ASCII;
    };
  }

  String fold(String name) {
    StringBuilder folded = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      int capital = capitals.indexOf(c);
      folded.append(
          c >= 'A' && c <= 'Z' ? (char) (c + 32) : capital < 0 ? c : SMALL.charAt(capital));
    }
    return folded.toString();
  }
}
