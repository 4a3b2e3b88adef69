package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.engine.ClusterWorld.Node;
import dev.postrider.testkit.engine.FlakyStore.Fault;
import dev.postrider.testkit.engine.FlakyStore.Moment;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An account's connection to its platform goes where its lease goes, and there are never two: the
 * platform, which refuses a second one, sees the one ended before another node begins.
 */
public abstract class ClusterListening {
  private static final List<String> ACCOUNTS = List.of("a", "b", "c", "d");
  private static final Duration TAKEOVER = Duration.ofSeconds(15);

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  protected Path folder;

  @SuppressWarnings("NullAway.Init") // made before each test
  private ClusterWorld world;

  @SuppressWarnings("NullAway.Init") // made before each test
  private SoleConnections platform;

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore line; // to the store, of the node n1

  protected abstract ClusterWorld.StoreOpener opener(Path folder);

  @BeforeEach
  void makeWorld() {
    world = new ClusterWorld(opener(folder)).accounts(ACCOUNTS.toArray(String[]::new));
    platform = new SoleConnections(world.time);
    world.platform.connecting(platform);
    line = new FlakyStore(world.time);
  }

  @AfterEach
  void endWorld() {
    world.close();
    assertThat(world.rescued()).as("what only the safety sweep has found").isZero();
    assertThat(platform.refused()).as("second connections").isEmpty();
  }

  private Node node(String name) {
    Node node = world.node(name);
    return node.configure(
        config ->
            config.accounts(
                config.accounts().stream()
                    .map(account -> account.set(SoleConnections.NODE, name))
                    .toList()));
  }

  /** Starts n1, whose line to the store can be cut. */
  private void startFirst() {
    world.wrap(line::around);
    node("n1").start();
    world.wrap(store -> store);
    world.agree();
  }

  private void startBoth() {
    startFirst();
    node("n2").start();
    world.agree();
    assertThat(connectedTo("n1")).hasSize(2);
    assertThat(connectedTo("n2")).hasSize(2);
  }

  private void cut() {
    line.trouble(_ -> new Fault(Moment.BEFORE, new StoreUnavailable("the line is cut")));
  }

  /** The accounts for which a node is connected. */
  private List<String> connectedTo(String node) {
    return ACCOUNTS.stream().filter(account -> node.equals(platform.nodeOf(account))).toList();
  }

  private AccountView view(String node, String account) {
    return world.node(node).postrider().accounts().stream()
        .filter(one -> one.id().equals(account))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_node_that_is_cut_off_from_the_store_hangs_up_before_another_takes_its_accounts() {
    startBoth();
    List<String> lost = connectedTo("n1");

    cut();
    world.pass(ClusterWorld.LEASE);
    assertThat(connectedTo("n1")).isEmpty();
    world.pass(TAKEOVER.minus(ClusterWorld.LEASE));

    assertThat(connectedTo("n2")).hasSize(4).containsAll(lost);
    line.calm();
    world.pass(Duration.ofMinutes(1));
    assertThat(connectedTo("n1")).as("an even share again").hasSize(2);
  }

  @Test
  void one_that_takes_its_time_to_hang_up_is_made_to_within_its_lease() {
    startBoth();
    platform.leaving(Duration.ofSeconds(5));

    cut();
    world.pass(ClusterWorld.LEASE);
    assertThat(connectedTo("n1")).isEmpty();
    world.pass(TAKEOVER);

    assertThat(connectedTo("n2")).hasSize(4);
  }

  @Test
  void a_node_that_finds_the_store_again_in_time_listens_again_and_says_how_it_was() {
    startFirst();
    cut();
    world.pass(ClusterWorld.LEASE);
    assertThat(connectedTo("n1")).isEmpty();
    assertThat(view("n1", "a").listening().status()).isEqualTo(ListeningView.Status.FAILING);
    assertThat(view("n1", "a").listening().cause()).contains("still works the account");
    assertThat(view("n1", "a").health()).isEqualTo(Health.DEGRADED);
    assertThat(view("n1", "a").waitingFor()).isNotNull();
    world.pass(Duration.ofMinutes(10));
    assertThat(platform.ended()).as("called no more meanwhile").hasSize(4);

    line.calm();
    world.pass(Duration.ofSeconds(3));

    assertThat(connectedTo("n1")).hasSize(4);
    assertThat(view("n1", "a").listening().status()).isEqualTo(ListeningView.Status.OK);
    assertThat(view("n1", "a").health()).isEqualTo(Health.READY);
    assertThat(world.node("n1").events(Event.ListeningFailing.class)).hasSize(4);
  }

  @Test
  void a_short_break_of_the_line_ends_no_connection() {
    startFirst();

    cut();
    world.pass(Duration.ofSeconds(6));
    line.calm();
    world.pass(Duration.ofMinutes(1));

    assertThat(platform.ended()).isEmpty();
  }

  @Test
  void a_planned_hand_over_waits_until_the_connection_has_ended() {
    startFirst();
    platform.leaving(Duration.ofSeconds(4));

    node("n2").start();
    world.agree();

    assertThat(connectedTo("n2")).hasSize(2);
    assertThat(platform.ended()).hasSize(2);
  }

  @Test
  void a_node_that_leaves_waits_until_its_connections_have_ended() {
    startBoth();
    platform.leaving(Duration.ofSeconds(4));
    Duration began = world.time.elapsed();

    world.node("n1").stop();
    assertThat(world.time.elapsed().minus(began))
        .as("all at once")
        .isEqualTo(Duration.ofSeconds(4));
    world.agree();

    assertThat(connectedTo("n2")).hasSize(4);
  }

  @Test
  void a_node_whose_store_does_not_answer_leaves_all_the_same() {
    startBoth();
    line.trouble(
        call ->
            call.equals("release") || call.equals("leave")
                ? new Fault(Moment.NEVER, new StoreUnavailable("no answer"))
                : null);
    Duration began = world.time.elapsed();

    world.node("n1").stop();

    assertThat(world.time.elapsed().minus(began)).isLessThan(Duration.ofSeconds(15));
    world.pass(TAKEOVER);
    assertThat(connectedTo("n2")).hasSize(4);
  }

  @Test
  void a_connection_that_does_not_end_by_itself_is_made_to_before_the_account_leaves() {
    startFirst();
    platform.leaving(Duration.ofDays(1));

    node("n2").start();
    world.pass(Duration.ofMinutes(1));

    assertThat(connectedTo("n2")).hasSize(2);
  }

  @Test
  void the_connections_of_a_dead_node_are_made_anew_in_under_15_seconds() {
    startBoth();

    world.node("n1").kill();
    platform.died("n1");
    world.pass(TAKEOVER);

    assertThat(connectedTo("n2")).hasSize(4);
  }

  @Test
  void a_lease_that_is_lost_and_had_again_makes_no_second_connection() {
    startFirst();
    platform.leaving(Duration.ofSeconds(3));
    world.node("n1").freeze();
    world.pass(Duration.ofSeconds(20));
    node("n2").start(); // takes all, and is refused by the platform: a frozen connection stands
    world.pass(Duration.ofSeconds(1));
    platform.refused().clear();
    world.node("n1").thaw();
    world.pass(Duration.ofMinutes(2));

    assertThat(connectedTo("n1")).hasSize(2);
    assertThat(connectedTo("n2")).hasSize(2);
    platform.refused().clear(); // a node that sleeps cannot hang up
  }
}
