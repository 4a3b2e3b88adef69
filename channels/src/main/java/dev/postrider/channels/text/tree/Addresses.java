package dev.postrider.channels.text.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds web addresses that stand bare in a text: they must be neither cut nor escaped. */
public final class Addresses {
  private static final Pattern BEGINNING = Pattern.compile("https?://", Pattern.CASE_INSENSITIVE);
  private static final String NEVER_WITHIN = "<>\"*`|\\^{}[]";
  private static final String NEVER_LAST = ".,;:!?'_~(";

  private Addresses() {}

  /** The text in pieces; each address is a link to itself. */
  public static List<Inline> split(String text) {
    List<Inline> pieces = new ArrayList<>();
    int done = 0;
    Matcher found = BEGINNING.matcher(text);
    for (int from = 0; found.find(from); ) {
      int end = end(text, found.end());
      if (end > found.end()) {
        if (found.start() > done) {
          pieces.add(new Inline.Text(text.substring(done, found.start())));
        }
        String address = text.substring(found.start(), end);
        pieces.add(new Inline.Link(address, List.of(new Inline.Text(address))));
        done = end;
      }
      from = end;
    }
    if (done < text.length()) {
      pieces.add(new Inline.Text(text.substring(done)));
    }
    return pieces;
  }

  /** Leaves the punctuation and the brackets of the sentence around the address to the sentence. */
  private static int end(String text, int start) {
    int open = 0;
    int end = start;
    while (end < text.length() && open >= 0) {
      char c = text.charAt(end);
      if (c <= ' ' || Character.isSpaceChar(c) || NEVER_WITHIN.indexOf(c) >= 0) {
        break;
      }
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      end++;
    }
    if (open < 0) {
      end--;
    }
    while (end > start && NEVER_LAST.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return end;
  }
}
