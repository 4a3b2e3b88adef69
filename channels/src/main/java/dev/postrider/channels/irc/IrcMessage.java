package dev.postrider.channels.irc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One line of IRC as a server says it.
 *
 * @param source who says it: a server, or {@code nick!user@host}; empty if it does not say
 */
record IrcMessage(Map<String, String> tags, String source, String command, List<String> params) {

  IrcMessage {
    tags = Map.copyOf(tags);
    params = List.copyOf(params);
  }

  /** Reads a line; null if it is none. */
  static @Nullable IrcMessage parse(String line) {
    String rest = line;
    Map<String, String> tags = Map.of();
    if (rest.startsWith("@")) {
      tags = readTags(word(rest).substring(1));
      rest = afterWord(rest);
    }
    String source = "";
    if (rest.startsWith(":")) {
      source = word(rest).substring(1);
      rest = afterWord(rest);
    }
    String command = word(rest);
    rest = afterWord(rest);
    List<String> params = new ArrayList<>();
    while (!rest.isEmpty()) {
      if (rest.startsWith(":")) {
        params.add(rest.substring(1));
        break;
      }
      params.add(word(rest));
      rest = afterWord(rest);
    }
    return command.isEmpty() ? null : new IrcMessage(tags, source, command, params);
  }

  private static String word(String line) {
    int space = line.indexOf(' ');
    return space < 0 ? line : line.substring(0, space);
  }

  private static String afterWord(String line) {
    int space = line.indexOf(' ');
    return space < 0 ? "" : line.substring(space).stripLeading();
  }

  private static Map<String, String> readTags(String text) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String tag : text.split(";")) {
      int equals = tag.indexOf('=');
      String key = equals < 0 ? tag : tag.substring(0, equals);
      tags.put(key, equals < 0 ? "" : unescaped(tag.substring(equals + 1)));
    }
    return tags;
  }

  private static String unescaped(String value) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c != '\\') {
        plain.append(c);
      } else if (++i < value.length()) {
        plain.append(
            switch (value.charAt(i)) {
              case ':' -> ';';
              case 's' -> ' ';
              case 'r' -> '\r';
              case 'n' -> '\n';
              default -> value.charAt(i);
            });
      }
    }
    return plain.toString();
  }

  private static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace(";", "\\:")
        .replace(" ", "\\s")
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }

  /** Writes a command; only the last parameter may have spaces in it. */
  static String line(String command, String... params) {
    StringBuilder line = new StringBuilder(command);
    for (int i = 0; i < params.length; i++) {
      String param = params[i];
      boolean open = param.isEmpty() || param.startsWith(":") || param.indexOf(' ') >= 0;
      if (open && i < params.length - 1) {
        throw new IllegalArgumentException("a parameter of " + command + " is not one word");
      }
      line.append(open ? " :" : " ").append(param);
    }
    return requireLine(line.toString());
  }

  /** Writes a command that says something. */
  static String saying(String command, String target, String text) {
    return requireLine(line(command, target) + " :" + text);
  }

  /** Writes tags before a command. */
  static String tagged(Map<String, String> tags, String line) {
    return tags.isEmpty()
        ? line
        : requireLine(
            tags.entrySet().stream()
                .map(tag -> tag.getKey() + "=" + escaped(tag.getValue()))
                .collect(Collectors.joining(";", "@", " " + line)));
  }

  /** Nothing that is said may begin another line. */
  private static String requireLine(String line) {
    if (!isLine(line)) {
      throw new IllegalArgumentException("what is said would end its line");
    }
    return line;
  }

  /** Whether a text stays within one line. */
  static boolean isLine(String text) {
    return text.chars().noneMatch(c -> c == '\r' || c == '\n' || c == '\0');
  }

  /** The same with other tags. */
  IrcMessage withTags(Map<String, String> others) {
    return new IrcMessage(others, source, command, params);
  }

  /** Who says it, without user and host. */
  String nick() {
    int end = source.indexOf('!');
    return end < 0 ? source : source.substring(0, end);
  }

  /** Whether a person, and no server, says it. */
  boolean isFromUser() {
    return source.indexOf('!') > 0;
  }

  String tag(String name) {
    return tags.getOrDefault(name, "");
  }

  /** A parameter; empty if there are not so many. */
  String param(int index) {
    return index < params.size() ? params.get(index) : "";
  }

  String last() {
    return params.isEmpty() ? "" : params.getLast();
  }

  boolean is(String name) {
    return command.equalsIgnoreCase(name);
  }

  /** Whether it is an error by number, or the newer FAIL. */
  boolean isRefusal() {
    return command.matches("[45]\\d\\d|263|707|716") || is("FAIL");
  }

  /** What it says to people: the code and the words. */
  String words() {
    String words = is("FAIL") ? String.join(" ", params) : command + " " + last();
    return words.replaceAll("\\p{Cntrl}", "");
  }
}
