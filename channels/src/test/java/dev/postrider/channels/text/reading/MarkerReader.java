package dev.postrider.channels.text.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the markup of Slack, WhatsApp and Google Chat: a marker opens after something that is no
 * letter and before something that is no space, and closes the other way round, within a line. An
 * invisible joiner beside a marker takes its power.
 */
public final class MarkerReader {
  private static final String J = "\u2060";
  private static final Pattern FENCE =
      Pattern.compile(
          "((?:> ?)*)( *(?:[-*•] |\\d+\\. ))*```\\n?(.*?)\\n?(?:> ?)*```", Pattern.DOTALL);
  private static final Pattern CODE =
      Pattern.compile("(?<!" + J + ")`(?!" + J + ")([^`\n]+)(?<!" + J + ")`(?!" + J + ")");
  private static final String BARE =
      "https?://[\\p{L}\\p{N}](?:[^\\s<>\"*`|\\\\^{}\\[\\]]*[^\\s<>\"*`|\\\\^{}\\[\\].,;:!?'_~(])?";
  private static final Pattern LINK_OR_ADDRESS =
      Pattern.compile(
          "<(?:https?://|mailto:|tel:)[^|>\n]*\\|([^>\n]*)>|<https?://[^|>\\s]*>|" + BARE);
  private static final Pattern ADDRESS = Pattern.compile(BARE);
  private static final char FIRST_ASIDE = 0xE000;

  private final boolean slack;
  private final boolean links;
  private final boolean lists;

  public static final MarkerReader SLACK = new MarkerReader(true, true, false);
  public static final MarkerReader WHATSAPP = new MarkerReader(false, false, true);
  public static final MarkerReader GOOGLE_CHAT = new MarkerReader(false, true, true);
  public static final MarkerReader XMPP = new MarkerReader(false, false, false);

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
      String code = fence.group(3);
      seen.append(lists || fence.group(2) == null ? "" : fence.group(2));
      seen.append('\n')
          .append(code.replaceAll("(?m)^" + fence.group(1).replace("> ", "> ?"), ""))
          .append('\n');
    }
    seen.append(inlines(markup.substring(done)));
    String text = seen.toString();
    return slack ? text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") : text;
  }

  private String inlines(String text) {
    StringBuilder all = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      String rest =
          line.replaceFirst(lists ? "^(?: *(?:> ?|(?:[-*]|\\d{1,9}[.)]) ))+" : "^(?: *> ?)+", "");
      all.append(line(rest)).append('\n');
    }
    return all.toString();
  }

  /** What is code or a link is no emphasis: it is put aside while the rest is read. */
  private String line(String line) {
    List<String> aside = new ArrayList<>();
    String rest = aside(line, CODE, aside, found -> found.group(1));
    rest =
        links
            ? aside(rest, LINK_OR_ADDRESS, aside, MarkerReader::linked)
            : aside(rest, ADDRESS, aside, MatchResult::group);
    StringBuilder seen = new StringBuilder(emphasis(rest));
    for (int i = aside.size() - 1; i >= 0; i--) {
      int at = seen.indexOf(String.valueOf((char) (FIRST_ASIDE + i)));
      seen.replace(at, at + 1, aside.get(i));
    }
    return seen.toString();
  }

  private static String aside(
      String text, Pattern what, List<String> aside, Function<MatchResult, String> seen) {
    return what.matcher(text)
        .replaceAll(
            found -> {
              aside.add(seen.apply(found));
              return String.valueOf((char) (FIRST_ASIDE + aside.size() - 1));
            });
  }

  private static String linked(MatchResult found) {
    String all = found.group();
    return found.group(1) != null
        ? found.group(1)
        : all.startsWith("<") ? all.substring(1, all.length() - 1) : all;
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
