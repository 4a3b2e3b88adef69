package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.Migration;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.failure.OutdatedNode;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers of two versions on one database: which may work side by side, and which may not. */
class RollingUpgradeTest {
  private static final Migrations OLD = Migrations.OURS;
  private static final Migration ADDS =
      new Migration("adds", true, () -> "ALTER TABLE message ADD COLUMN more text");
  private static final Migration CHANGES =
      new Migration("changes", false, () -> "ALTER TABLE message RENAME COLUMN content TO body");
  private static final int NEXT = OLD.latest() + 1;

  private final SystemScheduler time = new SystemScheduler();
  private final String url = PostgresServer.shared().newSchema();
  private final List<Store> open = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    open.forEach(store -> store.close(Duration.ofSeconds(5)));
    time.close();
    PostgresServer.shared().drop(url);
  }

  private Store start(String node, Migrations migrations) {
    Store store = open(node, migrations);
    beat(store, node);
    return store;
  }

  /** Up to before its first sign of life. */
  private Store open(String node, Migrations migrations) {
    Store store =
        PostgresStoreProvider.open(
            url,
            ClusterSettings.of(node),
            EncryptionKeys.OFF,
            time,
            Workers.threads(2),
            null,
            migrations,
            true);
    open.add(store);
    return store;
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private ClusterSnapshot beat(Store store, String node) {
    return await(store.cluster().orElseThrow().beat(node, "", Set.of("bot"), List.of()));
  }

  private void touch(Store store) {
    await(store.touch(Instant.now()));
  }

  /** It gives no sign of life any more, as one that is frozen. */
  private void isSilent(String node) throws SQLException {
    try (Connection connection = new Database(url, Duration.ofSeconds(20)).connect("a test's")) {
      new JdbcSession(connection).update("UPDATE node SET expires = 0 WHERE name = ?", node);
    }
  }

  @Test
  void where_only_something_is_added_both_versions_work_side_by_side() {
    Store old = start("old", OLD);

    Store fresh = start("new", OLD.and(ADDS));

    touch(old);
    touch(fresh);
    assertThat(beat(old, "old").nodes())
        .extracting(
            ClusterSnapshot.Node::name, ClusterSnapshot.Node::version, ClusterSnapshot.Node::format)
        .containsExactly(
            tuple("new", BuildVersion.NAME, NEXT), tuple("old", BuildVersion.NAME, NEXT - 1));
  }

  @Test
  void what_is_called_compatible_adds_tables_and_columns_and_no_index_that_others_wait_for() {
    List<Migration> compatible = OLD.steps().stream().filter(Migration::compatible).toList();

    assertThat(compatible).isNotEmpty();
    for (Migration step : compatible) {
      String script = step.script().get().replaceAll("--.*", "");
      assertThat(Stream.of(script.split(";")).map(String::strip).filter(one -> !one.isEmpty()))
          .as(step.name())
          .allMatch(one -> one.matches("(?s)(CREATE TABLE|ALTER TABLE \\w+\\s+ADD COLUMN) .*"));
    }
  }

  @Test
  void one_of_the_earlier_version_may_start_again_in_the_middle_of_an_upgrade() {
    start("new", OLD.and(ADDS).and(ADDS_MORE));

    touch(start("old", OLD));
  }

  private static final Migration ADDS_MORE =
      new Migration("adds more", true, () -> "CREATE TABLE something (id integer)");

  @Test
  void where_something_changes_the_newer_one_does_not_start_beside_older_ones() {
    Store old = start("old", OLD);
    Migrations changed = OLD.and(CHANGES);

    assertThatThrownBy(() -> open("new", changed))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("servers of an earlier version work on")
        .hasMessageContaining("old (Postrider " + BuildVersion.NAME + ")")
        .hasMessageContaining("Stop them first");
    touch(old);

    await(old.cluster().orElseThrow().leave("old"));
    start("new", changed);
  }

  @Test
  void nor_does_an_older_one_start_then_which_names_both_versions() {
    start("new", OLD.and(CHANGES).and(ADDS));

    assertThatThrownBy(() -> open("old", OLD))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining(
            "was written by Postrider %s (format %d)".formatted(BuildVersion.NAME, NEXT + 1))
        .hasMessageContaining("knows formats up to " + OLD.latest());
  }

  @Test
  void one_that_knows_the_change_but_not_what_was_added_since_may_work() {
    start("newest", OLD.and(CHANGES).and(ADDS));

    touch(start("newer", OLD.and(CHANGES)));
  }

  @Test
  void one_that_looked_before_the_change_and_lives_after_it_does_not_begin() {
    Store old = open("old", OLD);
    start("new", OLD.and(CHANGES));

    assertThatThrownBy(() -> beat(old, "old"))
        .isInstanceOf(OutdatedNode.class)
        .hasMessageContaining("format " + NEXT + " is needed");
    assertThatThrownBy(() -> touch(old)).isInstanceOf(StoreUnavailable.class);
    assertThat(beat(open.getLast(), "new").nodes())
        .extracting(ClusterSnapshot.Node::name)
        .containsExactly("new");
  }

  @Test
  void one_that_was_frozen_during_the_change_writes_nothing_when_it_wakes_up() throws Exception {
    Store old = start("old", OLD);
    touch(old); // so its connection is open
    isSilent("old");
    start("new", OLD.and(CHANGES));

    assertThatThrownBy(() -> touchUntilHeard(old))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("format " + NEXT + " is needed");
    assertThatThrownBy(() -> beatUntilHeard(old)).isInstanceOf(OutdatedNode.class);
  }

  /** Its connections were ended, which it may find out more than once. */
  private void touchUntilHeard(Store store) {
    while (true) {
      try {
        touch(store);
        return;
      } catch (StoreUnavailable e) {
        if (!e.getMessage().contains("cannot be reached")) {
          throw e;
        }
      }
    }
  }

  private void beatUntilHeard(Store store) {
    while (true) {
      try {
        beat(store, "old");
        return;
      } catch (StoreUnavailable e) {
        time.pause(Duration.ofMillis(20));
      }
    }
  }

  @Test
  void servers_that_start_together_bring_it_up_to_date_once() {
    Migrations next = OLD.and(ADDS);
    List<CompletableFuture<Store>> starting = new ArrayList<>();
    for (String node : List.of("one", "two", "three")) {
      starting.add(CompletableFuture.supplyAsync(() -> open(node, next)));
    }

    starting.forEach(store -> touch(store.join()));
  }
}
