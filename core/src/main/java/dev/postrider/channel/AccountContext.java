package dev.postrider.channel;

import dev.postrider.config.AccountConfig;
import dev.postrider.time.Scheduler;
import org.jspecify.annotations.Nullable;

/** What a link is given of the engine it works in. */
public interface AccountContext {
  AccountConfig config();

  /** The engine's clock, timers and tasks; a link that blocks on its own does so through these. */
  Scheduler scheduler();

  /** What the account remembers of its chats and of itself. */
  Memory memory();

  /** The platform can be sent to. A link counts as ready until it says otherwise. */
  void ready();

  /** The platform cannot be sent to at the moment: messages wait, and no attempt is charged. */
  void notReady(String reason);

  /**
   * The same, until a person logs the account in ({@link Link#login}); people are told how.
   *
   * @param reason such as "logged out by the phone"
   */
  default void needsLogin(String reason) {
    notReady(howToLogIn(config().id()) + ": " + reason);
  }

  /**
   * Uses at most a part of the account's pace from now on, though the platform has not complained:
   * for a young account, say. Lasts until it is said anew, or the link is closed.
   *
   * @param share above 0; 1 for the whole pace
   * @param because for people, such as "which is young"; null with the whole pace
   */
  default void lowerPace(double share, @Nullable String because) {}

  /** What a person does about an account that waits for them. */
  static String howToLogIn(String account) {
    return "log in with 'postrider accounts login " + account + "'";
  }
}
