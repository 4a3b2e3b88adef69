package dev.postrider.channels.signal;

import dev.postrider.problem.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How people and groups are named: a number, a UUID, {@code u:name.01} or {@code group.…}. */
final class SignalAddress {
  private static final String GROUP = "group.";
  private static final String USERNAME = "u:";

  private static final Pattern NUMBER = Pattern.compile("\\+[1-9]\\d{5,14}");
  private static final Pattern UUID =
      Pattern.compile("(?i)(?:pni:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{2,31}\\.\\d{2,10}");

  /** Bytes of a group's id: of today's, and of those before 2020. */
  private static final Set<Integer> GROUP_BYTES = Set.of(32, 16);

  private SignalAddress() {}

  static String canonical(String given) {
    String to = given.strip();
    String person = person(to);
    String group = person == null ? group(to) : null;
    if (person == null && group == null) {
      throw new InvalidInput(
          "to",
          "must be a number with its country code such as +4915112345678, a person's UUID, u: and a"
              + " username such as u:ann.01, or group. and the id that signal-cli's listGroups"
              + " shows");
    }
    return person == null ? GROUP + group : person;
  }

  /** A person in the one form; null if it names none. */
  static @Nullable String person(String to) {
    String number = to.replaceAll("[ ()./-]", "");
    if (NUMBER.matcher(number).matches()) {
      return number;
    }
    String lower = to.toLowerCase(Locale.ROOT);
    if (UUID.matcher(to).matches()) {
      return lower.replaceFirst("^pni:", "PNI:");
    }
    boolean named = lower.startsWith(USERNAME);
    return named && NAME.matcher(lower.substring(USERNAME.length())).matches() ? lower : null;
  }

  /** A group's id as signal-cli writes it; null if it is none. */
  private static @Nullable String group(String to) {
    String id = to.startsWith(GROUP) ? to.substring(GROUP.length()) : to;
    byte[] bytes = decoded(id);
    if (bytes != null && !GROUP_BYTES.contains(bytes.length)) {
      // signal-cli-rest-api encodes the id once more.
      bytes = decoded(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    return bytes == null || !GROUP_BYTES.contains(bytes.length)
        ? null
        : Base64.getEncoder().encodeToString(bytes);
  }

  private static byte @Nullable [] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static boolean isGroup(String to) {
    return to.startsWith(GROUP);
  }

  static String ofGroup(String id) {
    return GROUP + id;
  }

  /** Names a chat in a request. */
  static void put(String to, Map<String, Object> params) {
    if (isGroup(to)) {
      params.put("groupId", to.substring(GROUP.length()));
    } else {
      params.put("recipient", to);
    }
  }
}
