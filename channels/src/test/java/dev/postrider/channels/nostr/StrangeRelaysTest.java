package dev.postrider.channels.nostr;

import static dev.postrider.channels.nostr.NostrAccount.ME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.ReachableHosts;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Network;
import dev.postrider.time.SystemScheduler;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays that receivers name: whatever their names stand for now, or a moment later. */
@Timeout(120)
class StrangeRelaysTest {
  private static final NostrEvent NOTE = NostrEvent.signed(ME, 1_700_000_000, 1, List.of(), "x");
  private static final NostrEvent LONG =
      NostrEvent.signed(ME, 1_700_000_000, 1, List.of(), "x".repeat(6000));
  private static final List<Network> HERE = List.of(Network.parse("127.0.0.0/8"));

  private final FakeRelay relay;
  private final SystemScheduler time = new SystemScheduler();
  private final HttpSender http =
      HttpSender.of(Settings.of(AccountConfig.of("nos", "nostr")), Secrets.of());

  StrangeRelaysTest() throws Exception {
    relay = new FakeRelay();
  }

  @AfterEach
  void close() throws Exception {
    relay.close();
    http.close();
    time.close();
  }

  /** While it is looked at, every name stands for a public address. */
  private RelayConnector connector(List<Network> allowed) {
    return new RelayConnector(
        http,
        new Relay.Terms(ME, time, Duration.ofMinutes(1), Duration.ofMinutes(1)),
        new ReachableHosts(allowed, _ -> new InetAddress[] {InetAddress.ofLiteral("198.41.0.4")}));
  }

  @Test
  void a_name_that_stands_for_a_private_address_when_it_is_connected_to_is_not_connected_to()
      throws Exception {
    URI rebound = URI.create(relay.url().replace("127.0.0.1", "localhost"));
    RelayConnector connector = connector(List.of());
    assertThat(connector.refusal(rebound)).as("by its name").isNull();
    assertThat(connector.publish(rebound, NOTE))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class, it -> assertThat(it.cause()).contains("private address"));
    assertThat(relay.connections).hasValue(0);

    assertThat(connector(HERE).publish(rebound, NOTE)).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void nor_is_such_a_relay_asked_for_its_limits() {
    relay.document = "{\"limitation\":{\"max_message_length\":5000}}";
    assertThat(new RelayLimits(http, List.of(), time).refusal(relay.address(), false, LONG))
        .isNull();
    assertThat(new RelayLimits(http, HERE, time).refusal(relay.address(), false, LONG))
        .contains("5000 bytes");
    assertThat(new RelayLimits(http, List.of(), time).refusal(relay.address(), true, LONG))
        .as("our own are where we say")
        .contains("5000 bytes");
  }
}
