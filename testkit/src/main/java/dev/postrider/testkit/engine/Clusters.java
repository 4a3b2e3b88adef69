package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.Delivery;
import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.cluster.Takeover;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.testkit.engine.ClusterWorld.Node;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.WaitingFor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How several engines behave that share a store. Nobody here hears a call of another node: what
 * happens, happens by the heartbeat, which is the safety net.
 */
public abstract class Clusters {
  private static final Duration TAKEOVER = Duration.ofSeconds(15);

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  protected Path folder;

  @SuppressWarnings("NullAway.Init") // made before each test
  protected ClusterWorld world;

  protected abstract ClusterWorld.StoreOpener opener(Path folder);

  @BeforeEach
  void makeWorld() {
    world = new ClusterWorld(opener(folder)).accounts("a", "b", "c", "d", "e", "f");
  }

  @AfterEach
  void endWorld() {
    world.close();
    assertThat(world.rescued()).as("what only the safety sweep has found").isZero();
  }

  private Node node(String name) {
    return world.node(name);
  }

  private Set<String> workedBy(String... names) {
    Set<String> all = new TreeSet<>();
    for (String name : names) {
      node(name)
          .works()
          .forEach(account -> assertThat(all.add(account)).as("worked once: " + account).isTrue());
    }
    return all;
  }

  /** The node that works the account. */
  private Node ownerOf(String account, String... names) {
    for (String name : names) {
      if (node(name).works().contains(account)) {
        return node(name);
      }
    }
    throw new AssertionError("nobody works " + account);
  }

  private static Node other(Node than, Node... all) {
    for (Node node : all) {
      if (node != than) {
        return node;
      }
    }
    throw new AssertionError("there is no other");
  }

  private Status status(Node asked, Delivery delivery) {
    return asked.postrider().find(delivery.id()).orElseThrow().status();
  }

  // ---- names of chats

  @Test
  void another_name_told_to_a_node_without_the_account_joins_lane_and_session() {
    world.platform.hook(
        request ->
            Hook.Answer.Genuine.of(List.of(Aliases.arrival(request.text(), "1@lid")))
                .naming(List.of(new Alias("1@lid", "49@c.us"))));
    world.start("n1", "n2");
    world.pass(TAKEOVER);
    Node owner = ownerOf("a", "n1", "n2");
    Node stranger = other(owner, node("n1"), node("n2"));
    owner.postrider().pauseAccount("a", "later");
    for (String chat : List.of("1@lid", "49@c.us", "1@lid")) {
      stranger.send("a", chat, "to " + chat);
    }
    world.pass(TAKEOVER);

    stranger.postrider().receive("a", Aliases.request("1"));
    world.pass(TAKEOVER);
    stranger.postrider().receive("a", Aliases.request("2"));
    owner.postrider().receive("a", Aliases.request("3"));

    assertThat(owner.postrider().lanes(LaneFilter.of("a"), null, 9).items())
        .extracting(LaneView::chat)
        .containsExactly("49@c.us");
    assertThat(owner.postrider().inbox().list(InboundFilter.ALL, null, 9).items())
        .hasSize(3)
        .extracting(StoredInbound::sessionId)
        .containsOnly("a/49@c.us");
    assertThat(owner.store().toldAliases()).isEmpty();
    owner.postrider().resumeAccount("a");
    world.pass(TAKEOVER);
    assertThat(world.platform.texts()).containsExactly("to 49@c.us", "to 1@lid", "to 1@lid");
  }

  // ---- who works what

  @Test
  void one_node_works_everything() {
    world.start("n1");

    assertThat(workedBy("n1")).containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  void accounts_are_spread_evenly_and_each_is_worked_once() {
    world.start("n1", "n2", "n3");

    assertThat(workedBy("n1", "n2", "n3")).containsExactly("a", "b", "c", "d", "e", "f");
    for (String name : List.of("n1", "n2", "n3")) {
      assertThat(node(name).works()).hasSize(2);
    }
  }

  @Test
  void a_joining_node_gets_its_share_and_messages_keep_going_out() {
    world.start("n1");
    List<String> sent = new ArrayList<>();
    node("n2").start();
    for (int i = 0; i < 40; i++) {
      node("n1").send("a", "ann", "m" + i);
      sent.add("m" + i);
      world.pass(Duration.ofMillis(250));
    }
    world.agree();

    assertThat(node("n2").works()).hasSize(3);
    assertThat(workedBy("n1", "n2")).hasSize(6);
    assertThat(world.platform.texts()).containsExactlyElementsOf(sent);
  }

  @Test
  void what_a_joining_node_gets_is_handed_over_without_a_doubt() {
    world.start("n1");
    world.platform.mood(_ -> world.platform.delivered().taking(Duration.ofSeconds(1)));
    List<Delivery> sent = new ArrayList<>();
    for (String account : List.of("a", "b", "c", "d", "e", "f")) {
      sent.add(node("n1").send(account, "ann", "to " + account));
      sent.add(node("n1").send(account, "ann", "then " + account));
    }

    node("n2").start();
    world.agree();

    assertThat(node("n2").works()).isNotEmpty();
    assertThat(world.platform.texts()).hasSize(12).doesNotHaveDuplicates();
    for (Delivery delivery : sent) {
      assertThat(status(node("n1"), delivery)).isEqualTo(Status.DELIVERED);
    }
    assertThat(node("n1").events(Event.AccountLeft.class)).isNotEmpty();
    assertThat(node("n2").events(Event.AccountTaken.class)).isNotEmpty();
  }

  @Test
  void a_planned_hand_over_waits_for_what_is_in_flight_as_long_as_its_attempt_may_take() {
    world.start("n1");
    world.platform.mood(_ -> world.platform.delivered().taking(Duration.ofSeconds(50)));
    List<Delivery> sent = new ArrayList<>();
    for (String account : List.of("a", "b", "c", "d", "e", "f")) {
      sent.add(node("n1").send(account, "ann", "to " + account));
    }

    node("n2").start();
    world.pass(Duration.ofSeconds(60));

    assertThat(node("n2").works()).isNotEmpty();
    assertThat(world.platform.texts()).hasSize(6).doesNotHaveDuplicates();
    assertThat(sent)
        .allSatisfy(
            delivery -> assertThat(status(node("n1"), delivery)).isEqualTo(Status.DELIVERED));
  }

  @Test
  void a_hand_over_waits_no_longer_than_an_attempt_may_take() {
    world.start("n1");
    world.platform.mood(_ -> world.platform.delivered().taking(Duration.ofHours(2)));
    for (String account : List.of("a", "b", "c", "d", "e", "f")) {
      node("n1").send(account, "ann", "to " + account);
    }

    node("n2").start();
    world.pass(Duration.ofMinutes(3));

    assertThat(node("n2").works()).isNotEmpty();
  }

  @Test
  void a_leaving_node_hands_over_at_once() {
    world.start("n1", "n2");

    node("n1").stop();
    world.pass(ClusterWorld.HEARTBEAT);

    assertThat(node("n2").works()).hasSize(6);
  }

  @Test
  void a_dead_node_is_taken_over_in_under_15_seconds() {
    world.start("n1", "n2");
    Set<String> lost = node("n1").works();

    node("n1").kill();
    world.pass(TAKEOVER);

    assertThat(node("n2").works()).hasSize(6).containsAll(lost);
    List<Takeover> takeovers =
        node("n2").postrider().cluster().orElseThrow().takeovers(10).stream()
            .filter(Takeover::died)
            .toList();
    assertThat(takeovers).isNotEmpty();
    assertThat(takeovers)
        .allSatisfy(
            takeover -> {
              assertThat(takeover.from()).isEqualTo("n1");
              assertThat(takeover.to()).isEqualTo("n2");
              assertThat(takeover.gap()).isLessThan(TAKEOVER);
            });
  }

  @Test
  void the_lease_says_how_long_a_silent_node_is_waited_for() {
    world.leases(ClusterWorld.HEARTBEAT, Duration.ofSeconds(40));
    world.start("n1", "n2");

    node("n1").kill();
    world.pass(Duration.ofSeconds(37));
    assertThat(node("n2").works()).hasSize(3);
    world.pass(Duration.ofSeconds(8));

    assertThat(node("n2").works()).hasSize(6);
  }

  @Test
  void the_heartbeat_says_how_often_a_node_looks() {
    world.leases(Duration.ofMillis(500), Duration.ofSeconds(10));
    world.start("n1", "n2");

    node("n1").stop();
    world.pass(Duration.ofMillis(600));

    assertThat(node("n2").works()).hasSize(6);
  }

  @Test
  void nodes_are_known_by_name_and_address() {
    world.start("n1", "n2");

    assertThat(node("n1").postrider().cluster().orElseThrow().roll().nodes())
        .extracting(ClusterSnapshot.Node::name, ClusterSnapshot.Node::address)
        .containsExactly(tuple("n1", "at n1"), tuple("n2", "at n2"));
  }

  @Test
  void a_node_that_lives_keeps_what_it_has() {
    world.start("n1", "n2");
    Set<String> first = node("n1").works();

    world.pass(Duration.ofMinutes(5));

    assertThat(node("n1").works()).isEqualTo(first);
    assertThat(node("n1").events(Event.AccountLeft.class)).hasSize(6 - first.size());
  }

  @Test
  void a_sign_of_life_that_could_not_be_given_is_given_soon() {
    FlakyStore disk = new FlakyStore(world.time);
    world.wrap(disk::around);
    world.start("n1");
    AtomicInteger beats = new AtomicInteger();
    disk.trouble(
        call ->
            call.equals("beat") && beats.incrementAndGet() == 1
                ? new FlakyStore.Fault(FlakyStore.Moment.BEFORE, new StoreUnavailable("away"))
                : null);

    world.pass(ClusterSettings.HEARTBEAT.plus(Duration.ofMillis(600)));

    assertThat(beats).hasValue(2);
  }

  @Test
  void a_node_that_starts_again_under_its_name_takes_its_accounts_up_at_once() {
    world.start("n1", "n2");
    Set<String> before = node("n1").works();

    node("n1").kill();
    node("n1").start();

    assertThat(node("n1").works()).isEqualTo(before);
  }

  @Test
  void a_process_that_finds_its_name_taken_stands_down_and_nothing_is_sent_twice() {
    world.start("n1");
    Node first = node("n1");
    Node second = world.twin("n1");
    second.start();
    for (int i = 0; i < 40; i++) {
      second.send("a", "chat" + i % 4, "m" + i);
      world.pass(Duration.ofMillis(500));
    }
    world.agree();

    assertThat(world.platform.texts()).hasSize(40).doesNotHaveDuplicates();
    assertThat(second.works()).hasSize(6);
    assertThat(first.works()).isEmpty();
    assertThat(first.events(Event.NodeReplaced.class)).hasSize(1);
    Refused refusal = catchThrowableOfType(Refused.class, () -> first.send("a", "ann", "by whom?"));
    assertThat(refusal.why()).isEqualTo(Refused.Cause.UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("taken the name 'n1'", "cluster.node");
  }

  @Test
  void a_process_that_has_stood_down_takes_nothing_along_when_it_ends() {
    world.start("n1");
    Node second = world.twin("n1");
    second.start();
    world.agree();

    node("n1").stop();
    world.agree();

    assertThat(second.works()).hasSize(6);
    second.send("a", "ann", "still here");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("still here");
  }

  @Test
  void a_node_works_only_accounts_it_knows_and_nothing_moves_to_and_fro() {
    node("n2").configure(config -> config.accounts(List.of(AccountConfig.of("a", "fake"))));
    world.start("n1", "n2");
    Set<String> first = node("n1").works();

    world.pass(Duration.ofMinutes(1));

    assertThat(workedBy("n1", "n2")).hasSize(6);
    assertThat(node("n2").works()).isSubsetOf("a");
    assertThat(node("n1").works()).isEqualTo(first);
  }

  // ---- messages

  @Test
  void any_node_accepts_for_any_account() {
    world.start("n1", "n2", "n3");
    List<Delivery> sent = new ArrayList<>();
    for (String name : List.of("n1", "n2", "n3")) {
      for (String account : List.of("a", "b", "c", "d", "e", "f")) {
        sent.add(node(name).send(account, "ann", name + account));
      }
    }
    world.agree();

    assertThat(world.platform.texts()).hasSize(18).doesNotHaveDuplicates();
    assertThat(sent)
        .allSatisfy(
            delivery -> assertThat(status(node("n2"), delivery)).isEqualTo(Status.DELIVERED));
  }

  @Test
  void messages_of_one_lane_keep_their_order_whichever_node_accepts_them() {
    world.start("n1", "n2", "n3");
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      sent.add("m" + i);
      node("n" + (1 + i % 3)).send("a", "ann", "m" + i); // accepted one after the other
    }
    world.agree();

    assertThat(world.platform.texts()).containsExactlyElementsOf(sent);
  }

  @Test
  void an_idempotency_key_holds_at_every_node() {
    world.start("n1", "n2");
    Message.Builder message = Message.to("a", "ann").text("once").idempotencyKey("k");

    Delivery first = node("n1").send(message);
    Delivery second = node("n2").send(message);
    world.agree();

    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.duplicate()).isTrue();
    assertThat(world.platform.texts()).containsExactly("once");
  }

  @Test
  void whoever_waits_at_another_node_is_told_the_end() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));
    Delivery delivery = asked.send("a", "ann", "hello");

    assertThat(delivery.await(Duration.ofSeconds(30)).status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_part_that_waits_for_a_receipt_goes_on_when_another_node_hears_of_it() {
    world.platform.textLimit(4);
    world.platform.sentWithin(_ -> Duration.ofMinutes(10));
    world.platform.mood(dispatch -> Reaction.of(Outcome.accepted("id-" + dispatch.index())));
    world.platform.hook(
        _ ->
            new Hook.Answer.Genuine(
                List.of(),
                List.of(new DeliveryReport("id-0", DeliveryReport.State.SENT, Instant.EPOCH, null)),
                Hook.Reply.OK));
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));
    owner.send("a", "ann", "aaaabbbb");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("aaaa");

    asked
        .postrider()
        .receive("a", new Hook.Request("POST", Map.of(), Map.of(), new byte[0], Instant.EPOCH));
    world.agree();

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
  }

  @Test
  void scheduled_bulk_and_unordered_messages_from_other_nodes_arrive_too() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));

    asked.send(Message.to("a", "ann").text("later").sendAt(world.time.instant().plusSeconds(60)));
    asked.send(Message.to("a", "ann").text("bulk").priority(Priority.BULK));
    asked.send(Message.to("a", "ann").text("any").ordering(Ordering.NONE));
    world.pass(Duration.ofSeconds(50));
    assertThat(world.platform.texts()).containsExactlyInAnyOrder("bulk", "any");

    world.pass(Duration.ofSeconds(11));
    assertThat(world.platform.texts()).last().isEqualTo("later");
  }

  @Test
  void a_clock_that_is_wrong_neither_delays_nor_hurries() {
    node("n1").clockAhead(Duration.ofMinutes(7));
    node("n2").clockAhead(Duration.ofMinutes(-11));
    world.start("n1", "n2", "n3");

    for (String name : List.of("n1", "n2", "n3")) {
      for (String account : List.of("a", "b", "c", "d", "e", "f")) {
        node(name).send(account, name, "hello");
      }
    }
    world.pass(ClusterWorld.HEARTBEAT);
    assertThat(world.platform.texts()).hasSize(18);

    Delivery expiring =
        node("n1")
            .send(Message.to("a", "bob").text("x").sendAt(world.time.instant().plusSeconds(30)));
    world.pass(Duration.ofSeconds(29));
    assertThat(status(node("n2"), expiring)).isEqualTo(Status.QUEUED);
    world.pass(Duration.ofSeconds(4));
    assertThat(status(node("n2"), expiring)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_clock_that_is_set_while_messages_wait_neither_delays_nor_hurries_them() {
    world.start("n1", "n2");
    world.platform.mood(_ -> world.platform.delivered().taking(Duration.ofSeconds(3)));
    for (Duration ahead : List.of(Duration.ofHours(8), Duration.ofMinutes(-10), Duration.ZERO)) {
      node("n1").setClock(ahead);
      node("n2").setClock(ahead.negated());
      List<Delivery> sent = new ArrayList<>();
      for (String account : List.of("a", "b", "c", "d", "e", "f")) {
        sent.add(node("n1").send(account, "ann", account + " first, " + ahead));
        sent.add(node("n2").send(account, "ann", account + " second, " + ahead));
      }
      world.pass(Duration.ofSeconds(20));

      assertThat(sent)
          .allSatisfy(
              delivery -> assertThat(status(node("n1"), delivery)).isEqualTo(Status.DELIVERED));
    }
    assertThat(world.platform.texts()).hasSize(36).doesNotHaveDuplicates();
    assertThat(node("n1").postrider().cluster().orElseThrow().takeovers(10))
        .noneMatch(Takeover::died);
  }

  // ---- deaths and zombies

  @Test
  void what_a_dead_node_had_under_way_is_finished_by_another_and_says_so() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node heir = other(owner, node("n1"), node("n2"));
    world.platform.then(world.platform.delivered().taking(Duration.ofSeconds(30)));
    Delivery inFlight = owner.send("a", "ann", "one");
    Delivery next = owner.send("a", "ann", "two");

    owner.kill();
    world.pass(Duration.ofSeconds(30));

    assertThat(world.platform.texts()).containsExactly("one", "one", "two");
    assertThat(heir.postrider().find(inFlight.id()).orElseThrow().possibleDuplicate()).isTrue();
    assertThat(status(heir, next)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_zombies_completion_is_rejected_and_counted() {
    world.start("n1", "n2");
    Node zombie = ownerOf("a", "n1", "n2");
    world.platform.then(world.platform.delivered().taking(Duration.ofSeconds(2)));
    zombie.send("a", "ann", "one");
    zombie.send("a", "ann", "two");

    zombie.freeze();
    world.pass(Duration.ofSeconds(25));
    assertThat(world.platform.texts()).containsExactly("one", "one", "two");
    zombie.thaw();
    world.agree();

    assertThat(world.platform.texts()).containsExactly("one", "one", "two");
    assertThat(zombie.postrider().stats().staleCompletions()).isEqualTo(1);
    assertThat(workedBy("n1", "n2")).hasSize(6);
  }

  @Test
  void a_zombie_sends_nothing_that_it_had_reserved_before_it_slept() {
    world.start("n1", "n2");
    Node zombie = ownerOf("a", "n1", "n2");
    world.platform.then(new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofSeconds(1), "slow"));
    zombie.send("a", "ann", "one"); // due again in a second, while it sleeps

    zombie.freeze();
    world.pass(Duration.ofSeconds(25));
    int before = world.platform.texts().size();
    zombie.thaw();
    world.agree();

    assertThat(world.platform.texts()).hasSize(before).endsWith("one");
  }

  @Test
  void a_zombie_does_not_send_what_it_was_about_to_send_when_it_fell_asleep() {
    Map<Store, FlakyStore> disks = new IdentityHashMap<>();
    world.wrap(
        store -> {
          FlakyStore disk = new FlakyStore(world.time);
          Store seen = disk.around(store);
          disks.put(seen, disk);
          return seen;
        });
    world.start("n1", "n2");
    Node zombie = ownerOf("a", "n1", "n2");
    Objects.requireNonNull(disks.get(zombie.store())).delay(Duration.ofSeconds(2)); // told later
    world.time.start(
        "client", () -> zombie.postrider().send(Message.to("a", "ann").text("one").build()));
    world.time.settle();

    zombie.freeze();
    world.pass(Duration.ofSeconds(25));
    assertThat(world.platform.texts()).as("sent by whoever took over").containsExactly("one");
    zombie.thaw();
    world.agree();

    assertThat(world.platform.texts()).containsExactly("one");
    assertThat(zombie.postrider().stats().staleCompletions()).isEqualTo(1);
  }

  @Test
  void arrivals_are_taken_in_although_the_store_threw_when_the_owner_was_told_of_them() {
    Map<Store, FlakyStore> disks = new IdentityHashMap<>();
    world.wrap(
        store -> {
          FlakyStore disk = new FlakyStore(world.time);
          Store seen = disk.around(store);
          disks.put(seen, disk);
          return seen;
        });
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node other = other(owner, node("n1"), node("n2"));
    int[] left = {2};
    Objects.requireNonNull(disks.get(owner.store()))
        .trouble(
            call ->
                call.equals("takeIn") && left[0]-- > 0
                    ? new FlakyStore.Fault(
                        FlakyStore.Moment.BEFORE, new ArithmeticException("a defect"))
                    : null);

    other.send("a", "ann", "one");
    world.agree();

    assertThat(world.platform.texts()).containsExactly("one");
  }

  @Test
  void a_zombie_still_accepts_and_gets_a_share_again() {
    world.start("n1", "n2");
    node("n1").freeze();
    world.pass(Duration.ofSeconds(20));
    assertThat(node("n2").works()).hasSize(6);

    node("n1").thaw();
    Delivery delivery = node("n1").send("a", "ann", "hello");
    world.agree();

    assertThat(status(node("n2"), delivery)).isEqualTo(Status.DELIVERED);
    assertThat(node("n1").works()).isNotEmpty();
    assertThat(workedBy("n1", "n2")).hasSize(6);
  }

  @Test
  void nothing_is_lost_when_nodes_die_one_after_the_other() {
    world.start("n1", "n2", "n3");
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      for (String account : List.of("a", "d")) {
        node("n3").send(account, "ann", account + i);
        sent.add(account + i);
      }
      if (i == 20) {
        node("n1").kill();
      }
      if (i == 40) {
        node("n2").kill();
      }
      world.pass(Duration.ofSeconds(1));
    }
    world.pass(Duration.ofSeconds(60));

    for (String account : List.of("a", "d")) {
      assertThat(
              world.platform.texts().stream().filter(text -> text.startsWith(account)).distinct())
          .containsExactlyElementsOf(
              sent.stream().filter(text -> text.startsWith(account)).toList());
    }
  }

  // ---- operators and chores

  @Test
  void an_account_paused_at_any_node_stops_and_goes_on() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));

    asked.postrider().pauseAccount("a", "by hand");
    world.agree();
    owner.send("a", "ann", "waits");
    world.agree();
    assertThat(world.platform.texts()).isEmpty();
    assertThat(owner.events(Event.AccountPaused.class)).hasSize(1);

    asked.postrider().resumeAccount("a");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("waits");
  }

  @Test
  void a_node_says_what_the_store_knows_of_messages_that_another_sends_and_else_whom_to_ask() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node other = node(owner.name.equals("n1") ? "n2" : "n1");
    world.platform.then(world.platform.delivered().taking(Duration.ofSeconds(30)));
    Delivery first = owner.send("a", "ann", "being sent");
    Delivery second = owner.send("a", "ann", "next");
    assertThat(waitingFor(other, first)).isNull();
    assertThat(waitingFor(other, second)).extracting(WaitingFor::messageId).isEqualTo(first.id());
    assertThat(world.node(other.name).postrider().accounts().getFirst().waitingFor())
        .extracting(WaitingFor::cause)
        .isEqualTo("node " + owner.name + " works its account");

    owner.postrider().pauseAccount("a", "by hand");
    assertThat(waitingFor(other, second)).isInstanceOf(WaitingFor.AccountPaused.class);
    other.postrider().resumeAccount("a");
    other.postrider().pauseLane("a", "ann", "on holiday");

    assertThat(waitingFor(other, second)).isInstanceOf(WaitingFor.LanePaused.class);
  }

  @Test
  void every_node_shows_the_health_that_the_owner_of_an_account_sees() {
    world.platform.listening(
        inlet -> {
          inlet.connected();
          world.time.await(new CompletableFuture<>());
        });
    world.start("n1", "n2");
    world.pass(Duration.ofSeconds(10));
    Node owner = ownerOf("a", "n1", "n2");
    Node other = other(owner, node("n1"), node("n2"));
    assertThat(view(other, "a").health()).isEqualTo(Health.READY);
    assertThat(view(other, "a").listening()).isEqualTo(view(owner, "a").listening());
    assertThat(view(other, "a").listening().status()).isEqualTo(ListeningView.Status.OK);
    world.platform.mood(_ -> Reaction.of(new Outcome.Unreachable("no route \0 to host")));
    Delivery delivery = owner.send("a", "ann", "hello");
    world.pass(Duration.ofSeconds(10));

    assertThat(view(owner, "a").health()).isEqualTo(Health.UNREACHABLE);
    assertThat(view(other, "a").health()).isEqualTo(Health.UNREACHABLE);
    assertThat(view(other, "a").since()).isEqualTo(view(owner, "a").since());
    assertThat(view(other, "a").reason()).isEqualTo("no route \uFFFD to host");
    assertThat(view(other, "a").waitingFor()).isInstanceOf(WaitingFor.Unreachable.class);
    assertThat(waitingFor(other, delivery)).isInstanceOf(WaitingFor.Unreachable.class);
    world.platform.mood(_ -> world.platform.delivered());
    world.pass(Duration.ofSeconds(75));

    assertThat(view(other, "a").health()).isEqualTo(Health.READY);
    assertThat(view(other, "a").reason()).isNull();
  }

  private static AccountView view(Node node, String account) {
    return node.postrider().accounts().stream()
        .filter(view -> view.id().equals(account))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_message_of_an_account_that_nobody_works_says_so_until_somebody_does() {
    world.start("n1");
    world.pass(Duration.ofSeconds(1)); // they do not beat together
    world.start("n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node other = node(owner.name.equals("n1") ? "n2" : "n1");
    world.platform.then(world.platform.delivered().taking(Duration.ofSeconds(30)));
    owner.send("a", "ann", "being sent");
    Delivery second = owner.send("a", "ann", "next");
    owner.kill();
    Set<String> seen = new TreeSet<>();

    for (int tenths = 0; tenths < 200; tenths++) {
      world.pass(Duration.ofMillis(100));
      WaitingFor wait = waitingFor(other, second);
      seen.add(wait == null ? "nothing" : wait.kind() + " " + wait.cause());
    }

    assertThat(seen).contains("otherNode no node works its account yet");
    assertThat(other.works()).contains("a");
  }

  private @Nullable WaitingFor waitingFor(Node node, Delivery delivery) {
    return node.postrider()
        .waitingFor(node.postrider().find(delivery.id()).orElseThrow(AssertionError::new));
  }

  @Test
  void an_account_that_is_repaired_stays_paused() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    world.platform.then(new Outcome.AccountBroken("token revoked"));
    owner.send("a", "ann", "waits");
    owner.postrider().pauseAccount("a", "by hand");

    world.platform.probe(new Probe.Healthy("a"));
    world.pass(Duration.ofMinutes(2));
    world.agree();

    assertThat(world.platform.texts()).isEmpty();
    assertThat(owner.events(Event.AccountResumed.class)).isEmpty();
  }

  @Test
  void a_pause_at_one_node_outlives_the_breakage_its_owner_finds_at_the_same_time() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));
    world.platform.then(new Outcome.AccountBroken("token revoked"));
    world.platform.probe(new Probe.Broken("token revoked"));

    asked
        .store()
        .pauseAccount("a", "by hand", world.time.instant()); // its owner has not heard of it yet
    owner.postrider().send(Message.to("a", "ann").text("waits").build());
    world.agree();

    AccountState state =
        owner.store().accounts().stream()
            .filter(one -> one.account().equals("a"))
            .findFirst()
            .orElseThrow();
    assertThat(state.pausedBecause()).isEqualTo("by hand");
    assertThat(state.brokenBecause()).isEqualTo("token revoked");
  }

  @Test
  void a_lane_paused_at_any_node_stops_and_goes_on() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));

    asked.postrider().pauseLane("a", "ann", "by hand");
    world.agree();
    owner.send("a", "ann", "waits");
    owner.send("a", "bob", "goes");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("goes");
    assertThat(owner.postrider().stats().pausedLanes()).isEqualTo(1);

    asked.postrider().resumeLane("a", "ann");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("goes", "waits");
  }

  @Test
  void a_head_cancelled_at_another_node_lets_its_lane_go_on() {
    world.start("n1", "n2");
    Node owner = ownerOf("a", "n1", "n2");
    Node asked = other(owner, node("n1"), node("n2"));
    world.platform.then(new Outcome.NotSent("refused"));
    Delivery first = owner.send("a", "ann", "one");
    owner.send("a", "ann", "two");

    asked.postrider().cancel(first.id());
    world.pass(ClusterWorld.HEARTBEAT.plusMillis(100));

    assertThat(world.platform.texts()).last().isEqualTo("two");
    assertThat(status(owner, first)).isEqualTo(Status.CANCELLED);
  }

  @Test
  void one_node_does_the_chores_and_another_goes_on_with_them() {
    world
        .accounts("a")
        .configure(
            config ->
                config.queue(config.queue().with(q -> q.keepDelivered = Duration.ofSeconds(1))));
    world.start("n1", "n2");
    Node home =
        node("n1").store().cluster().orElseThrow().roll().holdings().stream()
            .filter(holding -> holding.account().isEmpty())
            .map(holding -> node(String.valueOf(holding.owner())))
            .findFirst()
            .orElseThrow();
    Node heir = other(home, node("n1"), node("n2"));
    heir.postrider().pauseAccount("a", "so that it expires");
    world.agree();
    Delivery first = heir.send(Message.to("a", "ann").text("x").expiresIn(Duration.ofSeconds(20)));
    world.pass(Duration.ofSeconds(30));
    assertThat(status(heir, first)).isEqualTo(Status.EXPIRED);
    assertThat(home.events(Event.Ended.class)).hasSize(1);
    assertThat(heir.events(Event.Ended.class)).isEmpty();

    home.kill();
    Delivery second = heir.send(Message.to("a", "ann").text("y").expiresIn(Duration.ofSeconds(20)));
    world.pass(Duration.ofSeconds(40));

    assertThat(status(heir, second)).isEqualTo(Status.EXPIRED);
    assertThat(heir.events(Event.Ended.class)).hasSize(1);
  }

  @Test
  void everybody_counts_the_same() {
    world.start("n1", "n2");
    node("n1").postrider().pauseAccount("a", "so that they wait");
    world.agree();
    for (int i = 0; i < 10; i++) {
      node("n" + (1 + i % 2)).send("a", "ann", "m" + i);
    }
    world.agree();

    assertThat(node("n1").postrider().stats().queued()).isEqualTo(10);
    assertThat(node("n2").postrider().stats().queued()).isEqualTo(10);

    node("n2").postrider().resumeAccount("a");
    world.agree();
    for (String name : List.of("n1", "n2")) {
      assertThat(node(name).postrider().stats().queued()).isZero();
      assertThat(node(name).postrider().accounts()).allMatch(account -> account.queued() == 0);
    }
  }

  @Test
  void whoever_hands_a_message_in_does_not_wait_for_a_database_that_does_not_answer() {
    world.start("n1");
    FlakyStore slow = new FlakyStore(world.time);
    slow.delay(Duration.ofMinutes(1));
    world.wrap(slow::around);
    world.start("n2");
    Duration before = world.time.elapsed();

    Refused refusal =
        catchThrowableOfType(Refused.class, () -> node("n2").send("a", "ann", "hello"));

    assertThat(refusal.why()).isEqualTo(Refused.Cause.UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("same idempotencyKey");
    assertThat(world.time.elapsed().minus(before)).isEqualTo(Duration.ofSeconds(15));
  }
}
