package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.view.WaitingFor;
import dev.postrider.view.WaitingSummary;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What messages, lanes and accounts say they wait for, on any store. */
public abstract class Waiting extends EngineBehaviour {
  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  private final List<String> asked = new ArrayList<>(); // of the store, by name

  @BeforeEach
  void makeDisk() {
    disk = new FlakyStore(world.time);
    world =
        new World(
            time -> watched(disk.around(openStore(folder, time))), world.time, world.platform, 1);
  }

  private Store watched(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              asked.add(method.getName());
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private @Nullable WaitingFor wait(Delivery delivery) {
    return world.postrider().waitingFor(world.message(delivery.id()));
  }

  private @Nullable WaitingFor lane(String chat) {
    Lane lane = new Lane("bot", chat);
    return world.postrider().waitingForLanes(List.of(lane)).get(lane);
  }

  private Instant now() {
    return world.time.instant();
  }

  // ---- each kind

  @Test
  void a_message_that_is_being_sent_waits_for_nothing_and_the_next_waits_behind_it() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");
    Delivery third = world.send("ann", "three");

    assertThat(wait(first)).isNull();
    assertThat(lane("ann")).isNull();
    assertThat(wait(second)).isEqualTo(new WaitingFor.Behind(first.id(), now()));
    assertThat(wait(third)).isEqualTo(new WaitingFor.Behind(first.id(), now()));
    world.pass(seconds(5));

    assertThat(wait(third)).as("it has ended").isNull();
  }

  @Test
  void a_message_whose_attempt_failed_waits_for_its_retry_and_says_why() {
    steadyBackoff();
    world.start();
    world.platform.then(NO_ANSWER);
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");

    WaitingFor retry = new WaitingFor.Retry(now().plus(seconds(5)), now(), "connection reset");
    assertThat(wait(first)).isEqualTo(retry);
    assertThat(lane("ann")).isEqualTo(retry);
    assertThat(wait(second)).isEqualTo(new WaitingFor.Behind(first.id(), now()));
  }

  @Test
  void a_message_that_is_due_waits_for_the_pace_of_its_account() {
    world.platform.pace(Pace.perMinute(1), Pace.UNLIMITED);
    world.start();
    world.send("ann", "one");
    Instant start = now();
    world.pass(seconds(10));
    Delivery second = world.send("bob", "two");

    assertThat(wait(second))
        .isEqualTo(new WaitingFor.Pace(start.plus(minutes(1)), now(), "the pace of the account"));
    assertThat(account("bot").waitingFor())
        .isEqualTo(new WaitingFor.Pace(start.plus(minutes(1)), null, "the pace of the account"));
  }

  @Test
  void a_message_that_is_due_waits_for_the_pace_of_its_chat() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    world.send("ann", "one");
    Delivery second = world.send("ann", "two");

    assertThat(wait(second))
        .isEqualTo(new WaitingFor.Pace(now().plus(minutes(1)), now(), "the pace of this chat"));
    assertThat(account("bot").waitingFor()).isNull();
  }

  @Test
  void a_message_between_two_parts_waits_for_the_pace_and_for_nothing_while_one_is_sent() {
    world.platform.textLimit(20).pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    Instant start = now();
    Delivery first = world.send("ann", "a first part here, then a second part");
    Delivery second = world.send("ann", "next");
    world.pass(seconds(10));

    assertThat(world.status(first)).isEqualTo(Status.SENDING);
    WaitingFor expected =
        new WaitingFor.Pace(start.plus(minutes(1)), start, "the pace of this chat");
    assertThat(wait(first)).isEqualTo(expected);
    assertThat(lane("ann")).isEqualTo(expected);
    assertThat(wait(second)).isEqualTo(new WaitingFor.Behind(first.id(), start));
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    world.pass(seconds(52));

    assertThat(wait(first)).as("its second part is under way").isNull();
    assertThat(lane("ann")).isNull();
  }

  @Test
  void a_message_between_two_parts_says_that_the_store_is_down() {
    world.platform.textLimit(20).pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    Delivery delivery = world.send("ann", "a first part here, then a second part");
    world.pass(seconds(10));
    StoredMessage sending = world.message(delivery.id());
    disk.failWrites(true);
    refusal(() -> world.postrider().pauseAccount("bot", "maintenance"));

    assertThat(world.postrider().waitingFor(sending))
        .isEqualTo(new WaitingFor.StoreDown(now(), "the disk is full"));
  }

  @Test
  void a_throttled_message_waits_for_the_platforms_patience_and_not_for_a_retry() {
    world.start();
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(30)));
    Delivery delivery = world.send("ann", "one");

    assertThat(wait(delivery))
        .isEqualTo(new WaitingFor.Pace(now().plus(seconds(30)), now(), "too many requests"));
  }

  @Test
  void a_message_that_only_waits_for_a_free_slot_promises_no_moment() {
    world.platform.concurrency(1);
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    world.send("ann", "one");
    Delivery second = world.send("bob", "two");

    assertThat(wait(second)).isEqualTo(new WaitingFor.Pace(null, now(), null));
  }

  @Test
  void a_message_on_a_paused_lane_says_who_paused_it_and_when() {
    world.start();
    world.postrider().pauseLane("bot", "ann", "on holiday");
    Instant paused = now();
    world.pass(minutes(1));
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");

    WaitingFor expected = new WaitingFor.LanePaused(paused, "on holiday");
    assertThat(wait(first)).isEqualTo(expected);
    assertThat(wait(second)).as("not the one before it").isEqualTo(expected);
    assertThat(lane("ann")).isEqualTo(expected);
    assertThat(lane("bob")).isNull();
  }

  @Test
  void a_message_of_a_paused_account_says_who_paused_it_and_when() {
    world.start();
    world.postrider().pauseAccount("bot", "maintenance");
    WaitingFor expected = new WaitingFor.AccountPaused(now(), "maintenance");
    Delivery delivery = world.send("ann", "one");
    world.pass(minutes(1));

    assertThat(wait(delivery)).isEqualTo(expected);
    assertThat(lane("ann")).isEqualTo(expected);
    assertThat(account("bot").waitingFor()).isEqualTo(expected);
  }

  @Test
  void a_message_of_a_broken_account_says_why_and_when_the_platform_is_asked_again() {
    world.start();
    world.platform.probe(new Probe.Broken("401: token revoked"));
    world.platform.mood(_ -> Reaction.of(new Outcome.AccountBroken("401: token revoked")));
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");

    WaitingFor expected =
        new WaitingFor.AccountBroken(now().plus(minutes(1)), now(), "401: token revoked");
    assertThat(wait(first)).isEqualTo(expected);
    assertThat(wait(second)).isEqualTo(expected);
    assertThat(account("bot").waitingFor()).isEqualTo(expected);
  }

  @Test
  void a_message_of_a_platform_that_cannot_be_reached_says_since_when_and_when_it_is_tried_again() {
    world.start();
    world.platform.mood(_ -> Reaction.of(UNREACHABLE));
    Instant since = now();
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");
    world.pass(seconds(1));

    assertThat(List.of(first, second))
        .allSatisfy(
            delivery -> {
              WaitingFor waits = wait(delivery);
              assertThat(waits).isInstanceOf(WaitingFor.Unreachable.class);
              assertThat(waits).extracting(WaitingFor::cause).isEqualTo("connection refused");
              assertThat(waits).extracting(WaitingFor::since).isEqualTo(since);
              assertThat(waits)
                  .extracting(WaitingFor::until)
                  .isEqualTo(account("bot").nextProbeAt());
            });
    assertThat(account("bot").waitingFor()).isEqualTo(wait(first));
    assertThat(account("bot").nextProbeAt()).isAfter(now());
  }

  @Test
  void a_message_of_an_account_that_has_lost_its_connection_says_so() {
    world.start();
    world.platform.context("bot").notReady("reconnecting");
    Delivery delivery = world.send("ann", "one");

    assertThat(wait(delivery)).isEqualTo(new WaitingFor.Unreachable(null, now(), "reconnecting"));
  }

  @Test
  void a_message_of_an_account_that_was_never_ready_says_so() {
    world.platform.readyAtStart(false);
    Instant start = now();
    world.start();
    Delivery delivery = world.send("ann", "one");

    assertThat(wait(delivery)).isEqualTo(new WaitingFor.Unreachable(null, start, "connecting"));
  }

  @Test
  void a_message_for_later_waits_for_its_time_and_holds_up_nobody() {
    world.start();
    Instant later = now().plus(hours(1));
    Delivery scheduled = world.send(to("ann", "later").sendAt(later));

    assertThat(wait(scheduled)).isInstanceOf(WaitingFor.SendAt.class);
    assertThat(wait(scheduled)).extracting(WaitingFor::until).isEqualTo(later);
    assertThat(lane("ann")).extracting(WaitingFor::until).isEqualTo(later);
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery first = world.send("ann", "now");
    assertThat(wait(first)).isNull();
    assertThat(wait(scheduled)).isInstanceOf(WaitingFor.SendAt.class);
  }

  @Test
  void a_message_says_that_the_store_is_down_before_anything_else() {
    world.start();
    world.postrider().pauseAccount("bot", "maintenance");
    Delivery delivery = world.send("ann", "one");
    disk.failWrites(true);
    refusal(() -> world.postrider().resumeAccount("bot"));

    WaitingFor expected = new WaitingFor.StoreDown(now(), "the disk is full");
    assertThat(wait(delivery)).isEqualTo(expected);
    assertThat(account("bot").waitingFor()).isEqualTo(expected);
  }

  @Test
  void a_message_of_an_account_that_is_not_configured_any_more_says_so() {
    world.configure(config -> config.account(AccountConfig.of("old", "fake")));
    world.start();
    world.postrider().pauseAccount("old", "test");
    Delivery delivery = world.send(Message.to("old", "ann").text("left behind"));
    world.crash();
    world.configure(config -> config.accounts(List.of(AccountConfig.of("bot", "fake"))));
    world.start();

    assertThat(wait(delivery))
        .satisfies(
            waits -> {
              assertThat(waits).isInstanceOf(WaitingFor.AccountBroken.class);
              assertThat(waits).extracting(WaitingFor::cause).isEqualTo("not configured any more");
            });
  }

  @Test
  void the_oldest_waiting_counts_from_acceptance_and_not_what_is_for_later() {
    steadyBackoff();
    world.start();
    world.send(to("eve", "later").sendAt(now().plus(hours(5))));
    assertThat(account("bot").oldestWaitingAt()).as("for later").isNull();
    world.platform.mood(_ -> Reaction.of(NO_ANSWER));
    Instant accepted = now();
    world.send("ann", "one");
    world.pass(minutes(1));
    world.send("bob", "two");

    assertThat(account("bot").oldestWaitingAt()).isEqualTo(accepted);
    assertThat(world.postrider().stats().oldestWaitingAt()).isEqualTo(accepted);
    world.platform.mood(_ -> world.platform.delivered());
    world.pass(hours(1));

    assertThat(account("bot").oldestWaitingAt()).isNull();
  }

  @Test
  void a_message_that_was_for_later_has_waited_since_its_time() {
    world.start();
    Instant later = now().plus(hours(5));
    world.send(to("ann", "later").sendAt(later));
    world.platform.mood(_ -> Reaction.of(NO_ANSWER));

    world.pass(hours(5).plus(seconds(2)));

    assertThat(account("bot").oldestWaitingAt()).isEqualTo(later);
  }

  // ---- how many wait for what

  private Map<String, Long> counts() {
    Map<String, Long> counts =
        new TreeMap<>(
            world
                .postrider()
                .waitingCounts(world.postrider().accounts())
                .getOrDefault("bot", Map.of()));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  @Test
  void those_that_wait_are_counted_by_what_they_wait_for() {
    steadyBackoff();
    world.platform.concurrency(1).servers(chat -> chat.equals("far") ? "far.example.org" : null);
    world.platform.mood(
        dispatch ->
            switch (dispatch.to()) {
              case "ann" -> Reaction.of(NO_ANSWER);
              case "far" -> Reaction.of(UNREACHABLE);
              case "zoe" -> world.platform.delivered().taking(seconds(4));
              default -> world.platform.delivered();
            });
    world.start();
    world.send("ann", "is tried again");
    world.send("ann", "behind it");
    world.send("ann", "behind both");
    world.send("far", "its server is away");
    world.send(to("cleo", "for later").sendAt(now().plus(hours(1))));
    world.postrider().pauseLane("bot", "eve", "on holiday");
    world.send("eve", "its lane is paused");
    world.send("eve", "behind it");
    world.send("zoe", "is being sent");
    world.send("bob", "waits for a slot");
    world.send("bob", "behind it");
    world.pass(seconds(1));

    assertThat(counts())
        .isEqualTo(
            Map.of(
                "behind", 4L,
                "lanePaused", 1L,
                "pace", 1L,
                "retry", 1L,
                "sendAt", 1L,
                "unreachable", 1L));
    assertThat(groups())
        .containsExactlyInAnyOrder(
            "behind 4 null",
            "lanePaused 1 on holiday",
            "pace 1 null",
            "retry 1 connection reset",
            "sendAt 1 null",
            "unreachable 1 connection refused");
    world.postrider().pauseAccount("bot", "maintenance");

    assertThat(counts()).isEqualTo(Map.of("accountPaused", 9L));
    assertThat(groups()).containsExactly("accountPaused 9 maintenance");
    world.postrider().resumeAccount("bot");
    world.postrider().resumeLane("bot", "eve");
    world.platform.mood(_ -> world.platform.delivered());
    world.pass(hours(2));

    assertThat(counts()).isEmpty();
  }

  private List<String> groups() {
    WaitingSummary summary = world.postrider().waiting(world.postrider().accounts());
    assertThat(summary.complete()).isTrue();
    return summary.groups().stream()
        .map(group -> group.kind() + " " + group.messages() + " " + group.cause())
        .toList();
  }

  @Test
  void more_than_are_looked_at_are_counted_nevertheless_and_the_summary_says_so() {
    world.platform.concurrency(1);
    world.platform.mood(_ -> world.platform.delivered().taking(hours(1)));
    world.start();
    for (int i = 0; i < 301; i++) {
      world.send("chat-" + i, "hi");
    }

    WaitingSummary summary = world.postrider().waiting(world.postrider().accounts());

    assertThat(summary.complete()).isFalse();
    assertThat(summary.messages()).isEqualTo(300);
    assertThat(summary.groups()).extracting(WaitingSummary.Group::kind).containsOnly("pace");
  }

  // ---- which goes first

  @Test
  void a_message_outside_its_lanes_order_waits_behind_nobody() {
    steadyBackoff();
    world.start();
    world.platform.then(NO_ANSWER, NO_ANSWER);
    world.send("ann", "one");
    Delivery loose = world.send(to("ann", "loose").ordering(Ordering.NONE));

    assertThat(wait(loose))
        .isEqualTo(new WaitingFor.Retry(now().plus(seconds(5)), now(), "connection reset"));
  }

  @Test
  void an_account_that_is_closed_goes_before_a_retry_and_its_due_time() {
    steadyBackoff();
    world.start();
    world.platform.then(NO_ANSWER);
    Delivery delivery = world.send("ann", "one");
    world.postrider().pauseAccount("bot", "maintenance");
    WaitingFor expected = new WaitingFor.AccountPaused(now(), "maintenance");

    assertThat(wait(delivery)).isEqualTo(expected);
    world.pass(minutes(5));

    assertThat(wait(delivery)).as("its due time has passed").isEqualTo(expected);
  }

  @Test
  void nothing_is_promised_for_a_moment_that_has_passed() {
    steadyBackoff();
    world.start();
    world.platform.then(NO_ANSWER);
    Delivery delivery = world.send("ann", "one");
    world.platform.context("bot").notReady("reconnecting");

    world.pass(minutes(5));

    assertThat(wait(delivery)).isNotNull().extracting(WaitingFor::until).isNull();
  }

  @Test
  void many_messages_of_many_lanes_are_one_question_to_the_store() {
    world.start();
    world.postrider().pauseAccount("bot", "maintenance");
    for (int i = 0; i < 20; i++) {
      world.send("chat " + i % 10, "text");
    }
    List<StoredMessage> page = world.postrider().list(MessageFilter.ALL, null, 100).items();
    asked.clear();

    assertThat(world.postrider().waitingFor(page)).hasSize(20);

    assertThat(asked).containsExactly("tops");
  }
}
