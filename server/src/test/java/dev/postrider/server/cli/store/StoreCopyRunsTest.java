package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.Ids;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reminders, runs, their targets and what was sent on which day move with everything else. */
class StoreCopyRunsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final LocalDate DAY = LocalDate.of(2026, 3, 1);
  private static final int TARGETS = 2_500; // more than a batch
  private static final int REMINDERS = 23; // more than two batches

  private final Ids ids = new Ids(InstantSource.fixed(NOW), new SplittableRandom(3));
  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final SystemScheduler time = new SystemScheduler();
  private final UUID large = ids.next();
  private final UUID run = ids.next();
  private final MessageId sent = ids.nextMessageId();

  @TempDir Path folder;
  private String sqlite = "";

  @BeforeEach
  void fill() {
    sqlite = "sqlite:" + folder.resolve("from.db");
    try (Store store = open(sqlite)) {
      fill(store);
    }
  }

  void fill(Store store) {
    ReminderStore reminders = store.reminders();
    save(reminders, large, TARGETS, null);
    for (int n = 1; n < REMINDERS; n++) {
      save(reminders, ids.next(), n % 3, n % 2 == 0 ? NOW.plusSeconds(n) : null);
    }
    fire(reminders, run, NOW);
    become(reminders, RunStatus.RUNNING);
    settle(reminders, begin(reminders, 0), TargetStatus.SENT);
    settle(reminders, begin(reminders, 1), TargetStatus.FAILED);
    begin(reminders, 2);
    fire(reminders, ids.next(), NOW.plusSeconds(1));
  }

  @AfterEach
  void drop() {
    time.close();
    server.drop(postgres);
  }

  private Store open(String url) {
    StoreProvider provider =
        url.startsWith("sqlite:") ? new SqliteStoreProvider() : new PostgresStoreProvider();
    return provider.open(url, ClusterSettings.of("test"), time);
  }

  // ---- acting

  private void save(ReminderStore reminders, UUID id, int count, @Nullable Instant nextFire) {
    List<ReminderTarget> targets = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      targets.add(
          new ReminderTarget(
              n % 2 == 0 ? "bot" : "other", "chat " + n, null, Map.of("name", "ä 😀 " + n)));
    }
    StoredReminder draft =
        new StoredReminder(id, "a reminder", "bot", nextFire, "{}", count, 7, NOW, NOW);
    assertThat(time.await(reminders.save(draft, targets, null))).isTrue();
  }

  private void fire(ReminderStore reminders, UUID as, Instant instant) {
    StoredReminder reminder = reminders.reminder(large).orElseThrow();
    Firing firing = new Firing(as, reminder, instant, null, false, null, false, NOW);
    assertThat(time.await(reminders.fire(firing))).isPresent();
  }

  private void become(ReminderStore reminders, RunStatus status) {
    StoredRun read = reminders.run(run).orElseThrow();
    assertThat(time.await(reminders.update(read.with(status, "why", NOW)))).isTrue();
  }

  private RunTarget target(ReminderStore reminders, int n) {
    return reminders.targets(run, RunTargetFilter.ALL, null, TARGETS).items().get(n);
  }

  private RunTarget begin(ReminderStore reminders, int n) {
    assertThat(time.await(reminders.begin(target(reminders, n), 1, DAY, null, NOW)))
        .isEqualTo(Begun.YES);
    return target(reminders, n);
  }

  private void settle(ReminderStore reminders, RunTarget begun, TargetStatus status) {
    assertThat(time.await(reminders.settle(begun, status, 1, List.of(sent), status.label(), NOW)))
        .isTrue();
  }

  private StoreCopy.Result move(String from, String to) {
    try (Store source = open(from);
        Store target = open(to)) {
      return new StoreCopy(side(source), side(target)).run(_ -> {}, _ -> {});
    }
  }

  private static StoreCopy.Side side(Store store) {
    return new StoreCopy.Side(store, store.export().orElseThrow());
  }

  // ---- looking

  /** Everything is as it was, and goes on from there. */
  private void assertWhole(String url) {
    try (Store store = open(url)) {
      ReminderStore reminders = store.reminders();
      assertThat(reminders.reminders(null, null, 100).items()).hasSize(REMINDERS);
      assertThat(reminders.reminder(large).orElseThrow().version()).isEqualTo(7);
      assertThat(reminders.targets(large, 0, TARGETS + 1)).hasSize(TARGETS);
      assertThat(reminders.due(Set.of("bot"), NOW.plusSeconds(4), 9)).hasSize(2);
      assertThat(reminders.active(Set.of("bot"))).hasSize(2);
      assertThat(reminders.active(Set.of("other"))).hasSize(2);
      assertThat(reminders.run(run).orElseThrow().reason()).isEqualTo("why");
      assertThat(reminders.counts(run))
          .containsOnly(
              Map.entry(TargetStatus.SENT, 1),
              Map.entry(TargetStatus.FAILED, 1),
              Map.entry(TargetStatus.SENDING, 1),
              Map.entry(TargetStatus.PENDING, TARGETS - 3));
      assertThat(target(reminders, 1).messages()).containsExactly(sent);
      assertThat(target(reminders, 1).error()).isEqualTo("failed");
      assertThat(reminders.sentOn("bot", DAY)).isEqualTo(2);
      assertThat(reminders.sentOn("other", DAY)).isEqualTo(1);

      settle(reminders, reminders.sending("bot").getFirst(), TargetStatus.SENT);
      begin(reminders, TARGETS - 1);
    }
  }

  @Test
  void reminders_and_runs_move_to_postgres_and_back() {
    StoreCopy.Result there = move(sqlite, postgres);
    assertThat(there.right()).as(there.toString()).isTrue();
    String back = "sqlite:" + folder.resolve("back.db");
    StoreCopy.Result again = move(postgres, back);
    assertThat(again.right()).as(again.toString()).isTrue();
    assertThat(move(sqlite, postgres).right()).as("repeated").isTrue();

    assertWhole(postgres);
    assertWhole(back);
  }

  @Test
  void what_differs_is_named() {
    move(sqlite, postgres);
    try (Store store = open(postgres)) {
      begin(store.reminders(), TARGETS - 1); // of run, and it is counted for the day
      StoredReminder changed = store.reminders().reminder(large).orElseThrow();
      time.await(store.reminders().save(changed, List.of(), changed.version()));
    }

    StoreCopy.Result result = move(sqlite, postgres);

    assertThat(result.wrong()).containsExactlyInAnyOrder(large.toString(), run.toString());
    assertThat(result.notes()).isFalse();
  }
}
