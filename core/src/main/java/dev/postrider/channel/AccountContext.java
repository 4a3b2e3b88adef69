package dev.postrider.channel;

import dev.postrider.config.AccountConfig;
import dev.postrider.time.Scheduler;

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
}
