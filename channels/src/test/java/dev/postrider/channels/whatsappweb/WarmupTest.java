package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmupTest {
  private final FakeBridge bridge = new FakeBridge();

  @AfterEach
  void close() {
    bridge.close();
  }

  /** An account that writes down how it is slowed down. */
  private record Slowed(TestAccount account, List<Double> shares, List<String> reasons)
      implements AccountContext {
    @Override
    public AccountConfig config() {
      return account.config();
    }

    @Override
    public Scheduler scheduler() {
      return account.scheduler();
    }

    @Override
    public Memory memory() {
      return account.memory();
    }

    @Override
    public void ready() {}

    @Override
    public void notReady(String reason) {}

    @Override
    public void lowerPace(double share, @Nullable String because) {
      shares.add(share);
      reasons.add(String.valueOf(because));
    }
  }

  private Slowed slowed(AccountConfig config) {
    return new Slowed(TestAccount.of(config), new ArrayList<>(), new ArrayList<>());
  }

  @Test
  void a_new_account_uses_a_tenth_of_its_pace_and_more_from_day_to_day() throws Exception {
    Slowed account = slowed(bridge.waha().set("warmup", "10d"));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      link.send(account.account.part(GROUP, "x"));
      account.account.scheduler().pass(Duration.ofDays(5));
      link.send(account.account.part(GROUP, "x"));
    }
    try (Link link = new WhatsAppWebChannel().open(account)) {
      link.send(account.account.part(GROUP, "x")); // a restart does not begin anew
      account.account.scheduler().pass(Duration.ofDays(5));
      link.send(account.account.part(GROUP, "x"));
    }
    assertThat(account.shares).containsExactly(0.1, 0.5, 0.5, 1.0);
    assertThat(account.reasons.getFirst()).contains("10 %", "2026-03-11T12:00:00Z");
  }

  @Test
  void an_account_without_a_warm_up_has_its_whole_pace() throws Exception {
    Slowed account = slowed(bridge.waha().set("warmup", "0s"));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      link.send(account.account.part(GROUP, "x"));
    }
    assertThat(account.shares).isEmpty();
  }
}
