package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageId;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReasonCount;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How far a run has come: counts, lists, what is left; and many targets changed at once. */
abstract class RunProgress extends ReminderBehaviour {
  RunProgress(StoreContract contract) {
    super(contract);
  }

  /** A run with one target of each status, in the order of the statuses, and a pending one more. */
  private StoredRun mixed() {
    StoredRun run = running(TargetStatus.values().length + 1);
    for (TargetStatus status : TargetStatus.values()) {
      if (status == TargetStatus.SENDING) {
        begun(run, status.ordinal());
      } else if (status.ended()) {
        end(run, status.ordinal(), status);
      }
    }
    return run;
  }

  // ---- counting

  // ---- another account

  private int reassign(StoredRun run, String from, String to, int limit) {
    return done(reminders().reassign(run.id(), from, to, limit));
  }

  @Test
  void pending_targets_can_be_given_to_another_account() {
    List<ReminderTarget> targets = List.of(target("ann"), target("ben"), target("other", "cid"));
    StoredRun run = running(save(draft("bot", null, 0), targets), 1);
    RunTarget read = target(run, 1);
    RunTarget begun = begun(run, 0);

    assertThat(reassign(run, "bot", "third", 9)).isEqualTo(1);

    assertThat(target(run, 0)).as("is being sent to").isEqualTo(begun);
    assertThat(target(run, 1).target()).isEqualTo(target("third", "ben"));
    assertThat(target(run, 1).tries()).isEqualTo(1);
    assertThat(target(run, 2).target()).isEqualTo(targets.get(2));
    assertThat(begin(read)).as("as it was before").isEqualTo(Begun.STALE);
    assertThat(reminders().pending(run.id(), "third", 0, ALL, 9)).containsExactly(target(run, 1));
    assertThat(reminders().pending(run.id(), "bot", 0, ALL, 9)).isEmpty();
    assertThat(reminders().accounts(run.id())).containsExactlyInAnyOrder("bot", "other", "third");
    assertThat(reminders().active(Set.of("third"))).extracting(StoredRun::id).contains(run.id());
    assertThat(begin(target(run, 1))).isEqualTo(Begun.YES);
    reopen();
    assertThat(target(run, 1).target()).isEqualTo(target("third", "ben"));
  }

  @Test
  void targets_are_given_away_in_batches_and_of_a_run_that_has_ended() {
    StoredRun run = become(fire(saved(5), 1), RunStatus.CANCELLED);

    assertThat(reassign(run, "bot", "other", 3)).isEqualTo(3);
    assertThat(reassign(run, "bot", "other", 3)).isEqualTo(2);
    assertThat(reassign(run, "bot", "other", 3)).isZero();

    assertThat(reminders().active(Set.of("other"))).isEmpty();
    become(run, RunStatus.WAITING);
    assertThat(reminders().active(Set.of("other"))).extracting(StoredRun::id).contains(run.id());
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of("other", 5));
  }

  // ---- places, and reasons

  @Test
  void targets_of_some_places_are_counted_read_and_ended_apart() {
    StoredRun run = running(6);

    assertThat(reminders().left(run.id(), 2, 5)).isEqualTo(Map.of("bot", 3));
    assertThat(reminders().pending(run.id(), "bot", 2, 5, 9))
        .extracting(RunTarget::n)
        .containsExactly(2, 3, 4);
    assertThat(
            done(reminders().endPending(run.id(), 2, 5, TargetStatus.SKIPPED, "late", at(40), 2)))
        .isEqualTo(2);
    assertThat(reminders().pending(run.id(), "bot", 0, ALL, 9))
        .extracting(RunTarget::n)
        .containsExactly(0, 1, 4, 5);
    assertThat(
            done(reminders().endPending(run.id(), 2, 5, TargetStatus.SKIPPED, "late", at(40), 2)))
        .isEqualTo(1);
    assertThat(reminders().counts(run.id()).get(TargetStatus.PENDING)).isEqualTo(3);
  }

  @Test
  void why_targets_were_not_reached_is_counted_the_most_frequent_reason_first() {
    StoredRun run = running(6);
    end(run, 0, TargetStatus.SENT);
    end(run, 1, TargetStatus.FAILED);
    done(reminders().endPending(run.id(), 2, 5, TargetStatus.SKIPPED, "late", at(40), 9));

    assertThat(reminders().reasons(run.id(), 9))
        .containsExactly(new ReasonCount("late", 3), new ReasonCount("because", 1));
    assertThat(reminders().reasons(run.id(), 1)).containsExactly(new ReasonCount("late", 3));
    assertThat(reminders().reasons(nextId(), 9)).isEmpty();
  }

  @Test
  void targets_are_counted_by_where_they_stand() {
    StoredRun run = mixed();
    fire(saved(4), 2);

    assertThat(reminders().counts(run.id()))
        .containsOnly(
            Map.entry(TargetStatus.PENDING, 2),
            Map.entry(TargetStatus.SENDING, 1),
            Map.entry(TargetStatus.SENT, 1),
            Map.entry(TargetStatus.DELIVERED, 1),
            Map.entry(TargetStatus.READ, 1),
            Map.entry(TargetStatus.FAILED, 1),
            Map.entry(TargetStatus.SKIPPED, 1),
            Map.entry(TargetStatus.CANCELLED, 1));
    assertThat(reminders().counts(nextId())).isEmpty();
  }

  @Test
  void what_is_left_is_counted_by_account() {
    StoredRun run =
        running(saved(target("a"), target("other", "b"), target("c"), target("other", "d")), 1);
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of("bot", 2, "other", 2));

    begun(run, 0);
    end(run, 1, TargetStatus.SENT);
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of("bot", 2, "other", 1));

    settle(target(run, 0), TargetStatus.FAILED);
    end(run, 3, TargetStatus.SKIPPED);
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of("bot", 1));
    assertThat(reminders().left(nextId(), 0, ALL)).isEmpty();
  }

  // ---- finding

  private List<Integer> pending(StoredRun run, String account, int limit) {
    return places(reminders().pending(run.id(), account, 0, ALL, limit));
  }

  private static List<Integer> places(List<RunTarget> targets) {
    return targets.stream().map(RunTarget::n).toList();
  }

  @Test
  void pending_targets_of_an_account_come_in_their_order() {
    StoredRun run =
        running(
            saved(
                target("a"),
                target("other", "b"),
                target("c"),
                target("d"),
                target("other", "e"),
                target("f")),
            1);
    fire(saved(4), 2);
    begun(run, 2);
    end(run, 3, TargetStatus.FAILED);

    assertThat(pending(run, "bot", 9)).containsExactly(0, 5);
    assertThat(pending(run, "bot", 1)).containsExactly(0);
    assertThat(pending(run, "other", 9)).containsExactly(1, 4);
    assertThat(pending(run, "nobody", 9)).isEmpty();
    assertThat(reminders().pending(nextId(), "bot", 0, ALL, 9)).isEmpty();
    assertThat(reminders().pending(run.id(), "bot", 0, ALL, 1)).containsExactly(target(run, 0));

    settle(target(run, 2), TargetStatus.PENDING);
    assertThat(pending(run, "bot", 9)).containsExactly(0, 2, 5);
  }

  @Test
  void what_an_account_is_sending_to_is_found_over_all_runs() {
    StoredRun one = running(saved(target("a"), target("other", "b"), target("c")), 1);
    StoredRun two = running(saved(target("d")), 2);
    begun(one, 0);
    begun(one, 1);
    begun(two, 0);
    become(two, RunStatus.PAUSED);

    assertThat(reminders().sending("bot"))
        .containsExactlyInAnyOrder(target(one, 0), target(two, 0));
    assertThat(reminders().sending("other")).containsExactly(target(one, 1));
    assertThat(reminders().sending("nobody")).isEmpty();

    settle(target(one, 0), TargetStatus.SENT);
    assertThat(reminders().sending("bot")).containsExactly(target(two, 0));
  }

  private List<Integer> listed(StoredRun run, @Nullable TargetStatus status, int limit) {
    return listed(run, RunTargetFilter.of(status), limit);
  }

  private List<Integer> listed(StoredRun run, RunTargetFilter filter, int limit) {
    Page<RunTarget> page = reminders().targets(run.id(), filter, null, limit);
    List<Integer> all = new ArrayList<>(places(page.items()));
    while (page.next() != null) {
      page = reminders().targets(run.id(), filter, page.next(), limit);
      all.addAll(places(page.items()));
    }
    return all;
  }

  @Test
  void targets_are_listed_in_their_order_page_by_page() {
    StoredRun run = mixed();
    fire(saved(4), 2);

    for (int limit : List.of(1, 2, 3, 7, 8, 100)) {
      assertThat(listed(run, RunTargetFilter.ALL, limit))
          .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
      assertThat(listed(run, TargetStatus.PENDING, limit)).containsExactly(0, 8);
      for (TargetStatus status : TargetStatus.values()) {
        assertThat(listed(run, status, limit)).startsWith(status.ordinal());
      }
    }
    assertThat(reminders().targets(nextId(), RunTargetFilter.ALL, null, 9).items()).isEmpty();
    assertThat(
            reminders().targets(nextId(), RunTargetFilter.of(TargetStatus.SENT), null, 9).items())
        .isEmpty();
  }

  @Test
  void targets_are_listed_by_why_they_were_not_reached() {
    StoredRun run = running(8);
    String beginning = "b".repeat(150);
    fail(run, 0, "the chat is gone 😀");
    fail(run, 1, beginning + " one");
    fail(run, 2, beginning + " two");
    done(
        reminders()
            .settle(
                begun(run, 3), TargetStatus.PENDING, 0, List.of(), "the chat is gone 😀", at(20)));
    fail(run, 4, "the chat is gone 😀");
    end(run, 5, TargetStatus.SENT);
    assertThat(endPending(run, TargetStatus.SKIPPED, 9)).isEqualTo(3);
    StoredRun other = running(saved(1), 2);
    fail(other, 0, "the chat is gone 😀");

    for (int limit : List.of(1, 2, 3, 100)) {
      assertThat(listed(run, because("the chat is gone 😀"), limit)).containsExactly(0, 4);
      assertThat(listed(run, because(beginning + " two"), limit)).containsExactly(2);
      assertThat(listed(run, because("it is over"), limit)).containsExactly(3, 6, 7);
      assertThat(listed(run, because("the chat"), limit)).isEmpty();
      assertThat(listed(run, new RunTargetFilter(TargetStatus.FAILED, "it is over"), limit))
          .isEmpty();
    }
    reminders()
        .reasons(run.id(), 9)
        .forEach(one -> assertThat(listed(run, because(one.reason()), 9)).hasSize(one.count()));
  }

  private static RunTargetFilter because(String reason) {
    return new RunTargetFilter(null, reason);
  }

  private void fail(StoredRun run, int n, String error) {
    done(reminders().settle(begun(run, n), TargetStatus.FAILED, 0, List.of(), error, at(20)));
  }

  // ---- many at once

  @ParameterizedTest
  @EnumSource(
      value = TargetStatus.class,
      names = {"FAILED", "SKIPPED", "CANCELLED"})
  void pending_targets_are_ended_in_their_order_within_the_limit(TargetStatus status) {
    StoredRun run = running(6);
    StoredRun other = running(2);
    begun(run, 0);
    end(run, 2, TargetStatus.SENT);

    assertThat(endPending(run, status, 3)).isEqualTo(3);

    RunTarget ended = target(run, 1);
    assertThat(ended.status()).isEqualTo(status);
    assertThat(ended.error()).isEqualTo("it is over");
    assertThat(ended.endedAt()).isEqualTo(at(40));
    assertThat(statuses(run))
        .containsExactly(
            TargetStatus.SENDING, status, TargetStatus.SENT, status, status, TargetStatus.PENDING);
    assertThat(endPending(run, status, 3)).isEqualTo(1);
    assertThat(endPending(run, status, 3)).isZero();
    assertThat(statuses(other)).containsOnly(TargetStatus.PENDING);
    assertThat(reminders().left(run.id(), 0, ALL)).isEqualTo(Map.of("bot", 1));
  }

  private int endPending(StoredRun run, TargetStatus status, int limit) {
    return done(reminders().endPending(run.id(), 0, ALL, status, "it is over", at(40), limit));
  }

  @Test
  void pending_targets_end_as_nothing_that_is_no_end() {
    StoredRun run = running(1);

    for (TargetStatus status : List.of(TargetStatus.PENDING, TargetStatus.SENDING)) {
      assertThatThrownBy(() -> endPending(run, status, 9))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(status.label());
      assertThatThrownBy(() -> reminders().revive(run.id(), Set.of(status), 9))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(status.label());
    }
    assertThat(statuses(run)).containsExactly(TargetStatus.PENDING);
  }

  @Test
  void what_has_ended_so_is_revived_and_keeps_what_it_has_got() {
    StoredRun run = running(2);
    RunTarget begun = begun(run, 0);
    List<MessageId> messages = messages(1);
    done(reminders().settle(begun, TargetStatus.FAILED, 1, messages, "why", at(20)));

    assertThat(done(reminders().revive(run.id(), Set.of(TargetStatus.FAILED), 9))).isEqualTo(1);

    assertThat(target(run, 0))
        .isEqualTo(
            new RunTarget(
                run.id(),
                0,
                begun.target(),
                TargetStatus.PENDING,
                1,
                1,
                messages,
                null,
                begun.beganAt(),
                null));
    assertThat(settle(begun, TargetStatus.SENT)).as("its earlier try").isFalse();
    assertThat(begun(run, 0).tries()).isEqualTo(2);
  }

  @Test
  void only_what_ended_so_is_revived_within_the_limit() {
    StoredRun run = mixed();
    StoredRun other = mixed();
    Set<TargetStatus> both = Set.of(TargetStatus.FAILED, TargetStatus.SKIPPED);

    assertThat(done(reminders().revive(run.id(), both, 1))).isEqualTo(1);
    assertThat(reminders().counts(run.id())).containsEntry(TargetStatus.PENDING, 3);
    assertThat(done(reminders().revive(run.id(), both, 9))).isEqualTo(1);
    assertThat(done(reminders().revive(run.id(), both, 9))).isZero();
    assertThat(done(reminders().revive(run.id(), Set.of(), 9))).isZero();
    assertThat(done(reminders().revive(nextId(), both, 9))).isZero();

    assertThat(statuses(run))
        .containsExactly(
            TargetStatus.PENDING,
            TargetStatus.SENDING,
            TargetStatus.SENT,
            TargetStatus.DELIVERED,
            TargetStatus.READ,
            TargetStatus.PENDING,
            TargetStatus.PENDING,
            TargetStatus.CANCELLED,
            TargetStatus.PENDING);
    assertThat(reminders().counts(other.id())).containsEntry(TargetStatus.PENDING, 2);
  }
}
