package dev.postrider.store.message;

/**
 * How many messages of an account stand first in their lane, or outside its order, and wait.
 *
 * @param due those whose time has come
 * @param paused those whose lane is paused
 * @param retried those that are tried again later
 * @param scheduled those that are wanted later
 * @param more whether there are more of one kind than were counted
 */
public record WaitingHeads(long due, long paused, long retried, long scheduled, boolean more) {
  public static final WaitingHeads NONE = new WaitingHeads(0, 0, 0, 0, false);

  public long all() {
    return due + paused + retried + scheduled;
  }

  /** Both together. */
  public WaitingHeads plus(WaitingHeads other) {
    return new WaitingHeads(
        due + other.due,
        paused + other.paused,
        retried + other.retried,
        scheduled + other.scheduled,
        more || other.more);
  }
}
