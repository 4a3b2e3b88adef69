package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reminders and their targets: stored in versions, listed, found when their time has come. */
abstract class ReminderRows extends ReminderBehaviour {
  ReminderRows(StoreContract contract) {
    super(contract);
  }

  private static StoredReminder changed(
      StoredReminder reminder, String document, @Nullable Instant nextFire) {
    return new StoredReminder(
        reminder.id(),
        reminder.name() + ", changed",
        "other",
        nextFire,
        document,
        reminder.targets(),
        reminder.version(),
        reminder.createdAt(),
        at(7));
  }

  private List<ReminderTarget> targetsOf(StoredReminder reminder) {
    return reminders().targets(reminder.id(), 0, 1_000_000);
  }

  // ---- saving

  @Test
  void a_reminder_comes_back_with_its_targets_in_their_order() {
    StoredReminder draft = draft("bot", at(100), 3);
    List<ReminderTarget> targets =
        List.of(
            target("zoe"),
            target("other", "ann"),
            new ReminderTarget("bot", "ben", null, Map.of()),
            target("zoe"));

    save(draft, targets);

    StoredReminder stored =
        new StoredReminder(
            draft.id(), draft.name(), "bot", at(100), draft.document(), 4, 1, at(3), at(3));
    assertThat(read(draft.id())).isEqualTo(stored);
    assertThat(targetsOf(stored)).isEqualTo(targets);
    reopen();
    assertThat(read(draft.id())).isEqualTo(stored);
    assertThat(targetsOf(stored)).isEqualTo(targets);
  }

  @Test
  void a_new_reminder_does_not_take_the_place_of_another() {
    StoredReminder first = saved(target("ann"), target("ben"));

    boolean taken =
        done(reminders().save(changed(first, "other", at(9)), List.of(target("cid")), null));

    assertThat(taken).isFalse();
    assertThat(read(first.id())).isEqualTo(first);
    assertThat(targetsOf(first)).containsExactly(target("ann"), target("ben"));
  }

  @Test
  void a_reminder_is_replaced_whole_and_gets_the_next_version() {
    StoredReminder first = saved(3);
    StoredReminder wish = changed(first, "new", at(9));

    assertThat(done(reminders().save(wish, List.of(target("cid")), first.version()))).isTrue();

    StoredReminder second = read(first.id());
    assertThat(second)
        .isEqualTo(
            new StoredReminder(
                first.id(),
                wish.name(),
                "other",
                at(9),
                "new",
                1,
                first.version() + 1,
                first.createdAt(),
                at(7)));
    assertThat(targetsOf(second)).containsExactly(target("cid"));
  }

  @Test
  void a_reminder_is_not_replaced_in_another_version_than_was_read() {
    StoredReminder first = saved(3);
    done(reminders().save(changed(first, "new", null), targets(2), first.version()));
    StoredReminder second = read(first.id());

    for (long stale : List.of(first.version(), second.version() + 1)) {
      assertThat(done(reminders().save(changed(first, "late", at(9)), List.of(), stale))).isFalse();
      assertThat(read(first.id())).isEqualTo(second);
      assertThat(targetsOf(second)).isEqualTo(targets(2));
    }
  }

  @Test
  void a_reminder_that_is_not_there_is_not_replaced() {
    StoredReminder draft = draft("bot", null, 0);

    assertThat(done(reminders().save(draft, targets(1), draft.version()))).isFalse();

    assertThat(reminders().reminder(draft.id())).isEmpty();
    assertThat(targetsOf(draft)).isEmpty();
  }

  @Test
  void a_hundred_thousand_targets_are_saved_fired_at_and_replaced() {
    List<ReminderTarget> many = targets(100_000);
    StoredReminder first = save(draft("bot", null, 0), many);
    assertThat(first.targets()).isEqualTo(100_000);
    assertThat(reminders().targets(first.id(), 99_998, 10))
        .containsExactly(target("chat-99998"), target("chat-99999"));

    var run = fire(first, 1);
    assertThat(run.total()).isEqualTo(100_000);
    assertThat(reminders().counts(run.id())).containsOnly(Map.entry(TargetStatus.PENDING, 100_000));

    assertThat(done(reminders().save(first, many.subList(1, 100_000), first.version()))).isTrue();
    assertThat(reminders().targets(first.id(), 0, 1)).containsExactly(target("chat-1"));
    assertThat(done(reminders().delete(first.id()))).isTrue();
    assertThat(reminders().counts(run.id())).containsOnly(Map.entry(TargetStatus.PENDING, 100_000));
  }

  // ---- deleting

  @Test
  void a_reminder_is_deleted_with_its_targets_once() {
    StoredReminder other = saved(2);
    StoredReminder gone = saved(3);

    assertThat(done(reminders().delete(gone.id()))).isTrue();
    assertThat(done(reminders().delete(gone.id()))).isFalse();

    assertThat(reminders().reminder(gone.id())).isEmpty();
    assertThat(targetsOf(gone)).isEmpty();
    assertThat(targetsOf(other)).isEqualTo(targets(2));
    StoredReminder again = save(gone, List.of(target("ann")));
    assertThat(targetsOf(again)).containsExactly(target("ann"));
  }

  @Test
  void runs_outlive_their_reminder() {
    StoredReminder reminder = saved(3);
    var run = fire(reminder, 1);

    done(reminders().delete(reminder.id()));

    assertThat(run(run.id())).isEqualTo(run);
    assertThat(reminders().runs(RunFilter.of(reminder.id()), null, 9).items()).containsExactly(run);
    assertThat(all(run)).hasSize(3);
  }

  // ---- lists

  private List<UUID> listed(@Nullable String account, int limit) {
    List<UUID> ids = new ArrayList<>();
    Page<StoredReminder> page = reminders().reminders(account, null, limit);
    page.items().forEach(one -> ids.add(one.id()));
    while (page.next() != null) {
      page = reminders().reminders(account, page.next(), limit);
      page.items().forEach(one -> ids.add(one.id()));
    }
    return ids;
  }

  @Test
  void reminders_are_listed_newest_first_page_by_page() {
    UUID second = save(draft("bot", null, 2), List.of()).id();
    UUID third = save(draft("other", at(1), 3), targets(2)).id();
    UUID first = save(draft("bot", null, 1), List.of()).id();
    UUID alsoThird = save(draft("bot", null, 3), List.of()).id(); // has the higher id

    for (int limit : List.of(1, 2, 3, 4, 100)) {
      assertThat(listed(null, limit)).containsExactly(alsoThird, third, second, first);
      assertThat(listed("bot", limit)).containsExactly(alsoThird, second, first);
      assertThat(listed("other", limit)).containsExactly(third);
      assertThat(listed("nobody", limit)).isEmpty();
    }
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    for (String cursor : List.of("x", "", "5", "5-", "-5-x", "5-x")) {
      assertThatThrownBy(() -> reminders().reminders(null, cursor, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
  }

  @Test
  void targets_are_told_from_a_place_on() {
    StoredReminder reminder = saved(5);

    assertThat(reminders().targets(reminder.id(), 0, 2)).isEqualTo(targets(5).subList(0, 2));
    assertThat(reminders().targets(reminder.id(), 3, 9)).isEqualTo(targets(5).subList(3, 5));
    assertThat(reminders().targets(reminder.id(), 5, 9)).isEmpty();
    assertThat(reminders().targets(nextId(), 0, 9)).isEmpty();
  }

  // ---- when they fire

  private List<UUID> due(long second, int limit, String... accounts) {
    return reminders().due(Set.of(accounts), at(second), limit).stream()
        .map(StoredReminder::id)
        .toList();
  }

  private UUID firing(String account, @Nullable Instant next) {
    return save(draft(account, next, 0), List.of()).id();
  }

  @Test
  void reminders_whose_time_has_come_are_found_earliest_first() {
    UUID late = firing("bot", at(30));
    UUID early = firing("other", at(10));
    UUID middle = firing("bot", at(20));
    firing("third", at(5));
    firing("bot", null);

    assertThat(due(9, 9, "bot", "other", "nobody")).isEmpty();
    assertThat(due(10, 9, "bot", "other", "nobody")).containsExactly(early);
    assertThat(due(30, 9, "bot", "other")).containsExactly(early, middle, late);
    assertThat(due(30, 2, "bot", "other")).containsExactly(early, middle);
    assertThat(due(30, 9, "bot")).containsExactly(middle, late);
    assertThat(due(30, 9)).isEmpty();
  }

  private Optional<Instant> nextFire(String... accounts) {
    return done(reminders().nextFire(Set.of(accounts)));
  }

  @Test
  void the_next_firing_is_the_earliest_of_these_accounts() {
    assertThat(nextFire("bot")).isEmpty();
    firing("bot", null);
    firing("bot", at(30));
    firing("bot", at(20));
    firing("other", at(10));

    assertThat(nextFire("bot")).contains(at(20));
    assertThat(nextFire("bot", "other", "nobody")).contains(at(10));
    assertThat(nextFire("nobody")).isEmpty();
    assertThat(nextFire()).isEmpty();
  }

  @Test
  void a_reminder_that_is_replaced_fires_when_its_new_version_says() {
    UUID id = firing("bot", at(10));
    StoredReminder first = read(id);

    done(reminders().save(changed(first, "later", at(40)), List.of(), first.version()));
    assertThat(due(30, 9, "bot", "other")).isEmpty();
    assertThat(due(40, 9, "other")).containsExactly(id);

    StoredReminder second = read(id);
    done(reminders().save(changed(second, "never", null), List.of(), second.version()));
    assertThat(due(100, 9, "bot", "other")).isEmpty();
    assertThat(nextFire("bot", "other")).isEmpty();
  }
}
