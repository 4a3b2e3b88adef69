package dev.postrider.channels.text.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads HTML the way a strict platform does: every tag known, closed in order, nothing else. */
public final class HtmlReader {
  private static final Pattern TOKEN =
      Pattern.compile("<(/?)([a-z0-9]+)((?: [a-z]+=\"[^\"<>]*\")*)>|&(\\w+);|([<>&])|([^<>&]+)");
  private static final Map<String, String> ENTITIES =
      Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"");
  private static final Set<String> EMPTY = Set.of("br", "hr");

  public static final Set<String> TELEGRAM =
      Set.of("b", "i", "s", "u", "code", "pre", "a", "blockquote");
  public static final Set<String> WHOLE =
      Set.of(
          "b",
          "i",
          "s",
          "code",
          "pre",
          "a",
          "blockquote",
          "p",
          "h1",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
          "ul",
          "ol",
          "li",
          "table",
          "tr",
          "th",
          "td",
          "hr",
          "br");

  private HtmlReader() {}

  public static String read(String html, Set<String> tags) {
    StringBuilder seen = new StringBuilder();
    Deque<String> open = new ArrayDeque<>();
    int done = 0;
    for (Matcher token = TOKEN.matcher(html); token.find(); done = token.end()) {
      assertThat(token.start()).as("all of %s is read", html).isEqualTo(done);
      assertThat(token.group(5)).as("a bare sign in %s", html).isNull();
      if (token.group(6) != null) {
        seen.append(token.group(6));
      } else if (token.group(4) != null) {
        assertThat(ENTITIES).containsKey(token.group(4));
        seen.append(ENTITIES.get(token.group(4)));
      } else {
        tag(html, token, tags, open, seen);
      }
    }
    assertThat(done).isEqualTo(html.length());
    assertThat(open).as("open at the end of %s", html).isEmpty();
    return seen.toString();
  }

  private static void tag(
      String html, Matcher token, Set<String> tags, Deque<String> open, StringBuilder seen) {
    String name = token.group(2);
    assertThat(tags).contains(name);
    if (!token.group(1).isEmpty()) {
      assertThat(open.peek()).as("closed in %s", html).isEqualTo(name);
      open.pop();
    } else if (!EMPTY.contains(name)) {
      if (tags.equals(TELEGRAM) && name.equals("blockquote")) {
        assertThat(open).as("Telegram knows no quote in a quote").doesNotContain("blockquote");
      }
      open.push(name);
    }
    if (tags.equals(WHOLE) && !Set.of("b", "i", "s", "code", "a").contains(name)) {
      seen.append('\n');
    }
  }
}
