package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.WritePosition;

/**
 * Keeps text from acting as markup where a platform has no escapes: with an invisible character.
 */
final class InvisibleJoiner {
  private InvisibleJoiner() {}

  /** Before it only after letters: there it could close something, elsewhere it might be closed. */
  static String around(char c, WritePosition spot) {
    return (letter(spot.before()) ? Notation.JOINER : "") + c + Notation.JOINER;
  }

  /** Whether a marker of emphasis could open or close something here. */
  static boolean couldAct(WritePosition spot) {
    int before = spot.before();
    int after = spot.after();
    boolean opens = !letter(before) && !space(after);
    boolean closes = !space(before) && !letter(after);
    return opens || closes;
  }

  private static boolean letter(int c) {
    return Character.isLetterOrDigit(c);
  }

  private static boolean space(int c) {
    return c == ' ' || c == '\t';
  }

  /** Whether a number before here, with a dot or bracket now, would begin an item. */
  static boolean endsItemNumber(WritePosition spot) {
    return spot.lead().matches("\\s*\\d{1,9}")
        && (spot.after() == WritePosition.EDGE || space(spot.after()));
  }

  /** Whether a bullet here would begin an item. */
  static boolean beginsItem(WritePosition spot) {
    return spot.first() && (spot.after() == WritePosition.EDGE || space(spot.after()));
  }
}
