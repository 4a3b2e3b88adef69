package dev.postrider.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name somebody probably meant. */
public final class NearestName {
  /** Nobody mistypes a name into something as long as this; comparing it would cost a lot. */
  private static final int LONGEST = 100;

  private NearestName() {}

  /** The known name nearest to the given one, if any is near enough to be a likely slip. */
  public static Optional<String> to(String given, Collection<String> known) {
    if (given.length() > LONGEST) {
      return Optional.empty();
    }
    String wanted = given.toLowerCase(Locale.ROOT);
    int near = Math.max(2, wanted.length() / 3);
    return known.stream()
        .filter(name -> distance(wanted, name.toLowerCase(Locale.ROOT)) <= near)
        .min(Comparator.comparingInt(name -> distance(wanted, name.toLowerCase(Locale.ROOT))));
  }

  /** A half-sentence to append to "is not known": the nearest name, or all of them if few. */
  public static String hint(String given, Collection<String> known) {
    return to(given, known)
        .map(name -> "; did you mean '" + name + "'?")
        .orElseGet(() -> known.isEmpty() ? "" : "; known are " + String.join(", ", known));
  }

  /** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other. */
  static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        edits[i][j] =
            Math.min(
                Math.min(edits[i - 1][j] + 1, edits[i][j - 1] + 1), edits[i - 1][j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
