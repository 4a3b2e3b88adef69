package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/**
 * The result of a settlement or of another change that may end a message.
 *
 * @param applied false if the message had moved on: the change was stale and nothing was written
 * @param next the message now at the head of the lane, if another one is and the lane is not paused
 * @param reserved that message in full, if it was reserved in the same write
 * @param failed the message as it has ended, if it should have ended delivered and the platform had
 *     said before that one of its parts failed
 */
public record SettleResult(
    boolean applied,
    @Nullable Head next,
    @Nullable StoredMessage reserved,
    @Nullable StoredMessage failed) {
  public static final SettleResult STALE = new SettleResult(false, null, null);

  public SettleResult(boolean applied, @Nullable Head next, @Nullable StoredMessage reserved) {
    this(applied, next, reserved, null);
  }
}
