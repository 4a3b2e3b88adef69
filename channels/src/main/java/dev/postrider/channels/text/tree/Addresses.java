package dev.postrider.channels.text.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds web addresses that stand bare in a text: they must be neither cut nor escaped. */
public final class Addresses {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}])https?://[^\\s<>\"\\p{Cntrl}]++", Pattern.CASE_INSENSITIVE);
  private static final String NEVER_LAST = ".,;:!?'*_~`|\\[{(";

  private Addresses() {}

  /** The text in pieces; each address is a link to itself. */
  public static List<Inline> split(String text) {
    List<Inline> pieces = new ArrayList<>();
    int done = 0;
    for (Matcher found = ADDRESS.matcher(text); found.find(); ) {
      int end = end(text, found.start(), found.end());
      if (end - found.start() > "https://".length()) {
        if (found.start() > done) {
          pieces.add(new Inline.Text(text.substring(done, found.start())));
        }
        String address = text.substring(found.start(), end);
        pieces.add(new Inline.Link(address, List.of(new Inline.Text(address))));
        done = end;
      }
    }
    if (done < text.length()) {
      pieces.add(new Inline.Text(text.substring(done)));
    }
    return pieces;
  }

  /** Leaves the punctuation of the sentence around the address to the sentence. */
  private static int end(String text, int start, int end) {
    int open = 0;
    for (int i = start; i < end; i++) {
      switch (text.charAt(i)) {
        case '(' -> open++;
        case ')' -> open--;
        default -> {}
      }
    }
    while (end > start) {
      char last = text.charAt(end - 1);
      if (last == ')' && open < 0) {
        open++;
      } else if (last == '(') {
        open--;
      } else if (NEVER_LAST.indexOf(last) < 0 && last != ']' && last != '}') {
        break;
      }
      end--;
    }
    return end;
  }
}
