package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.Lease;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.view.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Accounts that are not ready, broken, missing, unknown or taken over. */
public abstract class Accounts extends EngineBehaviour {
  private static final Outcome REVOKED = new Outcome.AccountBroken("401: token revoked");

  private void breakAccount() {
    world.platform.probe(new Probe.Broken("401: token revoked"));
    world.platform.mood(_ -> Reaction.of(REVOKED));
  }

  private void repairPlatform() {
    world.platform.probe(new Probe.Healthy("bot"));
    world.platform.mood(_ -> world.platform.delivered());
  }

  private void forgetAccountOld() {
    world.configure(config -> config.accounts(List.of(AccountConfig.of("bot", "fake"))));
  }

  /** Leaves three messages of one lane, and one of another, of an account that is then gone. */
  private List<Delivery> leaveMessagesOfMissingAccount() {
    world.configure(config -> config.account(AccountConfig.of("old", "fake")));
    world.start();
    world.postrider().pauseAccount("old", "test");
    List<Delivery> left = new ArrayList<>();
    for (String chat : List.of("ann", "ann", "ann", "bob")) {
      left.add(world.send(Message.to("old", chat).text("left behind")));
    }
    world.crash();
    forgetAccountOld();
    return left;
  }

  // ---- readiness

  @Test
  void messages_wait_for_an_account_that_is_not_ready_at_the_start() {
    world.platform.readyAtStart(false);
    world.start();
    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(5));
    assertThat(world.platform.requests()).isEmpty();
    assertThat(account("bot").health()).isEqualTo(Health.STARTING);

    world.platform.context("bot").ready();
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void messages_sent_in_a_reconnect_gap_go_out_when_the_account_is_back() {
    world.start();
    world.platform.context("bot").notReady("reconnecting");
    List<Delivery> waiting = List.of(world.send("ann", "one"), world.send("bob", "two"));
    world.pass(seconds(5));
    assertThat(world.platform.requests()).isEmpty();
    assertThat(account("bot").health()).isEqualTo(Health.UNREACHABLE);
    assertThat(account("bot").reason()).isEqualTo("reconnecting");

    world.platform.context("bot").ready();
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("one", "two");
    assertThat(waiting).allSatisfy(delivery -> assertThat(attempts(delivery)).isEqualTo(1));
    assertThat(world.events(Event.AccountReady.class)).hasSize(1);
  }

  @Test
  void an_account_that_needs_a_person_waits_uncharged_and_says_how_to_log_in() {
    world.start();
    world.platform.context("bot").needsLogin("logged out by the phone");
    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(5));
    assertThat(world.platform.requests()).isEmpty();
    assertThat(account("bot").needsLogin()).isTrue();
    assertThat(account("bot").reason())
        .isEqualTo("log in with 'postrider accounts login bot': logged out by the phone");
    world.postrider().pauseAccount("bot", "maintenance");
    assertThat(account("bot").needsLogin()).isFalse(); // it would not help
    world.postrider().resumeAccount("bot");

    world.platform.context("bot").ready();
    world.time.settle();

    assertThat(account("bot").needsLogin()).isFalse();
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void a_broken_account_is_in_order_as_soon_as_a_person_has_logged_it_in() {
    world.platform.probe(new Probe.Broken("logged out"));
    world.start();
    logIn();
    assertThat(world.postrider().checkAccount("bot")).isInstanceOf(Probe.Broken.class);
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);

    world.platform.probe(new Probe.Healthy("bot"));
    world.platform.login(() -> new LoginState.LoggedIn("bot"));

    assertThat(logIn()).isEqualTo(new LoginState.LoggedIn("bot"));
    assertThat(account("bot").health()).isEqualTo(Health.READY);
  }

  @Test
  void a_login_that_fails_or_hangs_is_answered_all_the_same() {
    world.start();
    assertThat(logIn()).isEqualTo(new LoginState.NotSupported());
    world.platform.login(
        () -> {
          throw new IllegalStateException("secret");
        });
    assertThat(logIn())
        .isEqualTo(new LoginState.Failed("the channel failed: IllegalStateException"));
    world.platform.login(
        () -> {
          world.time.await(new CompletableFuture<>());
          return new LoginState.LoggedIn("never");
        });
    assertThat(logIn()).isEqualTo(new LoginState.Waiting("no answer in time"));
  }

  private LoginState logIn() {
    return world.postrider().logIn("bot", new LoginRequest(null));
  }

  @Test
  void a_backlog_waits_for_an_account_that_loads_late() {
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");
    world.platform.readyAtStart(false);
    crashAndStart();
    world.pass(minutes(10));
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);

    world.platform.context("bot").ready();
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(2);
  }

  @Test
  void an_account_says_since_when_it_is_as_it_is() {
    Instant start = world.time.instant();
    world.start();
    assertThat(account("bot").since()).isEqualTo(start);
    world.pass(minutes(1));
    world.platform.context("bot").notReady("reconnecting");
    world.pass(minutes(1));
    world.platform.context("bot").notReady("still reconnecting");
    assertThat(account("bot").since()).isEqualTo(start.plus(minutes(1)));

    world.platform.context("bot").ready();
    world.pass(minutes(1));

    assertThat(account("bot").since()).isEqualTo(start.plus(minutes(2)));
  }

  @Test
  void a_pause_is_as_old_as_it_was_after_a_restart() {
    world.start();
    Instant paused = world.time.instant();
    world.postrider().pauseAccount("bot", "maintenance");
    world.pass(minutes(5));

    crashAndStart();

    assertThat(account("bot").health()).isEqualTo(Health.PAUSED);
    assertThat(account("bot").since()).isEqualTo(paused);
  }

  // ---- breakage

  @Test
  void a_broken_account_stops_all_its_lanes_and_charges_nobody() {
    world.start();
    breakAccount();
    Delivery first = world.send("ann", "one");
    Delivery second = world.send("bob", "two");

    world.pass(hours(3));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(attempts(first)).isZero();
    assertThat(attempts(second)).isZero();
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);
    assertThat(account("bot").reason()).isEqualTo("401: token revoked");
    assertThat(account("bot").since()).isEqualTo(world.time.instant().minus(hours(3)));
    assertThat(world.events(Event.AccountBroken.class)).hasSize(1);
  }

  @Test
  void a_message_that_breaks_a_healthy_account_twice_is_rejected_itself() {
    world.start();
    Outcome refused = new Outcome.AccountBroken("missing_scope");
    world.platform.mood(
        dispatch ->
            "forbidden".equals(dispatch.text())
                ? Reaction.of(refused)
                : world.platform.delivered());
    Delivery forbidden = world.send("ann", "forbidden");
    Delivery behind = world.send("ann", "behind");
    Delivery other = world.send("bob", "other");
    assertThat(world.status(other)).isEqualTo(Status.QUEUED);

    world.pass(minutes(1));

    assertThat(world.status(forbidden)).isEqualTo(Status.FAILED);
    assertThat(world.message(forbidden.id()).reason()).isEqualTo("rejected-message");
    assertThat(world.message(forbidden.id()).error()).contains("missing_scope");
    assertThat(world.status(behind)).isEqualTo(Status.DELIVERED);
    assertThat(world.status(other)).isEqualTo(Status.DELIVERED);
    assertThat(world.events(Event.AccountBroken.class)).hasSize(1);
  }

  @Test
  void a_message_is_not_blamed_for_an_account_that_an_operator_resumed_unrepaired() {
    world.start();
    breakAccount();
    Delivery delivery = world.send("ann", "one");

    world.postrider().resumeAccount("bot");
    world.pass(seconds(1));

    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);
  }

  @Test
  void a_broken_account_is_probed_after_1_5_15_60_and_60_minutes() {
    world.start();
    breakAccount();
    world.send("ann", "one");
    int probes = 0;

    for (Duration wait : List.of(minutes(1), minutes(5), minutes(15), hours(1), hours(1))) {
      assertThat(account("bot").nextProbeAt()).isEqualTo(world.time.instant().plus(wait));
      world.pass(wait.minusMillis(1));
      assertThat(world.platform.probes()).as("just before " + wait).isEqualTo(probes);
      world.pass(millis(1));
      assertThat(world.platform.probes()).as("at " + wait).isEqualTo(++probes);
    }
  }

  @Test
  void a_healthy_probe_repairs_the_account_and_drains_it() {
    world.start();
    breakAccount();
    world.send("ann", "one");
    world.send("bob", "two");
    world.pass(minutes(1));
    repairPlatform();

    world.pass(minutes(5));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "two");
    assertThat(account("bot").health()).isEqualTo(Health.READY);
    assertThat(account("bot").nextProbeAt()).isNull();
    assertThat(world.events(Event.AccountRepaired.class)).hasSize(1);
    int probes = world.platform.probes();
    world.pass(hours(3));
    assertThat(world.platform.probes()).isEqualTo(probes);
  }

  @Test
  void an_account_that_breaks_again_is_probed_from_the_first_interval_again() {
    world.start();
    breakAccount();
    world.send("ann", "one");
    world.pass(minutes(21)); // three probes
    repairPlatform();
    world.pass(hours(1));
    breakAccount();

    world.send("ann", "two");

    assertThat(account("bot").nextProbeAt()).isEqualTo(world.time.instant().plus(minutes(1)));
  }

  @Test
  void an_account_stays_broken_over_a_restart_and_is_probed_at_once() {
    world.start();
    breakAccount();
    world.send("ann", "one");

    crashAndStart();
    world.pass(millis(1));
    assertThat(world.platform.probes()).isEqualTo(1);
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);
    assertThat(world.platform.requests()).hasSize(1);
    repairPlatform();
    crashAndStart();
    world.pass(millis(1));

    assertThat(world.platform.texts()).containsExactly("one");
  }

  @Test
  void a_stopped_engine_probes_no_more() {
    world.start();
    breakAccount();
    world.send("ann", "one");

    world.stop();
    world.pass(hours(3));

    assertThat(world.platform.probes()).isZero();
  }

  @Test
  void a_broken_account_can_be_resumed_by_hand() {
    world.start();
    world.platform.then(REVOKED);
    world.platform.probe(new Probe.Unreachable("no route"));
    world.send("ann", "one");
    world.pass(minutes(1));
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);

    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("one");
    restart();
    assertThat(account("bot").health()).isEqualTo(Health.READY);
  }

  @Test
  void an_account_that_is_paused_and_broken_stays_paused_when_it_is_repaired() {
    world.start();
    breakAccount();
    world.send("ann", "one");
    world.postrider().pauseAccount("bot", "maintenance");
    repairPlatform();

    world.pass(minutes(1));

    assertThat(account("bot").health()).isEqualTo(Health.PAUSED);
    assertThat(world.platform.texts()).isEmpty();
  }

  @Test
  void checking_an_account_asks_the_platform_and_believes_it() {
    world.start();
    assertThat(world.postrider().checkAccount("bot")).isEqualTo(new Probe.Healthy("fake"));

    world.platform.probe(new Probe.Broken("suspended"));
    world.postrider().checkAccount("bot");
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);
    world.platform.probe(new Probe.Healthy("fake"));
    world.postrider().checkAccount("bot");

    assertThat(account("bot").health()).isEqualTo(Health.READY);
  }

  // ---- missing and unknown

  @Test
  void messages_of_an_account_that_is_gone_wait_for_it() {
    List<Delivery> left = leaveMessagesOfMissingAccount();
    world.start();
    world.pass(hours(1));
    assertThat(account("old").health()).isEqualTo(Health.BROKEN);
    assertThat(account("old").reason()).isEqualTo("not configured any more");
    assertThat(account("old").queued()).isEqualTo(4);
    world.crash();

    world.configure(config -> config.account(AccountConfig.of("old", "fake")));
    world.start();
    world.postrider().resumeAccount("old");
    world.time.settle();

    assertThat(left)
        .allSatisfy(delivery -> assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED))
        .allSatisfy(delivery -> assertThat(attempts(delivery)).isEqualTo(1));
  }

  @Test
  void messages_of_an_account_that_is_gone_fail_where_that_is_wished() {
    List<Delivery> left = leaveMessagesOfMissingAccount();
    queue(settings -> settings.onMissingAccount = OnMissingAccount.FAIL);

    world.start();

    assertThat(left)
        .allSatisfy(delivery -> assertThat(world.status(delivery)).isEqualTo(Status.FAILED));
    assertThat(world.message(left.getFirst().id()).reason()).isEqualTo("account-missing");
    assertThat(world.platform.requests()).isEmpty();
  }

  @Test
  void an_unknown_account_is_refused_and_the_nearest_one_named() {
    world.start();

    Refused refused = refusal(() -> world.send(Message.to("bit", "ann").text("hello")));

    assertThat(refused.why()).isEqualTo(Refused.Cause.UNKNOWN_ACCOUNT);
    assertThat(refused.field()).isEqualTo("account");
    assertThat(refused.getMessage()).contains("'bit'").contains("did you mean 'bot'?");
  }

  @Test
  void an_account_that_says_nothing_delivers_as_its_channel_wants() {
    world.platform.delivery(usual -> usual.with(s -> s.maxAttempts = 2));
    world.configure(config -> config.account(AccountConfig.of("plain", "fake")));
    delivery(settings -> settings.maxAttempts = 3);
    world.platform.mood(_ -> Reaction.of(REFUSED));
    world.start();

    Delivery plain = world.send(Message.to("plain", "ann").text("hello"));
    Delivery configured = world.send("ann", "hello");
    world.pass(hours(1));

    assertThat(world.message(plain.id()).attempts()).isEqualTo(2);
    assertThat(world.message(configured.id()).attempts()).isEqualTo(3);
  }

  // ---- leases

  @Test
  void a_completion_under_a_lost_lease_is_rejected_and_counted() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery delivery = world.send("ann", "hello");

    world.time.await(world.store().release(new Lease("bot", 1))); // the first taking of a new store
    Optional<Lease> other = world.time.await(world.store().acquire("bot", "another node"));
    world.pass(seconds(5));

    assertThat(other).isPresent();
    assertThat(world.events(Event.Stale.class)).hasSize(1);
    assertThat(world.postrider().stats().staleCompletions()).isEqualTo(1);
    assertThat(world.status(delivery)).isEqualTo(Status.SENDING); // for the new owner to judge
    assertThat(world.store().interrupted("bot")).hasSize(1);
  }
}
