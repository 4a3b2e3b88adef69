package dev.postrider.channels.text.notation;

import java.util.Locale;
import java.util.Set;

/** What a link may lead to. */
final class LinkTargets {
  static final Set<String> WEB = Set.of("http", "https");
  static final Set<String> USUAL = Set.of("http", "https", "mailto", "tel");
  static final Set<String> MATRIX = Set.of("http", "https", "mailto", "tel", "ftp", "magnet");

  private LinkTargets() {}

  static boolean allowed(String target, Set<String> schemes) {
    int colon = target.indexOf(':');
    return colon > 0
        && schemes.contains(target.substring(0, colon).toLowerCase(Locale.ROOT))
        && target.chars().noneMatch(c -> c <= ' ' || c == 0x7F);
  }
}
