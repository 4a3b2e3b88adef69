package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.cli.CommandsForTests;
import dev.postrider.testkit.internal.net.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Servers behind an account that cannot be reached. */
@Timeout(300)
class OutagesTest {
  @TempDir Path dir;

  @Test
  void an_account_lists_every_server_that_is_away() {
    List<Integer> dead = List.of(FreePort.find(), FreePort.find());
    try (TestServer server =
        TestServer.start(
            dir,
            """
            accounts:
              - { id: hooks, channel: webhook, secret: whsec_MTIzNDU2Nzg5MDEy, \
                  allowAnyTarget: true, allowedNetworks: [127.0.0.1] }
            """)) {
      for (int port : dead) {
        for (String path : List.of("a", "b")) {
          server.post(
              "/v1/messages",
              "{\"account\":\"hooks\",\"to\":\"https://127.0.0.1:%d/%s\",\"text\":\"hello\"}"
                  .formatted(port, path));
        }
      }
      JsonNode account = account(server);
      while (account.path("outages").size() < 2) {
        LockSupport.parkNanos(10_000_000);
        account = account(server);
      }

      assertThat(account.path("outages"))
          .allSatisfy(
              outage -> {
                assertThat(outage.path("since").asString()).isNotEmpty();
                assertThat(outage.path("cause").asString()).contains("refused");
              });
      assertThat(account.path("outages").valueStream().map(it -> it.path("server").asString()))
          .containsExactlyInAnyOrder("127.0.0.1:" + dead.get(0), "127.0.0.1:" + dead.get(1));
      assertThat(account.path("moreOutages").asInt()).isZero();
      assertThat(account.path("health").asString()).isEqualTo("degraded");
      assertThat(account.path("reason").asString()).contains(" and 1 other server cannot be");
      assertThat(CommandsForTests.printed("accounts", "list", "--url", server.address()))
          .contains("away, too: " + account.path("outages").path(1).path("server").asString());
    }
  }

  private static JsonNode account(TestServer server) {
    return server.get("/v1/accounts").json().path("items").path(0);
  }
}
