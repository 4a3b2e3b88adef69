package dev.postrider.engine;

import java.util.Collection;
import java.util.Comparator;

/** Guesses what somebody meant to write. */
public final class Nearest {
  private Nearest() {}

  /** {@code "; did you mean 'x'?"}, or nothing if no known word comes near. */
  public static String hint(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .filter(best -> distance(word, best) <= Math.max(2, word.length() / 2))
        .map(best -> "; did you mean '" + best + "'?")
        .orElse("");
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
