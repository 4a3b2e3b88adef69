package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.store.failure.NameTaken;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node's name belongs to one process at a time, whatever happens to its connections. */
class NodeNameTest {
  private static final Duration HEARTBEAT = Duration.ofMillis(500);
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final SystemScheduler time = new SystemScheduler();
  private final PostgresServer server = PostgresServer.shared();
  private final String direct = Schemas.take();
  private final Cable wire = Cable.to(server.port());
  private final List<Store> open = new ArrayList<>();
  private volatile boolean beating = true;

  @AfterEach
  void close() {
    beating = false;
    wire.heal();
    open.forEach(store -> store.close(Duration.ofSeconds(5)));
    wire.close();
    time.close();
    Schemas.giveBack(direct);
  }

  private Store open(int port) {
    Store store =
        new PostgresStoreProvider()
            .open(
                direct.replace(":" + server.port() + "/", ":" + port + "/"),
                new ClusterSettings("same", "", HEARTBEAT, LEASE),
                time);
    open.add(store);
    return store;
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private void beat(Store store) {
    await(store.cluster().orElseThrow().beat("same", "", Set.of("bot"), List.of()));
  }

  private void keepBeating(Store store) {
    beat(store);
    time.at(
        Instant.now().plus(HEARTBEAT),
        () ->
            time.start(
                "beat",
                () -> {
                  if (beating) {
                    keepBeating(store);
                  }
                }));
  }

  private void endEars() {
    server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE"
            + " 'postrider % listener same'");
  }

  @Test
  void a_second_process_is_refused_while_the_first_lives() {
    keepBeating(open(server.port()));

    assertThatThrownBy(() -> open(server.port()))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("a node named 'same' is at work already", "cluster.node");
  }

  @Test
  void a_second_process_is_refused_also_in_the_moment_in_which_the_first_has_lost_its_lock() {
    Store first = open(server.port());
    keepBeating(first);
    endEars();

    assertThatThrownBy(() -> open(server.port()))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("is at work already");

    beat(first);
  }

  @Test
  void
      a_process_that_was_cut_off_for_longer_than_a_lease_finds_its_name_taken_and_writes_no_more() {
    Store first = open(wire.port());
    beat(first);
    assertThat(await(first.acquire("bot", "same"))).isPresent();
    wire.clog(); // its connections stay, as those of a machine that has lost its power

    Store second = open(server.port());
    beat(second);
    assertThat(await(second.acquire("bot", "same"))).isPresent();
    wire.cut();
    wire.heal();

    assertThatThrownBy(() -> beatUntilHeard(first))
        .isInstanceOf(NameTaken.class)
        .hasMessageContaining("another process has taken the name 'same'");
    assertThatThrownBy(() -> await(first.touch(Instant.now())))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("another process has taken the name 'same'");
    await(first.cluster().orElseThrow().leave("same"));
    assertThat(second.cluster().orElseThrow().roll().holdings())
        .filteredOn(holding -> holding.account().equals("bot"))
        .allMatch(holding -> "same".equals(holding.owner()));
    beat(second);
  }

  private void beatUntilHeard(Store store) {
    while (true) {
      try {
        beat(store);
        return;
      } catch (StoreUnavailable e) {
        time.pause(Duration.ofMillis(50)); // the wire was only just mended
      }
    }
  }
}
