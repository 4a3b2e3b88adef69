package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings.LateAction;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Old messages: late ones, expired ones, and those that waited through a long stop. */
public abstract class OldMessages extends EngineBehaviour {
  @BeforeEach
  void foretellable() {
    steadyBackoff();
  }

  private void assertExpiredUnsent(Delivery delivery) {
    StoredMessage message = world.message(delivery.id());
    assertThat(message.status()).isEqualTo(Status.EXPIRED);
    assertThat(message.reason()).isEqualTo("expired");
    assertThat(world.platform.texts()).doesNotContain(message.message().text());
  }

  /** Sends while nobody delivers. */
  private Delivery sendWhilePaused(Message.Builder message) {
    world.postrider().pauseAccount("bot", "test");
    return world.send(message);
  }

  private void resume() {
    world.postrider().resumeAccount("bot");
    world.time.settle();
  }

  @Test
  void a_late_message_is_delivered_and_says_that_it_is_late() {
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));

    world.pass(minutes(30).plusMillis(1));
    resume();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).late()).isTrue();
    assertThat(world.events(Event.Delivered.class).getFirst().late()).isTrue();
  }

  @Test
  void a_message_is_not_late_before_its_time() {
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));

    world.pass(minutes(30));
    resume();

    assertThat(world.message(delivery.id()).late()).isFalse();
  }

  @Test
  void the_account_says_when_late_is() {
    delivery(settings -> settings.lateAfter = seconds(10));
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));

    world.pass(seconds(11));
    resume();

    assertThat(world.message(delivery.id()).late()).isTrue();
  }

  @Test
  void a_late_message_is_not_sent_where_the_account_wants_that() {
    delivery(settings -> settings.lateAction = LateAction.FAIL);
    world.start();
    Delivery late = sendWhilePaused(to("ann", "late"));
    world.pass(minutes(31));
    Delivery fresh = world.send("ann", "fresh");
    resume();

    StoredMessage ended = world.message(late.id());
    assertThat(ended.status()).isEqualTo(Status.EXPIRED);
    assertThat(ended.reason()).isEqualTo("late");
    assertThat(ended.late()).isTrue();
    assertThat(world.status(fresh)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("fresh");
  }

  @Test
  void a_message_expires_after_a_day() {
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));

    world.pass(hours(24).minusMillis(1));
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    world.pass(millis(1));

    assertExpiredUnsent(delivery);
    resume();
    assertExpiredUnsent(delivery);
    assertThat(account("bot").deadLetters()).isEqualTo(1);
  }

  @Test
  void the_account_says_when_messages_expire() {
    delivery(settings -> settings.expireAfter = minutes(2));
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));

    world.pass(minutes(2));

    assertExpiredUnsent(delivery);
  }

  @Test
  void a_message_may_say_when_it_expires() {
    world.start();
    Delivery brief = sendWhilePaused(to("ann", "brief").expiresIn(seconds(90)));
    Delivery patient = world.send(to("ann", "patient").expiresIn(hours(48)));

    world.pass(seconds(90));
    assertExpiredUnsent(brief);
    world.pass(hours(30));
    resume();

    assertThat(world.status(patient)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void the_age_of_a_message_for_later_counts_from_its_time() {
    world.start();
    Delivery later =
        world.send(
            to("ann", "later").sendAt(world.time.instant().plus(hours(3))).expiresIn(minutes(1)));

    world.pass(hours(3));

    assertThat(world.status(later)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(later.id()).late()).isFalse();
  }

  @Test
  void a_message_that_waits_behind_another_expires_in_its_place() {
    world.start();
    world.platform.then(REFUSED);
    world.send("ann", "head");
    Delivery behind = world.send(to("ann", "behind").expiresIn(seconds(3)));
    world.send("ann", "last");

    world.pass(seconds(3));
    assertExpiredUnsent(behind);
    world.pass(seconds(2));

    assertThat(world.platform.texts()).containsExactly("head", "last");
  }

  @Test
  void a_head_that_expires_in_backoff_lets_its_lane_go_on() {
    world.start();
    world.platform.then(REFUSED, REFUSED);
    Delivery head = world.send(to("ann", "head").expiresIn(seconds(20)));
    world.send("ann", "next");

    world.pass(seconds(20));

    assertExpiredUnsent(head);
    assertThat(world.platform.texts()).containsExactly("next");
  }

  @Test
  void messages_expire_in_paused_lanes_and_on_broken_accounts() {
    world.start();
    world.postrider().pauseLane("bot", "ann", "test");
    Delivery paused = world.send(to("ann", "paused").expiresIn(minutes(5)));
    world.platform.probe(new Probe.Broken("revoked"));
    world.platform.then(new Outcome.AccountBroken("revoked"));
    Delivery broken = world.send(to("bob", "broken").expiresIn(minutes(5)));

    world.pass(minutes(5));

    assertExpiredUnsent(paused);
    assertExpiredUnsent(broken);
  }

  @Test
  void messages_of_an_account_that_is_gone_expire() {
    world.configure(config -> config.account(AccountConfig.of("old", "fake")));
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send(Message.to("old", "ann").text("hello").expiresIn(hours(1)));
    world.crash();
    world.configure(config -> config.accounts(List.of(AccountConfig.of("bot", "fake"))));
    world.start();

    world.pass(hours(1));

    assertExpiredUnsent(delivery);
  }

  @Test
  void nothing_is_sent_after_a_stop_longer_than_its_age() {
    world.start();
    Delivery delivery = sendWhilePaused(to("ann", "hello"));
    world.crash();
    world.pass(hours(25));
    world.start();
    resume();
    world.pass(seconds(1));

    assertExpiredUnsent(delivery);
  }

  @Test
  void old_messages_are_not_burst_out_after_a_long_stop() {
    world.platform.pace(Pace.perSecond(2).burst(2), Pace.UNLIMITED);
    world.start();
    world.postrider().pauseAccount("bot", "test");
    List<Delivery> old = new ArrayList<>();
    for (int i = 0; i < 110; i++) {
      old.add(world.send(to("chat" + i, "old" + i).expiresIn(i < 50 ? hours(10) : hours(20))));
    }
    world.crash();
    world.pass(hours(15));
    world.start();

    world.postrider().resumeAccount("bot");
    world.time.settle();
    assertThat(world.platform.requests()).hasSize(2);
    world.pass(seconds(10));
    assertThat(world.platform.requests()).hasSize(22);
    world.pass(seconds(60));

    assertThat(world.platform.requests()).hasSize(60);
    for (int i = 0; i < 110; i++) {
      StoredMessage message = world.message(old.get(i).id());
      assertThat(message.status()).isEqualTo(i < 50 ? Status.EXPIRED : Status.DELIVERED);
      assertThat(message.late()).isEqualTo(i >= 50);
    }
  }
}
