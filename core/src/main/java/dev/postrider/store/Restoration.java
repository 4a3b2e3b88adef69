package dev.postrider.store;

import dev.postrider.message.EndReason;

/**
 * Holds what may have been sent since the backup was taken that a store came back from. What the
 * backup calls waiting may long have arrived, and nothing in it tells: so no message in it is sent
 * again unless a person says so.
 *
 * <ul>
 *   <li>Messages that are queued or being sent become dead letters: held, with {@link #REASON}, and
 *       possible duplicates; what was delivered of them stays so. They end in the order of their
 *       lanes, so that a replay keeps it.
 *   <li>Those outside the order of their lane that are not due yet stay: nobody tries a message
 *       before it is due.
 *   <li>What was to be sent again by itself is not.
 *   <li>Runs that have not ended are paused.
 *   <li>Inbound messages that wait, or that somebody has, become dead letters: they may have been
 *       answered.
 * </ul>
 *
 * Goes in small steps, each durable by itself: whoever is stopped begins again, and goes on. Nobody
 * else may work on the store meanwhile, and the engine does not open it before this has finished.
 * Used by one thread.
 */
public interface Restoration {
  /** Why messages are held. */
  String REASON = EndReason.RESTORED.label();

  /** Takes the next few; tells how far it has come, until that is finished. */
  Restored next();
}
