package dev.postrider.channels.text.reading;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the markup of Slack, WhatsApp and Google Chat: a marker opens after something that is no
 * letter and before something that is no space, and closes the other way round, within a line. An
 * invisible joiner beside a marker takes its power.
 */
public final class MarkerReader {
  private static final String J = "\u2060";
  private static final Pattern FENCE = Pattern.compile("```\\n?(.*?)\\n?(> ?)*```", Pattern.DOTALL);
  private static final Pattern CODE =
      Pattern.compile("(?<!" + J + ")`(?!" + J + ")([^`\n]+)(?<!" + J + ")`(?!" + J + ")");
  private static final Pattern LINK =
      Pattern.compile("<(https?://|mailto:|tel:)[^|>\n]*\\|([^>\n]*)>");
  private static final Pattern ADDRESS = Pattern.compile("<(https?://[^|>\\s]*)>");

  private final boolean slack;
  private final boolean links;
  private final boolean lists;

  public static final MarkerReader SLACK = new MarkerReader(true, true, false);
  public static final MarkerReader WHATSAPP = new MarkerReader(false, false, true);
  public static final MarkerReader GOOGLE_CHAT = new MarkerReader(false, true, true);

  private MarkerReader(boolean slack, boolean links, boolean lists) {
    this.slack = slack;
    this.links = links;
    this.lists = lists;
  }

  public String read(String markup) {
    StringBuilder seen = new StringBuilder();
    int done = 0;
    for (Matcher fence = FENCE.matcher(markup); fence.find(); done = fence.end()) {
      seen.append(inlines(markup.substring(done, fence.start())));
      seen.append('\n').append(fence.group(1).replaceAll("(?m)^(> ?)+", "")).append('\n');
    }
    seen.append(inlines(markup.substring(done)));
    String text = seen.toString();
    return slack ? text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") : text;
  }

  private String inlines(String text) {
    StringBuilder all = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      String rest = line.replaceFirst("^(> ?)+", "");
      if (lists) {
        rest = rest.replaceFirst("^ *([-*]|\\d{1,9}[.)]) ", "");
      }
      all.append(code(rest)).append('\n');
    }
    return all.toString();
  }

  private String code(String line) {
    StringBuilder seen = new StringBuilder();
    int done = 0;
    for (Matcher code = CODE.matcher(line); code.find(); done = code.end()) {
      seen.append(link(line.substring(done, code.start()))).append(code.group(1));
    }
    return seen.append(link(line.substring(done))).toString();
  }

  private String link(String line) {
    if (!links) {
      return emphasis(line);
    }
    // the parts between links are read for emphasis, the links are not
    StringBuilder seen = new StringBuilder();
    Matcher link = Pattern.compile(LINK.pattern() + "|" + ADDRESS.pattern()).matcher(line);
    StringBuilder hidden = new StringBuilder();
    java.util.List<String> texts = new java.util.ArrayList<>();
    int done = 0;
    while (link.find()) {
      texts.add(link.group(2) != null ? link.group(2) : link.group(3));
      hidden.append(line, done, link.start()).append((char) (0xE000 + texts.size() - 1));
      done = link.end();
    }
    hidden.append(line.substring(done));
    for (char c : emphasis(hidden.toString()).toCharArray()) {
      if (c >= 0xE000 && c < 0xE000 + texts.size()) {
        seen.append(texts.get(c - 0xE000));
      } else {
        seen.append(c);
      }
    }
    return seen.toString();
  }

  private static String emphasis(String line) {
    String seen = line;
    for (int depth = 0; depth < 3; depth++) {
      for (String marker : new String[] {"\\*", "_", "~"}) {
        Pattern pair =
            Pattern.compile(
                "(?<![\\p{L}\\p{N}"
                    + J
                    + "])"
                    + marker
                    + "(?![\\s\\u00a0"
                    + J
                    + "])([^\n]*?[^\\s\\u00a0"
                    + J
                    + "])"
                    + marker
                    + "(?![\\p{L}\\p{N}"
                    + J
                    + "])");
        seen = pair.matcher(seen).replaceAll("$1");
      }
    }
    return seen;
  }
}
