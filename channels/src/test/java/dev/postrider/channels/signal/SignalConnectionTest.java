package dev.postrider.channels.signal;

import static dev.postrider.channels.signal.FakeSignalCli.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** signal-cli on a socket and as a program: one connection carries both ways. */
@Timeout(180)
class SignalConnectionTest {
  private FakeLineDaemon daemon;
  private LineAccount account;
  private Link link;

  @TempDir Path folder;

  @BeforeEach
  void start() throws IOException {
    daemon = FakeLineDaemon.tcp();
    use(AccountConfig.of("sig", "signal").set("socket", daemon.address()));
  }

  private void use(AccountConfig config) {
    account = new LineAccount(config);
    link = account.open();
  }

  @AfterEach
  void end() throws IOException {
    link.close();
    daemon.close();
  }

  private CompletableFuture<Exception> connected() throws InterruptedException {
    CompletableFuture<Exception> end = account.listening(link);
    account.inbox.connections.acquire();
    return end;
  }

  private CompletableFuture<Outcome> sending(String text) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return link.send(account.part(text));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  private static String message(String text) {
    return SignalEventsTest.received(
        "\"dataMessage\":{\"timestamp\":1700000000000,\"message\":\"" + text + "\"}");
  }

  @Test
  void one_connection_carries_what_goes_out_and_what_comes_in() throws Exception {
    connected();
    assertThat(link.send(account.part("hello"))).isEqualTo(Outcome.delivered("1700000000000"));
    daemon.tells(message("and back"));
    assertThat(account.inbox.arrivals.take().text()).isEqualTo("and back");
    assertThat(link.probe()).as("of the standing connection").isEqualTo(new Probe.Healthy(NUMBER));
    assertThat(daemon.connections).hasValue(1);
    assertThat(daemon.asked.take().at("/params/account").asString()).isEqualTo(NUMBER);
  }

  @Test
  void what_comes_without_a_subscription_is_taken_too() throws Exception {
    connected();
    daemon.says("signal-cli starts\n");
    daemon.says(
        "{\"jsonrpc\":\"2.0\",\"method\":\"receive\",\"params\":%s}\r\n"
            .formatted(message("plain").replace("\n", "")));
    assertThat(account.inbox.arrivals.take().text()).isEqualTo("plain");
  }

  @Test
  void the_account_is_ready_exactly_while_the_connection_stands() throws Exception {
    assertThat(account.readiness).containsExactly("not ready: connecting to signal-cli");
    assertThat(link.send(account.part("early")))
        .isEqualTo(new Outcome.Unreachable("signal-cli is not connected"));

    CompletableFuture<Exception> end = connected();
    assertThat(account.readiness).last().isEqualTo("ready");

    daemon.cut();
    assertThat(end.join()).isInstanceOf(IOException.class);
    assertThat(account.readiness)
        .last()
        .isEqualTo("not ready: the connection to signal-cli has ended");
    assertThat(link.send(account.part("late"))).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_send_whose_answer_is_lost_with_the_connection_is_unknown() throws Exception {
    connected();
    daemon.answers.remove("send");
    CompletableFuture<Outcome> outcome = sending("hello");
    daemon.awaits("send");

    daemon.says("{\"jsonrpc\":\"2.0\",\"resu"); // cut in mid-line
    daemon.cut();

    assertThat(outcome.join()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void an_answer_that_never_comes_leaves_the_outcome_unknown() throws Exception {
    connected();
    daemon.answers.remove("send");
    CompletableFuture<Outcome> outcome = sending("hello");
    daemon.awaits("send");

    account.late();

    assertThat(outcome.join()).isEqualTo(new Outcome.Unknown("no answer to send within 121000 ms"));
  }

  @Test
  void after_a_restart_of_the_daemon_the_next_connection_works() throws Exception {
    CompletableFuture<Exception> end = connected();
    daemon.cut();
    end.join();

    connected();

    assertThat(link.send(account.part("again"))).isInstanceOf(Outcome.Delivered.class);
    assertThat(daemon.connections).hasValue(2);
  }

  @Test
  void a_half_open_connection_is_asked_for_a_sign_of_life_and_then_given_up() throws Exception {
    CompletableFuture<Exception> end = connected();
    account.idle(); // it was heard since
    account.idle(); // it was not: a ping, which is answered
    daemon.awaits("version");
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class); // so the answer has been read
    account.idle();
    assertThat(end).isNotDone();

    daemon.answers.clear();
    account.idle();
    daemon.awaits("version");
    account.idle();

    assertThat(end.join()).hasMessage("signal-cli has fallen silent");
  }

  @Test
  void a_peer_that_does_not_read_does_not_hold_a_send_for_ever() throws Exception {
    CompletableFuture<Exception> end = connected();
    daemon.reads = false;
    daemon.cut();
    end.join();
    // The next connection is taken and never read; it is greeted by hand.
    CompletableFuture<Exception> second = account.listening(link);
    while (daemon.connections.get() < 2) {
      Thread.onSpinWait();
    }
    daemon.says("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"result\":0}\n");
    account.inbox.connections.acquire();
    CompletableFuture<Outcome> outcome = sending("x".repeat(64 << 20));

    account.idle();
    account.idle();
    account.idle();

    assertThat(second.join()).hasMessage("signal-cli has fallen silent");
    assertThat(outcome.join())
        .as("a line without its end asks nothing")
        .isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_line_without_an_end_ends_the_connection() throws Exception {
    CompletableFuture<Exception> end = connected();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                daemon.says("x".repeat(17 << 20));
              } catch (IOException e) {
                // It hung up, as it should.
              }
            });
    assertThat(end.join()).hasMessageContaining("without an end");
  }

  @Test
  void an_account_that_signal_cli_does_not_have_cannot_listen() throws Exception {
    daemon.answers.put(
        "subscribeReceive",
        FakeSignalCli.refusal(-32602, "Specified account does not exist", null));
    assertThat(account.listening(link).join())
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("Specified account does not exist");
    assertThat(account.readiness).doesNotContain("ready");
  }

  @Test
  void a_probe_where_nobody_listens_makes_a_connection_of_its_own_and_leaves() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy(NUMBER));
    assertThat(daemon.awaits("listAccounts").path("id").asString()).isEqualTo("hello");
    assertThat(daemon.asked).as("it subscribes to nothing").isEmpty();

    connected();
    assertThat(daemon.connections).hasValue(2);
  }

  @Test
  void a_probe_of_a_daemon_that_says_nothing_ends() throws Exception {
    daemon.answers.clear();
    CompletableFuture<Probe> probe =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return link.probe();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    daemon.awaits("listAccounts");
    account.late();
    assertThat(probe.join()).isInstanceOf(Probe.Unreachable.class);
  }

  @Test
  void a_probe_while_a_connection_is_being_made_makes_no_second_one() throws Exception {
    daemon.answers.remove("subscribeReceive");
    account.listening(link);
    daemon.awaits("subscribeReceive");

    assertThat(link.probe()).isEqualTo(new Probe.Unreachable("signal-cli is not connected"));
    assertThat(daemon.connections).hasValue(1);
  }

  @Test
  void closing_ends_a_connection_at_once_and_another_is_not_made() throws Exception {
    CompletableFuture<Exception> end = connected();
    link.close();
    assertThat(end.join()).isInstanceOf(IOException.class);
    assertThat(account.listening(link).join()).hasMessageContaining("closed");
  }

  @Test
  void a_socket_in_the_file_system_works_alike() throws Exception {
    daemon.close();
    Path path = folder.resolve("signal");
    daemon = FakeLineDaemon.unix(path);
    use(AccountConfig.of("sig", "signal").set("socket", path.toString()));
    CompletableFuture<Exception> end = connected();

    assertThat(link.send(account.part("hello"))).isEqualTo(Outcome.delivered("1700000000000"));
    daemon.tells(message("and back"));
    assertThat(account.inbox.arrivals.take().text()).isEqualTo("and back");
    daemon.cut();
    assertThat(end.join()).hasMessageContaining("ended the connection");
  }

  @Test
  void nobody_at_the_socket_is_told() {
    use(AccountConfig.of("sig", "signal").set("socket", folder.resolve("none").toString()));
    assertThat(account.listening(link).join()).hasMessageContaining("nobody at");
    use(AccountConfig.of("sig", "signal").set("socket", "127.0.0.1:1"));
    assertThat(account.listening(link).join()).hasMessageContaining("nobody at");
  }

  // ---- a program

  /** signal-cli in a few lines: answers, tells of what it was sent, and can be told to die. */
  private static final String PROGRAM =
      """
      echo started >> "$1"
      while read -r line; do
        id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
        case "$line" in
          *'"message":"die"'*) exit 7 ;;
          *'"method":"send"'*)
            echo '{"jsonrpc":"2.0","result":{"timestamp":17},"id":"'$id'"}'
            printf '{"jsonrpc":"2.0","method":"receive","params":%s}\\n' "$2" ;;
          *) echo '{"jsonrpc":"2.0","result":0,"id":"'$id'"}' ;;
        esac
      done
      """;

  private Path program() throws IOException {
    Path starts = folder.resolve("starts");
    use(
        AccountConfig.of("sig", "signal")
            .set(
                "command",
                List.of(
                    "/bin/sh",
                    "-c",
                    PROGRAM,
                    "signal-cli",
                    starts.toString(),
                    message("from the program").replace("\n", ""))));
    return starts;
  }

  @Test
  void a_program_is_started_and_spoken_to() throws Exception {
    Path starts = program();
    CompletableFuture<Exception> end = connected();

    assertThat(link.send(account.part("hello"))).isEqualTo(Outcome.delivered("17"));
    InboundMessage arrival = account.inbox.arrivals.take();
    assertThat(arrival.text()).isEqualTo("from the program");
    assertThat(link.probe()).as("which asks the one that runs").isNotNull();
    assertThat(Files.readAllLines(starts)).hasSize(1);

    link.close();
    assertThat(end.join()).isInstanceOf(IOException.class);
  }

  @Test
  void a_program_that_dies_leaves_the_outcome_unknown_and_is_started_anew() throws Exception {
    Path starts = program();
    CompletableFuture<Exception> end = connected();

    assertThat(link.send(account.part("die"))).isInstanceOf(Outcome.Unknown.class);
    assertThat(end.join()).hasMessage("/bin/sh has ended with 7");

    connected();
    assertThat(link.send(account.part("hello"))).isEqualTo(Outcome.delivered("17"));
    assertThat(Files.readAllLines(starts)).hasSize(2);
  }

  @Test
  void a_program_that_is_not_there_is_told() {
    use(AccountConfig.of("sig", "signal").set("command", List.of("/no/such/signal-cli")));
    assertThat(account.listening(link).join()).hasMessageContaining("cannot be started");
    assertThat(account.readiness).doesNotContain("ready");
  }
}
