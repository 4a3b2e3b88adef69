package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.view.Health;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Crashes, stops and starts. */
public abstract class Recoveries extends EngineBehaviour {
  private static final List<String> CHUNKS = List.of("aaaa", "bbbb", "next");

  @BeforeEach
  void foretellable() {
    steadyBackoff();
  }

  private Event.Recovered summary() {
    List<Event.Recovered> all = world.events(Event.Recovered.class);
    assertThat(all).isNotEmpty();
    return all.getLast();
  }

  // ---- a crash at every step

  /**
   * Runs one scenario (two messages of one lane, one of two parts, with a retry) and pulls the plug
   * after n steps, for every n until it is through: before the first write, between reservation and
   * request, after the platform took a part, after its outcome was stored, and everything between.
   */
  @Test
  void a_crash_at_any_step_loses_nothing_and_repeats_at_most_one_part() {
    boolean through = false;
    int steps = 0;
    for (; !through; steps++) {
      assertThat(steps).isLessThan(500);
      through = crashAfter(steps);
    }
    assertThat(steps).isGreaterThan(20);
  }

  private boolean crashAfter(int steps) {
    world.close();
    FakeChannel platform = new FakeChannel().textLimit(4);
    platform.then(Outcome.delivered("first"), REFUSED);
    Path own = folder.resolve("crash" + steps);
    assertThat(own.toFile().mkdirs()).isTrue();
    world = new World(time -> openStore(own, time), VirtualTime.inOrder(), platform, 1);
    steadyBackoff();
    world.start();
    List<MessageId> accepted = new ArrayList<>();
    world.time.start(
        "producer",
        () -> {
          for (String text : List.of("aaaabbbb", "next")) {
            accepted.add(world.postrider().send(to("ann", text).build()).id());
          }
        });
    for (int i = 0; i < steps; i++) {
      world.time.step();
    }
    boolean through = world.events(Event.Delivered.class).size() == 2;
    crashAndStart();
    world.pass(minutes(1));

    String when = "after " + steps + " steps";
    List<String> seen = platform.arrivals().stream().map(r -> String.valueOf(r.text())).toList();
    for (MessageId id : accepted) {
      assertThat(world.message(id).status()).as(when).isEqualTo(Status.DELIVERED);
    }
    List<String> distinct = seen.stream().distinct().toList();
    assertThat(distinct).as(when).isEqualTo(CHUNKS.subList(0, distinct.size()));
    assertThat(distinct.size())
        .as(when)
        .isGreaterThanOrEqualTo(accepted.size() == 2 ? 3 : accepted.isEmpty() ? 0 : 2);
    assertThat(seen.size() - distinct.size()).as(when).isLessThanOrEqualTo(1);
    if (seen.size() > distinct.size()) {
      String repeated =
          distinct.stream()
              .filter(t -> Collections.frequency(seen, t) > 1)
              .findFirst()
              .orElseThrow();
      MessageId id =
          platform.requests().stream()
              .filter(request -> repeated.equals(request.text()))
              .findFirst()
              .orElseThrow()
              .id();
      assertThat(world.message(id).possibleDuplicate()).as(when).isTrue();
    }
    return through;
  }

  @Test
  void an_attempt_is_reserved_before_the_request_goes_out() {
    world.start();
    List<StoredMessage> seen = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          seen.add(world.message(dispatch.id()));
          return world.platform.delivered();
        });

    world.send("ann", "hello");

    assertThat(seen.getFirst().status()).isEqualTo(Status.SENDING);
    assertThat(seen.getFirst().attempts()).isEqualTo(1);
  }

  @Test
  void a_message_that_kills_the_process_each_time_ends_failed() {
    delivery(settings -> settings.backoff = List.of(seconds(5)));
    world.start();
    world.platform.mood(_ -> Reaction.of(NO_ANSWER).neverAnswering());
    Delivery killer = world.send("ann", "killer");
    world.send("ann", "innocent");

    for (int crash = 0; crash < 5; crash++) {
      assertThat(world.status(killer)).isEqualTo(Status.SENDING);
      world.crash();
      if (crash == 4) {
        world.platform.mood(_ -> world.platform.delivered());
      }
      world.start();
      world.pass(seconds(5));
    }

    assertThat(world.status(killer)).isEqualTo(Status.FAILED);
    assertThat(world.message(killer.id()).reason()).isEqualTo("attempts-exhausted");
    assertThat(world.platform.texts()).containsExactly("innocent");
  }

  @Test
  void a_message_interrupted_by_a_crash_is_held_where_doubt_holds() {
    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
    world.start();
    world.platform.then(world.platform.delivered().neverAnswering());
    Delivery delivery = world.send("ann", "hello");

    crashAndStart();
    world.pass(hours(1));

    assertThat(world.status(delivery)).isEqualTo(Status.HELD);
    assertThat(world.platform.texts()).containsExactly("hello");
  }

  @Test
  void a_platform_that_deduplicates_shows_no_repeat_after_a_crash() {
    world.platform.deduplicating();
    world.start();
    world.platform.then(world.platform.delivered().neverAnswering());
    Delivery delivery = world.send("ann", "hello");

    crashAndStart();
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.platform.requests()).hasSize(2);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  // ---- the summary

  @Test
  void the_summary_tells_what_was_found_and_what_became_of_it() {
    world.start();
    world.platform.then(world.platform.delivered().neverAnswering());
    world.send("unknown", "m");
    world.postrider().pauseAccount("bot", "test");
    world.send("delivered", "m");
    world.send("rejected", "m");
    world.send(to("expired", "m").expiresIn(seconds(30)));
    world.send(to("deferred", "m").sendAt(world.time.instant().plus(hours(5))));
    world.crash();
    world.pass(minutes(1));
    world.platform.mood(
        dispatch ->
            dispatch.to().equals("rejected")
                ? Reaction.of(rejected())
                : world.platform.delivered());
    world.start();
    world.postrider().resumeAccount("bot");

    world.pass(minutes(2));

    Event.Recovered summary = summary();
    assertThat(summary.found()).isEqualTo(5);
    assertThat(summary.recovered()).isEqualTo(2);
    assertThat(summary.failed()).isEqualTo(1);
    assertThat(summary.expired()).isEqualTo(1);
    assertThat(summary.deferred()).isEqualTo(1);
    assertThat(summary.unknown()).isEqualTo(1);
  }

  @Test
  void the_summary_is_drawn_when_the_drain_budget_is_over_and_the_rest_goes_on() {
    queue(settings -> settings.drainBudget = seconds(10));
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    world.postrider().pauseAccount("bot", "test");
    IntStream.range(0, 30).forEach(i -> world.send("chat" + i, "m"));
    world.crash();
    world.pass(minutes(1));
    world.start();
    world.postrider().resumeAccount("bot");

    world.pass(seconds(10));
    assertThat(summary().recovered()).isBetween(10L, 11L);
    assertThat(summary().found()).isEqualTo(30);
    assertThat(summary().deferred()).isBetween(19L, 20L);
    world.pass(seconds(30));

    assertThat(world.platform.arrivals()).hasSize(30);
  }

  @Test
  void the_summary_is_drawn_early_when_everything_has_ended() {
    world.start();
    world.platform.then(REFUSED);
    world.send("ann", "m");
    world.crash();
    world.pass(seconds(7));
    world.start();

    world.pass(millis(1));

    assertThat(summary().found()).isEqualTo(1);
    assertThat(summary().recovered()).isEqualTo(1);
  }

  // ---- starting

  @Test
  void a_backlog_waits_for_people_where_it_is_not_drained_by_itself() {
    queue(settings -> settings.drainOnStartup = false);
    world.start();
    assertThat(account("bot").health()).isEqualTo(Health.READY); // there is no backlog
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "m");

    crashAndStart();
    world.pass(hours(1));
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    assertThat(account("bot").reason()).contains("drainOnStartup");
    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void the_first_message_goes_out_before_the_backlog_is_read() {
    FlakyStore flaky = new FlakyStore(world.time);
    world = new World(time -> flaky.around(openStore(folder, time)), world.time, world.platform, 1);
    world.start();
    world.postrider().pauseAccount("bot", "filling");
    List<Message> batch =
        IntStream.range(0, 2000).mapToObj(i -> to("chat" + i, "m").build()).toList();
    world.postrider().sendAll(batch);
    world.platform.concurrency(1);
    restart();
    List<Long> pagesReadBefore = new ArrayList<>();
    world.platform.mood(
        _ -> {
          pagesReadBefore.add(flaky.calls().stream().filter("due"::equals).count());
          return world.platform.delivered();
        });
    flaky.calls().clear();

    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.platform.arrivals()).hasSize(2000);
    assertThat(pagesReadBefore.getFirst()).isLessThanOrEqualTo(2); // one of each priority
  }

  // ---- stopping

  @Test
  void a_stop_waits_for_what_is_in_flight_and_begins_nothing_new() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery inFlight = world.send("ann", "in flight");
    world.send("ann", "next");

    restart();

    assertThat(world.time.elapsed()).isEqualTo(seconds(5));
    assertThat(world.status(inFlight)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(inFlight.id()).possibleDuplicate()).isFalse();
    world.pass(millis(1));
    assertThat(world.platform.texts()).containsExactly("in flight", "next");
    assertThat(world.platform.requests().getLast().elapsed()).isGreaterThanOrEqualTo(seconds(5));
  }

  @Test
  void a_stop_does_not_wait_longer_than_its_grace() {
    queue(settings -> settings.shutdownGrace = seconds(3));
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(50)));
    Delivery slow = world.send("ann", "slow");

    world.stop();
    assertThat(world.time.elapsed()).isEqualTo(seconds(3));
    world.start();
    assertThat(world.history(slow).getLast().outcome()).isEqualTo("unknown");
    world.pass(seconds(5));

    assertThat(world.status(slow)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(slow.id()).possibleDuplicate()).isTrue();
    world.pass(minutes(1)); // the answer to the old engine comes, and nobody listens
    assertThat(world.platform.texts()).containsExactly("slow", "slow");
  }

  @Test
  void a_stopping_engine_takes_no_more_messages() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    world.send("ann", "in flight");
    List<Refused> refused = new ArrayList<>();
    world.time.at(
        world.time.instant().plus(seconds(1)),
        () ->
            world.time.start(
                "producer",
                () ->
                    refused.add(refusal(() -> world.postrider().send(to("bob", "late").build())))));

    restart();

    assertThat(refused).extracting(Refused::why).containsExactly(Refused.Cause.STOPPING);
    assertThat(world.platform.texts()).containsExactly("in flight");
  }
}
