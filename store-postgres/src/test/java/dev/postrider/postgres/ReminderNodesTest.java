package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.Store;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes fire reminders and lead their runs at the same moment. */
class ReminderNodesTest {
  private static final Instant NOW = InboundFixture.NOW;
  private static final LocalDate DAY = LocalDate.of(2026, 3, 1);

  private final InboundFixture nodes = new InboundFixture();
  private final Random random = new Random(7);
  private long deadlocks;
  private Store one;
  private Store two;

  @BeforeEach
  void open() throws SQLException {
    deadlocks = nodes.deadlocks();
    one = nodes.open("one");
    two = nodes.open("two");
  }

  @AfterEach
  void nobodyHasWaitedInACircle() throws SQLException {
    one.close();
    two.close();
    long waited = nodes.deadlocks() - deadlocks;
    nodes.close();
    assertThat(waited).isZero();
  }

  private <T> T await(CompletableFuture<T> future) {
    return nodes.await(future);
  }

  private UUID nextId() {
    return nodes.nextId().value();
  }

  private static List<ReminderTarget> targets(int count, String... accounts) {
    List<ReminderTarget> targets = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      targets.add(new ReminderTarget(accounts[n % accounts.length], "chat " + n, null, Map.of()));
    }
    return targets;
  }

  private StoredReminder saved(List<ReminderTarget> targets) {
    StoredReminder draft =
        new StoredReminder(nextId(), "n", "bot", NOW, "{}", targets.size(), 1, NOW, NOW);
    assertThat(await(one.reminders().save(draft, targets, null))).isTrue();
    return draft;
  }

  private Firing firing(StoredReminder reminder) {
    return new Firing(nextId(), reminder, NOW, NOW.plusSeconds(60), true, null, false, NOW);
  }

  private StoredRun running(List<ReminderTarget> targets) {
    StoredRun run = await(one.reminders().fire(firing(saved(targets)))).orElseThrow();
    assertThat(await(one.reminders().update(run.with(RunStatus.RUNNING, null, null)))).isTrue();
    return run;
  }

  private List<RunTarget> all(StoredRun run) {
    return one.reminders().targets(run.id(), RunTargetFilter.ALL, null, 1_000).items();
  }

  /** Begins with all of them, in an order of its own. */
  private List<CompletableFuture<Begun>> beginAll(Store node, List<RunTarget> targets, int most) {
    List<RunTarget> mine = new ArrayList<>(targets);
    Collections.shuffle(mine, random);
    return mine.stream().map(target -> node.reminders().begin(target, 1, DAY, most, NOW)).toList();
  }

  @Test
  void of_two_nodes_that_fire_for_one_instant_one_makes_a_run() {
    for (int round = 0; round < 10; round++) {
      StoredReminder reminder = saved(targets(300, "bot"));

      List<CompletableFuture<Optional<StoredRun>>> fired = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        fired.add(one.reminders().fire(firing(reminder)));
        fired.add(two.reminders().fire(firing(reminder)));
      }

      List<StoredRun> runs = fired.stream().flatMap(each -> await(each).stream()).toList();
      assertThat(runs).hasSize(1);
      assertThat(all(runs.getFirst())).hasSize(300);
      assertThat(two.reminders().runs(RunFilter.of(reminder.id()), null, 9).items())
          .isEqualTo(runs);
    }
  }

  @Test
  void targets_that_both_begin_are_begun_once_within_the_days_ceiling() {
    String[] accounts = {"a", "b", "c", "d", "e"};
    StoredRun run = running(targets(200, accounts));
    List<RunTarget> targets = all(run);

    List<CompletableFuture<Begun>> begun = new ArrayList<>(beginAll(one, targets, 24));
    begun.addAll(beginAll(two, targets, 24));

    List<Begun> results = begun.stream().map(this::await).toList();
    assertThat(Collections.frequency(results, Begun.YES)).isEqualTo(120);
    for (String account : accounts) {
      assertThat(one.reminders().sentOn(account, DAY)).isEqualTo(24);
    }
    assertThat(two.reminders().counts(run.id()))
        .containsOnly(Map.entry(TargetStatus.SENDING, 120), Map.entry(TargetStatus.PENDING, 80));
    assertThat(all(run))
        .allMatch(target -> target.tries() == (target.status() == TargetStatus.SENDING ? 1 : 0));
  }

  @Test
  void what_one_node_ends_the_other_does_not_begin() {
    for (int round = 0; round < 5; round++) {
      StoredRun run = running(targets(200, "bot"));

      List<RunTarget> half = all(run).stream().filter(target -> target.n() % 2 == 0).toList();
      List<CompletableFuture<Begun>> begun = beginAll(one, half, 1_000_000);
      int ended = 0;
      int last = 7;
      while (last == 7) {
        last =
            await(
                two.reminders()
                    .endPending(run.id(), 0, 1_000_000, TargetStatus.SKIPPED, "late", NOW, 7));
        ended += last;
      }

      List<Begun> results = begun.stream().map(this::await).toList();
      assertThat(ended + Collections.frequency(results, Begun.YES)).isEqualTo(200);
      assertThat(one.reminders().counts(run.id())).doesNotContainKey(TargetStatus.PENDING);
    }
  }

  @Test
  void a_target_is_not_begun_after_the_run_was_paused_elsewhere() {
    for (int round = 0; round < 10; round++) {
      StoredRun run = running(targets(50, "bot"));
      StoredRun read = one.reminders().run(run.id()).orElseThrow();

      List<CompletableFuture<Begun>> begun = beginAll(one, all(run), 1_000_000);
      await(two.reminders().update(read.with(RunStatus.PAUSED, "stop", null)));
      Map<TargetStatus, Integer> atPause = two.reminders().counts(run.id());
      begun.forEach(this::await);

      assertThat(two.reminders().counts(run.id())).isEqualTo(atPause);
    }
  }

  @Test
  void a_run_has_the_targets_of_one_version_or_is_none() {
    for (int round = 0; round < 20; round++) {
      StoredReminder old = saved(targets(1 + random.nextInt(200), "bot"));
      List<ReminderTarget> other = targets(250, "bot");

      CompletableFuture<Boolean> saved = one.reminders().save(old, other, old.version());
      Optional<StoredRun> run = await(two.reminders().fire(firing(old)));

      assertThat(await(saved)).isTrue();
      assertThat(one.reminders().targets(old.id(), 0, 1_000)).isEqualTo(other);
      run.ifPresent(fired -> assertThat(all(fired)).hasSize(old.targets()));
    }
  }

  @Test
  void what_is_forgotten_leaves_nothing_behind() throws SQLException {
    StoredRun run = running(targets(30, "bot", "other"));
    beginAll(one, all(run), 1_000).forEach(this::await);
    StoredRun read = one.reminders().run(run.id()).orElseThrow();
    await(one.reminders().update(read.ended(RunStatus.PARTIAL, "over", NOW)));

    assertThat(await(one.reminders().delete(run.reminder()))).isTrue();
    Instant later = NOW.plus(Duration.ofDays(3));
    assertThat(await(two.reminders().prune(later, 100))).isEqualTo(31);

    for (String table :
        List.of("reminder", "reminder_target", "run", "run_account", "run_target", "run_day")) {
      assertThat(nodes.count("SELECT count(*) FROM " + table)).as(table).isZero();
    }
  }

  @Test
  void no_message_waits_for_a_reminder_that_is_being_written() throws SQLException {
    StoredReminder reminder = saved(targets(3, "bot"));
    ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    ReminderStore reminders = one.reminders();
    CompletableFuture<Boolean> saved;
    try (Connection somebody = DriverManager.getConnection(nodes.url)) {
      somebody.setAutoCommit(false);
      new JdbcSession(somebody).update("UPDATE reminder SET name = 'held'");
      saved =
          reminders
              .save(reminder, targets(5, "bot"), reminder.version())
              .whenComplete((_, _) -> done.add("saved"));

      await(one.touch(NOW).whenComplete((_, _) -> done.add("touched")));
      somebody.rollback();
    }

    assertThat(await(saved)).isTrue();
    assertThat(done).containsExactly("touched", "saved");
  }
}
