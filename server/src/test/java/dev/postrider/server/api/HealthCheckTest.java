package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.config.HealthSettings;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.ListeningView.Status;
import dev.postrider.view.Stats;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What /healthz finds wrong. */
class HealthCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final HealthCheck USUAL =
      new HealthCheck(HealthSettings.DEFAULTS, "jdbc:postgresql://db/x");

  private static AccountView account(
      Health health,
      @Nullable String reason,
      ListeningView listening,
      @Nullable Instant oldestWaitingAt) {
    return new AccountView(
        "tg",
        "telegram",
        health,
        NOW.minusSeconds(60),
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
        oldestWaitingAt,
        List.of(),
        null);
  }

  private static Stats stats(AccountView... accounts) {
    return new Stats(
        NOW,
        NOW,
        "here",
        true,
        true,
        null,
        0,
        0,
        0,
        0,
        null,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        new Stats.Inbound(0, 0, 0, 0, 0, 0, 0),
        List.of(accounts));
  }

  @Test
  void all_is_well_with_accounts_that_are_ready_starting_slow_or_paused() {
    for (Health health : List.of(Health.READY, Health.STARTING, Health.DEGRADED, Health.PAUSED)) {
      assertThat(USUAL.reasons(stats(account(health, "why", ListeningView.OFF, null)))).isEmpty();
    }
  }

  @Test
  void a_broken_and_an_unreachable_account_are_named_with_their_cause() {
    assertThat(
            USUAL.reasons(
                stats(
                    account(Health.BROKEN, "token revoked", ListeningView.OFF, null),
                    account(Health.UNREACHABLE, "no route", ListeningView.OFF, null))))
        .containsExactly(
            "Account tg is broken since 2026-11-20T08:59:00Z: token revoked",
            "Account tg is unreachable since 2026-11-20T08:59:00Z: no route");
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"FAILING", "REFUSED"})
  void a_deaf_account_is_named(Status status) {
    ListeningView deaf = new ListeningView(status, NOW, "409: another poller");

    assertThat(USUAL.reasons(stats(account(Health.DEGRADED, "deaf", deaf, null))))
        .containsExactly(
            "Account tg hears nothing since 2026-11-20T09:00:00Z: 409: another poller");
  }

  @Test
  void a_message_that_waits_longer_than_the_limit_is_a_reason_unless_somebody_paused_it() {
    Instant old = NOW.minus(Duration.ofMinutes(16));
    Stats waiting = stats(account(Health.READY, null, ListeningView.OFF, old));
    assertThat(USUAL.reasons(waiting))
        .containsExactly("Account tg has a message that waits since 2026-11-20T08:44:00Z.");
    assertThat(USUAL.reasons(stats(account(Health.PAUSED, "x", ListeningView.OFF, old)))).isEmpty();

    HealthSettings patient = new HealthSettings(Optional.of(Duration.ofHours(1)), 0);
    assertThat(new HealthCheck(patient, "").reasons(waiting)).isEmpty();
    assertThat(new HealthCheck(new HealthSettings(Optional.empty(), 0), "").reasons(waiting))
        .isEmpty();
  }

  @Test
  void a_disk_that_is_nearly_full_is_a_reason(@TempDir Path folder) {
    String store = "sqlite:" + folder.resolve("x.db");
    HealthSettings hungry = new HealthSettings(Optional.empty(), Long.MAX_VALUE);

    assertThat(new HealthCheck(hungry, store).reasons(stats()))
        .singleElement()
        .asString()
        .contains("The disk of " + folder, "MB left");
    assertThat(new HealthCheck(new HealthSettings(Optional.empty(), 1), store).reasons(stats()))
        .isEmpty();
  }
}
