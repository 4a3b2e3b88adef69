package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/**
 * Which lanes to list; null means any.
 *
 * @param chat by the name it has now; of every account that has such a lane
 * @param byAge the one first whose oldest message was accepted first, and only lanes that hold
 *     messages; if not, all by account and chat
 */
public record LaneFilter(
    @Nullable String account, @Nullable String chat, @Nullable LaneState state, boolean byAge) {
  public LaneFilter(@Nullable String account, @Nullable LaneState state, boolean byAge) {
    this(account, null, state, byAge);
  }

  public static LaneFilter of(@Nullable String account) {
    return new LaneFilter(account, null, false);
  }

  /** The same, for one chat; there are so few that they come by account. */
  public LaneFilter ofChat(@Nullable String name) {
    return new LaneFilter(account, name, state, byAge);
  }
}
