package dev.postrider.server.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.event.Event;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.server.config.AlertSettings;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is worth an alert, in virtual time. */
class AlertsTest {
  private static final MessageId ID = MessageId.parse("01990000-0000-7000-8000-000000000002");
  private static final Optional<Duration> FIVE = Optional.of(Duration.ofMinutes(5));

  private final VirtualTime time = VirtualTime.inOrder();
  private final Alerts alerts = alerts(FIVE, FIVE, true, true);

  private static Alerts alerts(
      Optional<Duration> down, Optional<Duration> waiting, boolean dead, boolean runs) {
    return new Alerts(
        new AlertSettings(
            "ops-bot", "ops", null, null, Duration.ZERO, down, FIVE, waiting, dead, runs));
  }

  private static AccountView account(Health health, String reason, Instant oldestDueAt) {
    return account(health, reason, oldestDueAt, ListeningView.OFF, List.of());
  }

  private static AccountView account(
      Health health,
      String reason,
      Instant oldestDueAt,
      ListeningView listening,
      List<Outage> outages) {
    return new AccountView(
        "tg",
        "telegram",
        health,
        null,
        reason,
        false,
        "here",
        listening,
        1,
        0,
        0,
        1,
        null,
        null,
        null,
        oldestDueAt,
        outages,
        null);
  }

  private static final AccountView WELL = account(Health.READY, null, null);
  private static final AccountView BROKEN = account(Health.BROKEN, "the token was revoked", null);

  private List<String> told(Alerts by, AccountView... accounts) {
    return by.take(List.of(accounts), time.instant(), time.elapsed(), _ -> false).stream()
        .map(Alert::text)
        .toList();
  }

  @Test
  void an_account_that_is_broken_for_long_is_told_once_and_once_more_when_it_works_again() {
    assertThat(told(alerts, BROKEN)).isEmpty();
    time.advance(Duration.ofSeconds(299));
    assertThat(told(alerts, BROKEN)).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(told(alerts, BROKEN))
        .containsExactly(
            "Account tg is broken: the token was revoked (since 2026-01-05T09:00:00Z)");
    time.advance(Duration.ofMinutes(10));
    assertThat(told(alerts, BROKEN)).isEmpty();
    assertThat(told(alerts, WELL)).containsExactly("Account tg works again, after 15m");
    assertThat(told(alerts, WELL)).isEmpty();
  }

  @Test
  void a_short_trouble_is_not_told_at_all() {
    told(alerts, BROKEN);
    time.advance(Duration.ofMinutes(4));
    assertThat(told(alerts, WELL)).isEmpty();
    told(alerts, BROKEN);
    time.advance(Duration.ofMinutes(4));
    assertThat(told(alerts, BROKEN)).isEmpty();
  }

  @Test
  void an_account_that_another_server_works_now_is_not_said_to_be_well() {
    told(alerts, BROKEN);
    time.advance(Duration.ofMinutes(6));
    assertThat(told(alerts, BROKEN)).hasSize(1);
    assertThat(told(alerts)).isEmpty();
  }

  @Test
  void a_clock_that_is_set_makes_no_trouble_last_longer() {
    told(alerts, BROKEN);
    time.jump(Duration.ofHours(8));
    assertThat(told(alerts, BROKEN)).isEmpty();
  }

  @Test
  void an_account_that_hears_nothing_for_long_is_told_and_that_it_hears_again() {
    AccountView deaf =
        account(
            Health.READY,
            null,
            null,
            new ListeningView(ListeningView.Status.FAILING, time.instant(), "another one polls"),
            List.of());
    told(alerts, deaf);
    time.advance(Duration.ofMinutes(5));
    assertThat(told(alerts, deaf))
        .containsExactly(
            "Account tg does not hear what is written to it: another one polls"
                + " (since 2026-01-05T09:00:00Z)");
    assertThat(told(alerts, WELL)).containsExactly("Account tg hears again, after 5m");
  }

  @Test
  void one_of_several_servers_that_cannot_be_reached_is_told() {
    AccountView halfDown =
        account(
            Health.READY,
            null,
            null,
            ListeningView.OFF,
            List.of(new Outage("mx.example.org", time.instant(), "connection refused", null)));
    told(alerts, halfDown);
    time.advance(Duration.ofMinutes(5));
    assertThat(told(alerts, halfDown))
        .containsExactly(
            "Account tg cannot reach mx.example.org: connection refused"
                + " (since 2026-01-05T09:00:00Z)");
  }

  @Test
  void a_message_that_waits_too_long_is_told_and_that_it_is_gone() {
    Instant due = time.instant();
    time.advance(Duration.ofMinutes(4));
    assertThat(told(alerts, account(Health.READY, null, due))).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(told(alerts, account(Health.READY, null, due)))
        .containsExactly("Account tg has a message that waits since 2026-01-05T09:00:00Z");
    assertThat(told(alerts, account(Health.READY, null, due))).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(told(alerts, WELL))
        .containsExactly("Account tg has no message any more that waits too long, after 1m");
  }

  @Test
  void dead_letters_of_a_kind_are_one_alert() {
    for (int i = 0; i < 12; i++) {
      alerts.on(dead("tg", "12", "rejected-target", "no such chat"));
    }
    alerts.on(dead("tg", "13", "attempts-exhausted", "refused"));

    assertThat(told(alerts))
        .containsExactly(
            "12 dead letters of tg (rejected-target): no such chat",
            "1 dead letter of tg (attempts-exhausted): refused");
    assertThat(told(alerts)).isEmpty();
  }

  @Test
  void a_dead_letter_that_is_an_alert_itself_causes_none() {
    alerts.on(dead("ops-bot", "ops", "rejected-target", "no such chat"));
    assertThat(take(id -> id.equals(ID))).isEmpty();

    alerts.on(dead("ops-bot", "ops", "rejected-target", "no such chat"));
    assertThat(take(_ -> false)).hasSize(1); // somebody else's message to that chat
  }

  @Test
  void what_cannot_be_looked_up_now_is_looked_up_later() {
    alerts.on(dead("ops-bot", "ops", "rejected-target", "no such chat"));
    alerts.on(dead("tg", "1", "rejected-target", "no such chat"));
    assertThatThrownBy(
            () ->
                take(
                    _ -> {
                      throw new StoreUnavailable("away", null);
                    }))
        .isInstanceOf(StoreUnavailable.class);

    assertThat(take(_ -> false)).hasSize(2);
  }

  private List<Alert> take(Predicate<MessageId> isAlert) {
    return alerts.take(List.of(), time.instant(), time.elapsed(), isAlert);
  }

  private Event ended(String status, @Nullable String before, int sent) {
    String summary = sent + " of 9 delivered";
    return new Event.RunEnded(
        time.instant(),
        "tg",
        UUID.randomUUID(),
        "Friday",
        status,
        before,
        summary,
        9,
        sent,
        9 - sent,
        0);
  }

  @Test
  void the_end_of_a_run_is_told_once_and_again_only_if_it_has_another_status() {
    alerts.on(ended("success", null, 9));
    assertThat(told(alerts)).containsExactly("Run of 'Friday' ended: success, 9 of 9 delivered");
    alerts.on(ended("partial", "success", 8));
    alerts.on(ended("partial", "partial", 7));
    alerts.on(ended("partial", "partial", 4));

    assertThat(told(alerts))
        .containsExactly(
            "Run of 'Friday' had ended as success; the platform has said more since: partial,"
                + " 8 of 9 delivered");
  }

  @Test
  void what_is_switched_off_is_not_told() {
    Alerts silent = alerts(Optional.empty(), Optional.empty(), false, false);
    silent.on(dead("tg", "1", "rejected-target", "no such chat"));
    silent.on(ended("failed", null, 0));
    AccountView late = account(Health.BROKEN, "gone", time.instant());
    told(silent, late);
    time.advance(Duration.ofDays(1));

    assertThat(told(silent, late)).isEmpty();
  }

  private static Event dead(String account, String to, String reason, String error) {
    return new Event.Ended(
        Instant.EPOCH,
        account,
        to,
        ID,
        Status.FAILED,
        reason,
        error,
        new Event.Ties(null, null, null));
  }
}
