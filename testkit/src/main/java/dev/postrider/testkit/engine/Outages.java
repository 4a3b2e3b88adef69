package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.event.Event;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.Health;
import dev.postrider.view.Outage;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A platform that cannot be reached is not the message's fault. */
public abstract class Outages extends EngineBehaviour {

  private void goAway() {
    world.platform.mood(_ -> Reaction.of(UNREACHABLE));
  }

  private void comeBack() {
    world.platform.mood(_ -> world.platform.delivered());
  }

  private List<Duration> requestsSince(Instant begin) {
    return world.platform.requests().stream().map(r -> Duration.between(begin, r.at())).toList();
  }

  // ---- waiting

  @Test
  void an_outage_of_an_hour_fails_nothing_and_keeps_the_order() {
    List<String> accounts = List.of("bot", "second", "third");
    accounts.stream()
        .skip(1)
        .forEach(id -> world.configure(config -> config.account(AccountConfig.of(id, "fake"))));
    world.platform.textLimit(20).concurrency(4);
    world.start();
    goAway();
    List<Delivery> all = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      for (int chat = 0; chat < 60; chat++) {
        for (String account : accounts) {
          String text = "message %d part one, then part two".formatted(round);
          all.add(world.send(Message.to(account, "chat" + chat).text(text)));
        }
      }
      world.pass(minutes(15));
      assertThat(accounts)
          .allSatisfy(id -> assertThat(account(id).health()).isEqualTo(Health.UNREACHABLE));
    }
    assertThat(world.platform.requests()).hasSizeLessThan(3 * 80);
    assertThat(world.events(Event.Ended.class)).isEmpty();

    comeBack();
    world.pass(minutes(2));

    assertThat(all)
        .allSatisfy(
            delivery -> {
              assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
              assertThat(attempts(delivery)).isEqualTo(1);
            });
    for (String account : accounts) {
      for (int chat = 0; chat < 60; chat++) {
        assertThat(partsAt(account, "chat" + chat)).hasSize(8).isEqualTo(expectedParts(all.size()));
      }
      assertThat(account(account).outages()).isEmpty();
    }
    assertThat(world.events(Event.AccountUnreachable.class)).hasSize(3);
    assertThat(world.events(Event.AccountReachable.class)).hasSize(3);
  }

  private List<String> partsAt(String account, String chat) {
    return world.platform.arrivals().stream()
        .filter(request -> request.account().equals(account) && request.chat().equals(chat))
        .map(request -> request.part() + ":" + request.text())
        .toList();
  }

  private List<String> expectedParts(int sent) {
    return IntStream.range(0, sent / 180)
        .boxed()
        .flatMap(
            round ->
                List.of("0:message %d part one, ".formatted(round), "1:then part two").stream())
        .toList();
  }

  @Test
  void one_probe_at_a_time_goes_out_on_a_schedule_that_grows_to_a_minute() {
    world.start();
    goAway();
    Instant begin = world.time.instant();
    for (String chat : List.of("ann", "bob", "cleo")) {
      world.send(chat, "hello");
    }

    world.pass(minutes(5));

    assertThat(requestsSince(begin).stream().map(Duration::toSeconds))
        .containsExactly(0L, 1L, 3L, 8L, 18L, 38L, 78L, 138L, 198L, 258L);
  }

  @Test
  void an_account_that_cannot_be_reached_says_since_when_why_and_when_it_is_tried_again() {
    world.start();
    Instant begin = world.time.instant();
    goAway();
    world.send("ann", "hello");
    assertThat(account("bot").health()).as("once may be a hiccup").isEqualTo(Health.READY);
    world.pass(seconds(1));

    assertThat(account("bot").health()).isEqualTo(Health.UNREACHABLE);
    assertThat(account("bot").outages())
        .containsExactly(new Outage(null, begin, "connection refused", begin.plus(seconds(3))));
    assertThat(world.events(Event.AccountUnreachable.class))
        .containsExactly(
            new Event.AccountUnreachable(
                begin.plus(seconds(1)), "bot", null, "connection refused", begin.plus(seconds(3))));
    comeBack();
    world.pass(seconds(2));

    assertThat(account("bot").health()).isEqualTo(Health.READY);
    assertThat(world.events(Event.AccountReachable.class))
        .containsExactly(new Event.AccountReachable(begin.plus(seconds(3)), "bot", null, begin));
  }

  @Test
  void an_account_that_cannot_be_reached_is_probed_although_nothing_waits_and_is_ready_by_itself() {
    world.start();
    Instant begin = world.time.instant();
    goAway();
    world.platform.probe(new Probe.Unreachable("no route to host"));
    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(1));
    world.postrider().cancel(delivery.id());
    int requests = world.platform.requests().size();

    world.pass(minutes(10));
    assertThat(account("bot").health()).isEqualTo(Health.UNREACHABLE);
    assertThat(account("bot").since()).isEqualTo(begin);
    assertThat(account("bot").reason()).isEqualTo("no route to host");
    assertThat(account("bot").nextProbeAt()).isAfter(world.time.instant());
    assertThat(world.platform.probes()).as("about one a minute").isBetween(10, 16);
    world.platform.probe(new Probe.Healthy("fake"));
    world.pass(seconds(75));

    assertThat(account("bot").health()).isEqualTo(Health.READY);
    assertThat(world.events(Event.AccountReachable.class)).hasSize(1);
    assertThat(world.platform.requests()).as("nothing is sent for it").hasSize(requests);
    int probes = world.platform.probes();
    world.pass(minutes(10));
    assertThat(world.platform.probes()).as("it is well").isEqualTo(probes);
  }

  @Test
  void an_outage_does_not_end_because_a_channel_cannot_be_asked() {
    world.start();
    goAway();
    world.platform.probe(new Probe.Healthy("")); // as a channel without a question of its own says
    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(1));
    world.postrider().cancel(delivery.id());

    world.pass(minutes(10));
    assertThat(account("bot").health()).isEqualTo(Health.UNREACHABLE);
    comeBack();
    world.send("ann", "again");
    world.pass(minutes(1));

    assertThat(account("bot").health()).isEqualTo(Health.READY);
  }

  @Test
  void a_message_that_comes_while_the_platform_is_asked_waits_for_the_answer() {
    world.start();
    goAway();
    world.platform.probe(new Probe.Unreachable("no route to host"));
    world.postrider().cancel(world.send("ann", "hello").id());
    world.pass(minutes(1));
    Delivery second = world.send("ann", "again");
    assertThat(world.postrider().waitingFor(world.message(second.id())))
        .isInstanceOf(WaitingFor.Unreachable.class);
    comeBack();

    world.pass(seconds(75));

    assertThat(world.status(second)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(second)).isEqualTo(1);
  }

  @Test
  void whoever_says_when_to_come_back_is_left_alone_until_then() {
    world.start();
    world.platform.then(new Outcome.Unreachable("503", seconds(30)));
    Delivery delivery = world.send("ann", "hello");

    world.pass(seconds(30).minusMillis(1));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(millis(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void an_outage_is_one_line_in_the_history_of_a_message_however_long_it_lasts() {
    world.start();
    goAway();
    Delivery delivery = world.send("ann", "hello");

    world.pass(minutes(10));

    assertThat(world.history(delivery))
        .extracting(HistoryEntry::outcome, HistoryEntry::error)
        .containsExactly(tuple("unreachable", "connection refused"));
    assertThat(world.message(delivery.id()).error()).isEqualTo("connection refused");
  }

  @Test
  void any_answer_ends_an_outage_even_a_refusal() {
    world.start();
    world.platform.then(UNREACHABLE, rejected());
    Delivery refused = world.send("ann", "hello");
    Delivery other = world.send("bob", "hello");

    world.pass(seconds(1));

    assertThat(world.status(refused)).isEqualTo(Status.FAILED);
    assertThat(world.status(other)).isEqualTo(Status.DELIVERED);
    assertThat(account("bot").outages()).isEmpty();
  }

  @Test
  void a_probe_that_gets_no_answer_is_charged_and_the_others_go_on_waiting() {
    steadyBackoff();
    world.start();
    world.platform.then(UNREACHABLE, NO_ANSWER, UNREACHABLE);
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("bob", "two");

    world.pass(seconds(1));
    assertThat(world.platform.requests()).hasSize(2);
    world.pass(seconds(1));
    assertThat(world.platform.requests()).as("the interval has grown").hasSize(2);
    world.pass(minutes(1));

    assertThat(world.status(first)).isEqualTo(Status.DELIVERED);
    assertThat(world.status(second)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(first) + attempts(second)).isEqualTo(3);
  }

  @Test
  void a_message_between_two_parts_waits_and_goes_on_with_the_second() {
    world.platform.textLimit(20);
    world.start();
    world.platform.then(world.platform.delivered(), Reaction.of(UNREACHABLE));
    Delivery delivery = world.send("ann", "the first part of it and the second");

    world.pass(seconds(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(1);
    assertThat(world.platform.arrivals()).extracting(Request::part).containsExactly(0, 1);
  }

  @Test
  void the_age_limit_ends_what_waits_for_a_platform_that_is_away() {
    world.start();
    goAway();
    Delivery delivery = world.send(to("ann", "hello").expiresIn(minutes(10)));

    world.pass(minutes(11));

    assertThat(world.status(delivery)).isEqualTo(Status.EXPIRED);
    assertThat(attempts(delivery)).isZero();
  }

  @Test
  void a_best_effort_message_has_one_attempt_in_an_outage_too() {
    world.start();
    goAway();

    Delivery delivery = world.send(to("ann", "hello").bestEffort(true));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.requests()).hasSize(1);
  }

  @Test
  void an_outage_uses_up_attempts_where_the_account_wants_that() {
    delivery(settings -> settings.outageUsesAttempts = true);
    world.start();
    goAway();
    Delivery delivery = world.send("ann", "hello");

    world.pass(minutes(20));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(attempts(delivery)).isEqualTo(5);
    assertThat(account("bot").outages()).isEmpty();
  }

  @Test
  void an_outage_is_found_again_after_a_crash() {
    world.start();
    goAway();
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("ann", "two");
    world.pass(minutes(1));

    crashAndStart();
    world.pass(seconds(1));
    assertThat(account("bot").health()).isEqualTo(Health.UNREACHABLE);
    comeBack();
    world.pass(minutes(1));

    assertThat(world.platform.texts()).containsExactly("one", "two");
    assertThat(attempts(first)).isEqualTo(1);
    assertThat(attempts(second)).isEqualTo(1);
  }

  // ---- people

  @Test
  void an_operator_who_resumes_the_account_has_it_tried_at_once() {
    world.start();
    goAway();
    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(30).plus(seconds(1)));
    comeBack();

    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_check_that_reaches_the_platform_ends_the_outage() {
    world.start();
    goAway();
    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(30).plus(seconds(1)));
    comeBack();
    world.platform.probe(new Probe.Healthy("bot"));

    Instant now = world.time.instant();
    world.time.start("check", () -> world.postrider().checkAccount("bot"));
    world.time.settle();

    assertThat(world.time.instant()).isEqualTo(now);
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_paused_lane_sends_no_probe() {
    world.start();
    goAway();
    world.send("ann", "hello");
    world.postrider().pauseLane("bot", "ann", "test");

    world.pass(minutes(10));
    assertThat(world.platform.requests()).hasSize(1);
    comeBack();
    world.postrider().resumeLane("bot", "ann");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("hello");
  }

  // ---- several servers

  @Test
  void a_server_that_is_away_holds_up_its_own_chats_only() {
    world.platform.servers(chat -> chat.substring(0, chat.indexOf('/')));
    world.start();
    world.platform.mood(
        dispatch ->
            dispatch.to().startsWith("dead")
                ? Reaction.of(UNREACHABLE)
                : world.platform.delivered());
    for (int i = 0; i < 20; i++) {
      world.send("dead/" + i, "waits");
      world.send("alive/" + i, "goes");
    }
    world.pass(minutes(1));
    assertThat(world.platform.texts()).hasSize(20).containsOnly("goes");
    assertThat(world.platform.requests()).as("one probe at a time").hasSizeLessThan(28);
    assertThat(account("bot").health()).isEqualTo(Health.DEGRADED);
    assertThat(account("bot").outages()).extracting(Outage::server).containsExactly("dead");

    comeBack();
    world.pass(minutes(1));

    assertThat(world.platform.texts()).hasSize(40);
    assertThat(account("bot").outages()).isEmpty();
  }

  @Test
  void an_account_says_how_many_servers_are_away_and_which() {
    world.platform.servers(chat -> chat.substring(0, chat.indexOf('/')));
    world.start();
    world.platform.mood(_ -> Reaction.of(UNREACHABLE));
    for (String server : List.of("one", "two", "three")) {
      world.send(server + "/1", "waits");
      world.send(server + "/2", "waits");
      world.pass(seconds(1));
    }
    world.pass(seconds(10));

    assertThat(account("bot").outages())
        .extracting(Outage::server)
        .containsExactly("one", "two", "three");
    assertThat(account("bot").reason())
        .isEqualTo("one and 2 other servers cannot be reached: connection refused");
  }

  @Test
  void a_chat_whose_server_is_away_keeps_its_order_and_its_pauses() {
    world.platform.servers(chat -> "dead");
    world.start();
    goAway();
    world.send("ann", "one");
    world.send("ann", "two");
    world.send("bob", "paused");
    world.postrider().pauseLane("bot", "bob", "test");
    world.pass(minutes(2));

    comeBack();
    world.pass(minutes(1));

    assertThat(world.platform.texts()).containsExactly("one", "two");
    world.postrider().resumeLane("bot", "bob");
    world.time.settle();
    assertThat(world.platform.texts()).containsExactly("one", "two", "paused");
  }

  // ---- no herd

  @Test
  void after_an_account_wide_throttle_one_lane_goes_first_and_the_others_follow_its_success() {
    world.platform.concurrency(10);
    world.start();
    world.platform.then(
        Reaction.of(throttled(ThrottleScope.ACCOUNT, seconds(5))).taking(millis(10)));
    for (int i = 0; i < 24; i++) {
      world.send("chat" + i, "hello");
    }
    world.platform.mood(_ -> world.platform.delivered().taking(millis(100)));
    int before = world.platform.requests().size();

    world.pass(seconds(5));
    assertThat(world.platform.requests()).as("one goes first").hasSizeLessThanOrEqualTo(before + 1);
    world.pass(seconds(10));

    assertThat(world.platform.texts()).hasSize(24);
  }

  /** One message in five seconds, as a homeserver has it: whoever comes too early is refused. */
  @Test
  void a_slow_platform_refuses_little_more_than_it_takes() {
    world.platform.concurrency(10);
    world.start();
    Instant[] next = {world.time.instant()};
    world.platform.mood(
        _ -> {
          Instant now = world.time.instant();
          if (now.isBefore(next[0])) {
            Outcome later = throttled(ThrottleScope.ACCOUNT, Duration.between(now, next[0]));
            return Reaction.of(later).taking(millis(50));
          }
          next[0] = now.plus(seconds(5));
          return world.platform.delivered().taking(millis(50));
        });
    for (int i = 0; i < 24; i++) {
      world.send("chat" + i, "hello");
    }

    world.pass(minutes(10));

    assertThat(world.platform.texts()).hasSize(24);
    assertThat(world.platform.requests()).hasSizeLessThan(24 * 3 + 10);
  }
}
