package dev.postrider.store.message;

import org.jspecify.annotations.Nullable;

/**
 * Which lanes to list; null means any.
 *
 * @param byAge the one first whose oldest message was accepted first, and only lanes that hold
 *     messages; if not, all by account and chat
 */
public record LaneFilter(@Nullable String account, @Nullable LaneState state, boolean byAge) {
  public static LaneFilter of(@Nullable String account) {
    return new LaneFilter(account, null, false);
  }
}
