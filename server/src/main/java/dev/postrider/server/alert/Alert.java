package dev.postrider.server.alert;

import java.util.Locale;

/**
 * One thing that operators are told.
 *
 * @param account the account it is about
 * @param over whether the trouble is over
 * @param text a sentence
 */
record Alert(Kind kind, String account, boolean over, String text) {

  enum Kind {
    ACCOUNT_DOWN,
    LISTENING_FAILING,
    OLDEST_WAITING,
    DEAD_LETTERS,
    RUN_ENDED;

    /** The kind's name on the wire: {@code account-down}. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it says that the account cannot do its work, which it could not tell itself. */
    boolean disablesAccount() {
      return this == ACCOUNT_DOWN || this == LISTENING_FAILING || this == OLDEST_WAITING;
    }
  }
}
