package dev.postrider.channels.email;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What can be read in HTML, roughly: tags are dropped, blocks begin a line. Takes time in
 * proportion to the text, whatever it is.
 */
final class HtmlText {
  private static final Set<String> SILENT = Set.of("head", "style", "script", "title");
  private static final Set<String> LINES =
      Set.of("br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote");

  private static final Pattern NAME = Pattern.compile("</?([a-zA-Z][a-zA-Z0-9]{0,20})");
  private static final Pattern ENTITY =
      Pattern.compile("&(#\\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-z]{2,6});");
  private static final Map<String, String> NAMED =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", " ");

  private final String html;
  private final Matcher name;
  private final StringBuilder text = new StringBuilder();

  private HtmlText(String html) {
    this.html = html;
    this.name = NAME.matcher(html);
  }

  static String of(String html) {
    return new HtmlText(html).read();
  }

  private String read() {
    int at = 0;
    while (at < html.length()) {
      int tag = html.indexOf('<', at);
      words(html.substring(at, tag < 0 ? html.length() : tag));
      at = tag < 0 ? html.length() : after(tag);
    }
    return text.toString().replaceAll(" ?\\n[ \\n]*\\n ?", "\n\n").strip();
  }

  private void words(String raw) {
    text.append(entities(raw.replaceAll("\\s+", " ")));
  }

  /** Where to read on after what begins with a {@code <}. */
  private int after(int tag) {
    if (html.startsWith("<!--", tag)) {
      return past("-->", tag);
    }
    if (!name.region(tag, html.length()).lookingAt()) {
      text.append('<');
      return tag + 1;
    }
    String element = name.group(1).toLowerCase(Locale.ROOT);
    if (LINES.contains(element)) {
      text.append('\n');
    }
    boolean opens = html.charAt(tag + 1) != '/';
    int end = opens && SILENT.contains(element) ? closing(element, tag) : tag;
    return past(">", end);
  }

  private int closing(String element, int from) {
    for (int at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
      if (html.regionMatches(true, at + 2, element, 0, element.length())) {
        return at;
      }
    }
    return html.length();
  }

  private int past(String mark, int from) {
    int at = html.indexOf(mark, from);
    return at < 0 ? html.length() : at + mark.length();
  }

  private static String entities(String text) {
    return ENTITY.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found)));
  }

  private static String character(MatchResult entity) {
    String name = entity.group(1);
    if (!name.startsWith("#")) {
      return NAMED.getOrDefault(name, entity.group());
    }
    boolean hex = name.charAt(1) == 'x' || name.charAt(1) == 'X';
    int code = hex ? Integer.parseInt(name.substring(2), 16) : Integer.parseInt(name.substring(1));
    boolean sayable = Character.isDefined(code) && !isSurrogate(code) && code != 0;
    return sayable ? Character.toString(code) : entity.group();
  }

  private static boolean isSurrogate(int code) {
    return code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
  }
}
