package dev.postrider.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits, by what it waits for.
 *
 * @param groups the one first whose message waits longest
 * @param complete whether the cause of all of them was looked at; if not, those that were not have
 *     no cause, or are of the kind {@code other}
 */
public record WaitingSummary(List<Group> groups, boolean complete) {
  public WaitingSummary {
    groups = List.copyOf(groups);
  }

  /** How many wait. */
  public long messages() {
    return groups.stream().mapToLong(Group::messages).sum();
  }

  /**
   * Messages of an account that wait for the same.
   *
   * @param kind as {@link WaitingFor#kind} says it, or {@code other}
   * @param cause in words; null if there is nothing to say, or nobody looked
   * @param lanes how many stand first in their lane, or outside its order; null if nobody counted
   * @param oldestAt when the one of them was accepted that waits longest, as far as is known
   * @param since when the first of them began to wait for this
   * @param until when it ends for the first of them
   */
  public record Group(
      String kind,
      String account,
      @Nullable String cause,
      long messages,
      @Nullable Long lanes,
      @Nullable Instant oldestAt,
      @Nullable Instant since,
      @Nullable Instant until) {}
}
