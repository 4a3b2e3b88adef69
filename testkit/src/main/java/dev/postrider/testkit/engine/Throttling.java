package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.Delivery;
import dev.postrider.channel.Channel.SharedPace;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the platform's complaints, and our own limits, slow down, and what they do not. */
public abstract class Throttling extends EngineBehaviour {
  private static final Duration LONG = seconds(6775);

  private void addSecondAccount() {
    world.configure(config -> config.account(AccountConfig.of("other", "fake")));
  }

  private Delivery sendFromOther(String chat, String text) {
    return world.send(Message.to("other", chat).text(text));
  }

  private List<Request> requestsTo(String chat) {
    return world.platform.requests().stream().filter(r -> r.chat().equals(chat)).toList();
  }

  // ---- the platform complains

  @Test
  void a_throttled_chat_does_not_delay_another() {
    world.start();
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(30)));
    world.send("ann", "one");
    world.send("ann", "two");

    world.send("bob", "hi");
    assertThat(world.platform.texts()).containsExactly("hi");
    world.pass(seconds(30).minusMillis(1));
    assertThat(world.platform.texts()).containsExactly("hi");
    world.pass(millis(1));

    assertThat(world.platform.texts()).containsExactly("hi", "one", "two");
  }

  @Test
  void a_throttled_chat_holds_back_messages_outside_the_order_too() {
    world.start();
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(30)));
    world.send("ann", "one");

    world.send(to("ann", "loose").ordering(Ordering.NONE));
    assertThat(world.platform.texts()).isEmpty();
    world.pass(seconds(30));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "loose");
  }

  @Test
  void a_throttled_account_waits_as_a_whole_and_others_do_not() {
    addSecondAccount();
    world.start();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(30)));
    world.send("ann", "one");
    world.send("bob", "two");
    sendFromOther("ann", "free");

    assertThat(world.platform.texts()).containsExactly("free");
    assertThat(account("bot").health()).isEqualTo(Health.DEGRADED);
    assertThat(account("bot").throttledUntil()).isEqualTo(world.time.instant().plus(seconds(30)));
    world.pass(seconds(30));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("free", "one", "two");
  }

  @Test
  void an_account_that_was_throttled_is_degraded_until_it_has_its_whole_pace_again() {
    world.start();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(30)));
    Instant since = world.time.instant();
    world.send("ann", "one");
    assertThat(account("bot").reason()).isEqualTo("the platform asked for patience");

    world.pass(seconds(30));
    assertThat(account("bot").health()).isEqualTo(Health.DEGRADED);
    assertThat(account("bot").since()).isEqualTo(since);
    assertThat(account("bot").reason()).startsWith("it sends at 50 % of its pace");
    world.pass(minutes(10));

    assertThat(account("bot").health()).isEqualTo(Health.READY);
    assertThat(account("bot").reason()).isNull();
  }

  @Test
  void a_throttled_channel_waits_with_all_its_accounts() {
    addSecondAccount();
    world.start();
    world.platform.then(throttled(ThrottleScope.CHANNEL, seconds(30)));
    world.send("ann", "one");
    sendFromOther("ann", "two");

    world.pass(seconds(30).minusMillis(1));
    assertThat(world.platform.texts()).isEmpty();
    assertThat(account("other").health()).isEqualTo(Health.DEGRADED);
    world.pass(millis(1));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void a_long_delay_is_honoured_in_full_and_costs_no_attempt() {
    world.start();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, LONG));
    Delivery delivery = world.send("ann", "one");

    world.pass(LONG.minusMillis(1));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(millis(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(1);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void being_throttled_again_and_again_never_fails_a_message() {
    world.start();
    for (int i = 0; i < 20; i++) {
      world.platform.then(throttled(ThrottleScope.CHAT, seconds(10)));
    }
    Delivery delivery = world.send("ann", "one");

    world.pass(seconds(200));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(1);
    assertThat(world.events(Event.Throttled.class)).hasSize(20);
  }

  @Test
  void a_delay_survives_restarts_even_when_the_throttled_message_is_gone() {
    for (ThrottleScope scope : ThrottleScope.values()) {
      world.close();
      world.platform.requests().clear();
      world.start();
      world.platform.then(throttled(scope, LONG));
      Delivery first = world.send("ann", "first");
      world.postrider().cancel(first.id());

      crashAndStart();
      world.send("ann", "second");
      world.pass(seconds(3000));
      restart();
      world.pass(LONG.minus(seconds(3000)).minusMillis(1));
      assertThat(world.platform.texts()).as("just before, " + scope).isEmpty();
      world.pass(millis(1));

      assertThat(world.platform.texts()).as("at its end, " + scope).containsExactly("second");
      world.pass(hours(1));
    }
  }

  @Test
  void nobody_can_hurry_a_throttled_chat() {
    world.start();
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(30)));
    Delivery delivery = world.send("ann", "one");

    world.postrider().retry(delivery.id());
    world.pass(seconds(30).minusMillis(1));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(millis(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  // ---- the engine adapts

  @Test
  void complaints_halve_the_rate_and_quiet_minutes_give_it_back() {
    world.platform.pace(Pace.perSecond(10), Pace.UNLIMITED);
    world.start();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(1)));
    world.send("ann", "one");
    assertThat(account("bot").share()).isEqualTo(0.5);
    world.pass(seconds(6));
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(1)));
    world.send("ann", "two");
    assertThat(account("bot").share()).isEqualTo(0.25);

    world.pass(minutes(1));
    assertThat(account("bot").share()).isEqualTo(0.35, within(0.001));
    world.pass(minutes(7));

    assertThat(account("bot").share()).isEqualTo(1);
  }

  @Test
  void at_half_the_rate_messages_are_twice_as_far_apart() {
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(1)));
    for (int i = 0; i < 5; i++) {
      world.send("chat" + i, "text");
    }
    world.pass(seconds(20));

    List<Request> sent = world.platform.arrivals();
    assertThat(sent).hasSize(5);
    for (int i = 1; i < sent.size(); i++) {
      assertThat(sent.get(i).elapsed().minus(sent.get(i - 1).elapsed())).isEqualTo(seconds(2));
    }
  }

  // ---- our own limits

  @Test
  void an_account_sends_its_burst_and_then_its_rate() {
    world.platform.pace(Pace.perSecond(2).burst(3), Pace.UNLIMITED);
    world.start();
    for (int i = 0; i < 7; i++) {
      world.send("chat" + i, "text");
    }

    assertThat(world.platform.requests()).hasSize(3);
    world.pass(millis(499));
    assertThat(world.platform.requests()).hasSize(3);
    world.pass(millis(1));
    assertThat(world.platform.requests()).hasSize(4);
    world.pass(seconds(2));

    assertThat(world.platform.requests()).hasSize(7);
  }

  @Test
  void a_restart_gives_no_new_burst() {
    world.platform.pace(Pace.perMinute(1).burst(3), Pace.UNLIMITED);
    world.start();
    for (int i = 0; i < 9; i++) {
      world.send("chat" + i, "text");
    }
    assertThat(world.platform.requests()).hasSize(3);

    crashAndStart();
    assertThat(world.platform.requests()).hasSize(3);
    world.pass(seconds(59));
    restart();
    assertThat(world.platform.requests()).hasSize(3);
    world.pass(seconds(1));

    assertThat(world.platform.requests()).hasSize(4);
  }

  @Test
  void the_accounts_own_pace_goes_before_the_channels_default() {
    world.platform.pace(Pace.perSecond(100), Pace.perSecond(100)).concurrency(50);
    world.account(
        account -> account.withPace(new AccountPace(Pace.perMinute(2), Pace.perMinute(1), 1)));
    world.start();
    world.send("ann", "one");
    world.send("ann", "two");
    world.send("bob", "three");

    world.pass(seconds(30));
    assertThat(world.platform.texts()).containsExactly("one", "three");
    world.pass(seconds(30));

    assertThat(world.platform.texts()).containsExactly("one", "three", "two");
  }

  @Test
  void accounts_of_one_channel_share_the_channels_pace() {
    addSecondAccount();
    world.configure(config -> config.channelPace("fake", Pace.perMinute(2)));
    world.start();
    world.send("ann", "one");
    sendFromOther("ann", "two");

    world.pass(seconds(29));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(seconds(1));

    assertThat(world.platform.requests()).hasSize(2);
  }

  /** Two accounts on one server, and a third on another. */
  private void shareServers(Pace pace) {
    world.platform.sharedPace(
        account -> new SharedPace(account.id().equals("third") ? "b" : "a", pace));
    addSecondAccount();
    world.configure(config -> config.account(AccountConfig.of("third", "fake")));
  }

  @Test
  void accounts_on_one_server_share_its_pace_and_those_on_another_have_their_own() {
    shareServers(Pace.perMinute(2));
    world.start();
    world.send("ann", "one");
    sendFromOther("ann", "two");
    world.send(Message.to("third", "ann").text("elsewhere"));

    world.pass(seconds(29));
    assertThat(world.platform.texts()).hasSize(2).contains("elsewhere");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "two", "elsewhere");
  }

  @Test
  void the_pace_of_a_server_survives_a_restart_and_can_be_configured() {
    shareServers(Pace.perMinute(2));
    world.configure(config -> config.channelPace("fake", Pace.perMinute(1)));
    world.start();
    world.send("ann", "one");
    restart();
    sendFromOther("ann", "two");

    world.pass(seconds(59));
    assertThat(world.platform.texts()).containsExactly("one");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("one", "two");
  }

  @Test
  void a_throttled_server_waits_with_all_its_accounts_and_no_others() {
    shareServers(Pace.UNLIMITED);
    world.start();
    world.platform.then(throttled(ThrottleScope.CHANNEL, seconds(30)));
    world.send("ann", "one");
    sendFromOther("ann", "two");
    world.send(Message.to("third", "ann").text("elsewhere"));

    world.pass(seconds(30).minusMillis(1));
    assertThat(world.platform.texts()).containsExactly("elsewhere");
    world.pass(millis(1));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "two", "elsewhere");
  }

  @Test
  void no_more_requests_are_under_way_than_the_account_allows() {
    world.platform.concurrency(3);
    world.start();
    world.platform.mood(_ -> world.platform.delivered().taking(seconds(1)));
    for (int i = 0; i < 7; i++) {
      world.send("chat" + i, "text");
    }

    assertThat(world.platform.requests()).hasSize(3);
    assertThat(account("bot").sending()).isEqualTo(3);
    world.pass(seconds(1));
    assertThat(world.platform.requests()).hasSize(6);
    world.pass(seconds(2));
    assertThat(world.platform.requests()).hasSize(7);
  }

  @Test
  void the_account_says_how_many_requests_are_under_way_at_a_time() {
    world.account(account -> account.withPace(new AccountPace(null, null, 2)));
    world.start();
    world.platform.mood(_ -> world.platform.delivered().taking(seconds(1)));

    world.send("ann", "one");
    world.send("bob", "two");
    world.send("eve", "three");

    assertThat(world.platform.texts()).containsExactly("one", "two");
  }

  // ---- live and bulk

  @Test
  void live_messages_go_before_bulk_ones_that_have_waited_longer() {
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    world.send("first", "takes the token");
    IntStream.range(0, 5).forEach(i -> world.send(to("bulk" + i, "bulk").priority(Priority.BULK)));
    IntStream.range(0, 3).forEach(i -> world.send("live" + i, "live"));

    world.pass(seconds(8));

    assertThat(world.platform.texts())
        .containsExactly(
            "takes the token", "live", "live", "live", "bulk", "bulk", "bulk", "bulk", "bulk");
  }

  @Test
  void one_in_ten_is_bulk_while_live_messages_never_end() {
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    world.send("first", "takes the token");
    IntStream.range(0, 10).forEach(i -> world.send(to("bulk" + i, "bulk").priority(Priority.BULK)));
    IntStream.range(0, 60).forEach(i -> world.send("live" + i, "live"));

    world.pass(seconds(50));

    assertThat(world.platform.texts().stream().filter("bulk"::equals)).hasSize(5);
    assertThat(world.platform.texts().subList(1, 10)).containsOnly("live");
  }

  @Test
  void a_live_message_behind_bulk_ones_of_its_chat_takes_them_along() {
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    world.send("first", "takes the token");
    IntStream.range(0, 5).forEach(i -> world.send(to("bulk" + i, "bulk").priority(Priority.BULK)));
    world.send(to("ann", "campaign").priority(Priority.BULK));
    world.send("ann", "answer");

    world.pass(seconds(3));

    assertThat(requestsTo("ann")).extracting(Request::text).containsExactly("campaign", "answer");
    assertThat(world.platform.texts()).startsWith("takes the token", "campaign", "answer", "bulk");
  }
}
