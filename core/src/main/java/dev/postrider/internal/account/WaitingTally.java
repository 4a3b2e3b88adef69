package dev.postrider.internal.account;

import dev.postrider.store.message.WaitingHead;
import dev.postrider.store.message.WaitingHeads;
import dev.postrider.view.WaitingFor;
import dev.postrider.view.WaitingSummary;
import dev.postrider.view.WaitingSummary.Group;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what waits by kind, account and cause. What was counted and not looked at is there
 * without a cause, so that the sum is right. For one caller.
 */
final class WaitingTally {
  static final String OTHER = "other";

  private final Map<Key, Group> groups = new LinkedHashMap<>();
  private boolean complete = true;

  private record Key(String kind, String account, @Nullable String cause) {}

  /** All of an account waits for one thing. */
  void all(
      String account,
      WaitingFor wait,
      long messages,
      WaitingHeads heads,
      @Nullable Instant oldestAt) {
    complete &= !heads.more();
    add(
        new Group(
            wait.kind(),
            account,
            wait.cause(),
            messages,
            heads.equals(WaitingHeads.NONE) ? null : heads.all(),
            oldestAt,
            wait.since(),
            wait.until()));
  }

  /** One that stands first. */
  void head(WaitingHead head, WaitingFor wait) {
    Instant accepted = head.message().createdAt();
    add(
        new Group(
            wait.kind(),
            head.lane().account(),
            wait.cause(),
            1,
            1L,
            accepted,
            wait.since(),
            wait.until()));
  }

  /** Others that stand first and were only counted: of what their kind usually waits for. */
  void unseen(String account, WaitingHeads heads, List<WaitingHead> seen, Instant now) {
    Map<String, Long> looked =
        seen.stream()
            .collect(Collectors.groupingBy(head -> usual(head, now), Collectors.counting()));
    unseen(account, "pace", heads.due(), looked);
    unseen(account, "retry", heads.retried(), looked);
    unseen(account, "sendAt", heads.scheduled(), looked);
    unseen(account, "lanePaused", heads.paused(), looked);
  }

  private void unseen(String account, String kind, long counted, Map<String, Long> looked) {
    long heads = counted - looked.getOrDefault(kind, 0L);
    if (heads > 0) {
      complete = false;
      add(new Group(kind, account, null, heads, heads, null, null, null));
    }
  }

  private static String usual(WaitingHead head, Instant now) {
    if (head.paused()) {
      return "lanePaused";
    }
    if (!head.message().dueAt().isAfter(now)) {
      return "pace";
    }
    return head.message().scheduled() ? "sendAt" : "retry";
  }

  /** Those that do not stand first; or do, if more of those were there than anybody counted. */
  void rest(String account, boolean moreHeads, long messages) {
    complete &= !moreHeads;
    if (messages > 0) {
      String kind = moreHeads ? OTHER : "behind";
      add(new Group(kind, account, null, messages, null, null, null, null));
    }
  }

  private void add(Group group) {
    groups.merge(
        new Key(group.kind(), group.account(), group.cause()), group, WaitingTally::together);
  }

  private static Group together(Group one, Group other) {
    Long lanes = one.lanes() == null || other.lanes() == null ? null : one.lanes() + other.lanes();
    return new Group(
        one.kind(),
        one.account(),
        one.cause(),
        one.messages() + other.messages(),
        lanes,
        first(one.oldestAt(), other.oldestAt()),
        first(one.since(), other.since()),
        first(one.until(), other.until()));
  }

  private static @Nullable Instant first(@Nullable Instant one, @Nullable Instant other) {
    return Stream.of(one, other)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  WaitingSummary summary() {
    List<Group> longestFirst =
        groups.values().stream()
            .sorted(
                Comparator.comparing(
                        Group::oldestAt, Comparator.nullsLast(Comparator.naturalOrder()))
                    .thenComparing(Group::messages, Comparator.reverseOrder()))
            .toList();
    return new WaitingSummary(longestFirst, complete);
  }
}
