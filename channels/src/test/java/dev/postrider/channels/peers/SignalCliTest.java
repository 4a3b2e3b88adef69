package dev.postrider.channels.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.signal.SignalChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against signal-cli itself, which has no account here: how it greets, and how it refuses. */
@VerifiedAgainst(value = "signal-cli 0.13.19", channels = "signal")
@Timeout(300)
class SignalCliTest {
  private static final String NUMBER = "+4915112345678";

  @TempDir static Path data;
  private static NpmPeer daemon;
  private static int tcp;

  @BeforeAll
  static void start() throws Exception {
    tcp = FreePort.find();
    daemon =
        NpmPeer.startWith(
            "/bin/sh",
            "signal-cli",
            "signal-cli.sh",
            "Started HTTP server",
            System.getProperty("java.home"),
            "--config",
            data.toString(),
            "daemon",
            "--tcp",
            "127.0.0.1:" + tcp,
            "--http",
            "127.0.0.1:{port}",
            "--receive-mode=manual");
  }

  @AfterAll
  static void end() throws Exception {
    daemon.close();
  }

  private static AccountConfig account(String way, Object where) {
    return AccountConfig.of("sig", "signal").set("number", NUMBER).set(way, where);
  }

  private static Link open(AccountConfig account) {
    return new SignalChannel().open(TestAccount.of(account));
  }

  @Test
  void over_http_it_names_the_accounts_that_it_has_and_refuses_others() throws Exception {
    TestAccount account = TestAccount.of(account("baseUrl", daemon.baseUrl()));
    try (Link link = new SignalChannel().open(account)) {
      assertThat(link.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class, it -> assertThat(it.cause()).contains("no account at all"));
      assertThat(link.send(account.part("+491701234567", "hello")))
          .isInstanceOfSatisfying(
              Outcome.AccountBroken.class,
              it -> assertThat(it.cause()).contains("Specified account does not exist"));
      assertThatThrownBy(() -> link.listen(new TestInlet(null, 1)))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining(NUMBER);
    }
  }

  @Test
  void over_a_socket_it_says_the_same() throws Exception {
    refuses(account("socket", "127.0.0.1:" + tcp));
  }

  @Test
  void as_a_program_of_ours_it_says_the_same() throws Exception {
    Path script = Path.of("target/peers/signal-cli/signal-cli.sh").toAbsolutePath();
    refuses(
        account(
            "command",
            List.of(
                "/bin/sh",
                script.toString(),
                System.getProperty("java.home"),
                "--config",
                data.toString(),
                "jsonRpc",
                "--receive-mode=manual")));
  }

  private static void refuses(AccountConfig account) {
    try (Link link = open(account)) {
      assertThatThrownBy(() -> link.listen(new TestInlet(null, 1)))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("Specified account does not exist");
    }
  }
}
