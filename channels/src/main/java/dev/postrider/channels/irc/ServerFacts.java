package dev.postrider.channels.irc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a server says of itself when one logs in (005, ISUPPORT). Thread-safe. */
final class ServerFacts {
  private static final int LINE = 512;

  private final Map<String, String> told = new ConcurrentHashMap<>();

  /** Reads a 005: our nick, then tokens, then words for people. */
  void learn(IrcMessage message) {
    for (int i = 1; i < message.params().size() - 1; i++) {
      String token = message.param(i);
      int equals = token.indexOf('=');
      if (token.startsWith("-")) {
        told.remove(token.substring(1));
      } else {
        told.put(
            equals < 0 ? token : token.substring(0, equals),
            equals < 0 ? "" : token.substring(equals + 1));
      }
    }
  }

  CaseMapping caseMapping() {
    return CaseMapping.named(told.getOrDefault("CASEMAPPING", "rfc1459"));
  }

  boolean isChannel(String target) {
    return !target.isEmpty() && told.getOrDefault("CHANTYPES", "#&").indexOf(target.charAt(0)) >= 0;
  }

  /** Bytes of a line, its end among them. */
  int lineLength() {
    return number("LINELEN", LINE);
  }

  int number(String name, int otherwise) {
    String value = told.getOrDefault(name, "");
    return value.matches("\\d{1,6}") ? Integer.parseInt(value) : otherwise;
  }
}
