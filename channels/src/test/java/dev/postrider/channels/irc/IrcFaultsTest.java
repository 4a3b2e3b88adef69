package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.message.Receipt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of a message when the connection fails. After every fault a new connection must
 * work.
 */
class IrcFaultsTest {

  private static void works(FakeIrc server, IrcRig rig) throws Exception {
    CompletableFuture<Exception> end = rig.connected();
    assertThat(rig.send("ann", "after")).isInstanceOf(Outcome.Delivered.class);
    assertThat(end).isNotDone();
    assertThat(server.heard("PRIVMSG ann :after")).hasSize(1);
  }

  private static Outcome ended(CompletableFuture<Outcome> sending) throws Exception {
    return sending.get(2, TimeUnit.MINUTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"with labels", "without"})
  void a_server_that_goes_away_before_it_answers_leaves_the_outcome_unknown(String how)
      throws Exception {
    try (FakeIrc server = how.equals("without") ? new FakeIrc() : new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("PRIVMSG ann :x", "CLOSE");
      CompletableFuture<Exception> end = rig.connected();
      assertThat(ended(rig.sending("ann", "x"))).isInstanceOf(Outcome.Unknown.class);
      assertThat(IrcRig.cause(end)).contains("127.0.0.1 has ended the connection");
      assertThat(rig.readiness()).last().asString().startsWith("not ready: ");
      assertThat(rig.send("ann", "y"))
          .as("between two connections")
          .isEqualTo(new Outcome.Unreachable("not connected to 127.0.0.1:" + server.port()));
      works(server, rig);
    }
  }

  @Test
  void a_line_that_is_cut_in_the_middle_is_not_taken_for_an_answer() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("PRIVMSG ann :x");
      CompletableFuture<Exception> end = rig.connected();
      CompletableFuture<Outcome> sending = rig.sending("ann", "x");
      String label =
          server
              .await(line -> line.endsWith("PRIVMSG ann :x"))
              .replaceAll("@label=(\\S+) .*", "$1");
      server.sayRaw("@label=" + label + ";msgid=1 :rider!u@h PRIVMSG ann :");
      server.hangUp();
      assertThat(ended(sending)).isInstanceOf(Outcome.Unknown.class);
      end.get(2, TimeUnit.MINUTES);
      works(server, rig);
    }
  }

  @Test
  void a_connection_that_has_fallen_silent_is_given_up() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("idle", "100ms"))) {
      server.when("PING :alive|PRIVMSG ann :x");
      CompletableFuture<Exception> end = rig.connected();
      CompletableFuture<Outcome> sending = rig.sending("ann", "x");
      assertThat(IrcRig.cause(end)).contains("has fallen silent");
      assertThat(ended(sending)).isNotInstanceOf(Outcome.Delivered.class);
    }
  }

  @Test
  void an_answer_that_never_comes_is_unknown_after_the_time_out() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("timeout", "3s"))) {
      rig.connected();
      server.once("PRIVMSG ann :x");
      assertThat(rig.send("ann", "x"))
          .isEqualTo(new Outcome.Unknown("the server did not answer in time"));
      assertThat(rig.send("ann", "y")).isInstanceOf(Outcome.Delivered.class);
    }
  }

  @Test
  void a_server_that_reads_nothing_any_more_does_not_keep_us() throws Exception {
    try (FakeIrc server = new FakeIrc().deaf();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("timeout", "200ms"))) {
      CompletableFuture<Exception> end = rig.listen();
      assertThat(end.get(2, TimeUnit.MINUTES)).hasMessageContaining("127.0.0.1");
      assertThat(rig.readiness()).doesNotContain("ready");
    }
  }

  @Test
  void a_writer_stuck_in_a_full_socket_ends_with_the_connection() throws Exception {
    try (java.net.ServerSocket full =
            new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
        IrcRig rig = new IrcRig(IrcRig.account(full.getLocalPort()).set("timeout", "500ms"))) {
      full.setReceiveBufferSize(4096);
      IrcConnection connection = IrcConnection.open(IrcSettings.of(rig.config()), rig.scheduler());
      String line = IrcMessage.saying("PRIVMSG", "ann", "x".repeat(400));
      java.io.IOException stuck = null;
      for (int i = 0; i < 100_000 && stuck == null; i++) {
        try {
          connection.say(line);
        } catch (java.io.IOException e) {
          stuck = e;
        }
      }
      assertThat(stuck).as("nobody ever read anything").isNotNull();
    }
  }

  @Test
  void a_line_without_an_end_ends_the_connection() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      CompletableFuture<Exception> end = rig.connected();
      server.sayRaw("x".repeat(20_000));
      assertThat(IrcRig.cause(end)).contains("a line without an end");
      works(server, rig);
    }
  }

  @Test
  void batches_without_an_end_end_the_connection() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      CompletableFuture<Exception> end = rig.connected();
      for (int i = 0; i < 200; i++) {
        server.say("BATCH +" + i + " netsplit");
      }
      assertThat(IrcRig.cause(end)).contains("batches without an end");
    }
  }

  @Test
  void a_farewell_for_flooding_slows_the_next_connection_down() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("PRIVMSG ann :x", "ERROR :Closing link: (rider@h) [Excess Flood]", "CLOSE");
      CompletableFuture<Exception> end = rig.connected();
      assertThat(ended(rig.sending("ann", "x"))).isInstanceOf(Outcome.Unknown.class);
      assertThat(IrcRig.cause(end)).isEqualTo("Closing link: (rider@h) [Excess Flood]");
      rig.connected();
      assertThat(rig.send("ann", "y")).isInstanceOf(Outcome.Throttled.class);
    }
  }

  @Test
  void closing_while_connecting_leaves_no_connection() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("CAP LS|USER"); // never gets any further
      CompletableFuture<Exception> end = rig.listen();
      server.await(line -> line.startsWith("CAP LS"));
      rig.link.close();
      end.get(2, TimeUnit.MINUTES);
      assertThat(rig.listen().get(2, TimeUnit.MINUTES)).hasMessage("the account is closed");
      assertThat(rig.send("ann", "x")).isInstanceOf(Outcome.Unreachable.class);
      assertThat(server.heard("CAP LS")).hasSize(1);
      assertThat(rig.readiness()).doesNotContain("ready");
    }
  }

  @Test
  void a_join_that_gets_no_answer_has_shown_nothing_to_anybody() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("timeout", "3s"))) {
      rig.connected();
      server.when("JOIN");
      assertThat(rig.send("#room", "x")).isInstanceOf(Outcome.NotSent.class);
      assertThat(server.heard("PRIVMSG")).isEmpty();
    }
  }

  @Test
  void a_channel_that_we_are_no_longer_in_is_joined_again_by_the_next_try() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      rig.send("#room", "1");
      server.once("PRIVMSG #room :2", ":srv 442 {nick} #room :You're not on that channel");
      assertThat(rig.send("#room", "2"))
          .isEqualTo(new Outcome.NotSent("442 You're not on that channel"));
      assertThat(rig.send("#room", "2")).isInstanceOf(Outcome.Delivered.class);
      assertThat(server.heard("JOIN")).hasSize(2);
    }
  }

  // ---- splitting

  private static final String LONG = "ö".repeat(175);

  private static FakeIrc narrow(String... capabilities) throws Exception {
    return new FakeIrc(capabilities).being("LINELEN=300 CHANTYPES=#");
  }

  @Test
  void a_part_that_does_not_fit_is_two_lines_cut_to_the_byte() throws Exception {
    try (FakeIrc server = narrow(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      rig.send("#room", "x"); // from the JOIN the sender is known
      assertThat(rig.send("#room", LONG)).isEqualTo(Outcome.delivered("m2,m3"));
      String first = server.heard("PRIVMSG").get(1).replaceFirst(".* :", "");
      int around = ":rider!u@host.example PRIVMSG #room :\r\n".length();
      assertThat(around + 2 * first.length()).isBetween(299, 300);
      String second = server.heard("PRIVMSG").get(2).replaceFirst(".* :", "");
      assertThat(first + second).isEqualTo(LONG);
    }
  }

  @Test
  void a_part_of_which_only_the_beginning_was_taken_waits_for_a_person() throws Exception {
    try (FakeIrc server = narrow(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      server.once("PRIVMSG ann :ö{1,80}$", "@label={label} :srv 404 {nick} ann :Enough");
      assertThat(rig.send("ann", LONG))
          .isInstanceOfSatisfying(
              Outcome.Hold.class, it -> assertThat(it.cause()).contains("404 Enough"));
      server.when("PRIVMSG ann", "@label={label} :srv 404 {nick} ann :Enough");
      assertThat(rig.send("ann", LONG))
          .as("nothing was taken")
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "404 Enough"));
    }
  }

  @Test
  void what_does_not_fit_stays_one_message_where_the_server_has_multiline() throws Exception {
    try (FakeIrc server =
            narrow("labeled-response", "batch", "message-tags", "draft/multiline=max-bytes=4096");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      server.when("batch=\\S+ PRIVMSG");
      server.when(
          "BATCH \\+(\\S+) ",
          "@label={label};msgid=abc :rider!u@h BATCH +{1} draft/multiline ann",
          "@batch={1} :rider!u@h PRIVMSG ann :x",
          "@batch={1};draft/multiline-concat :rider!u@h PRIVMSG ann :y",
          "BATCH -{1}");
      assertThat(rig.send("ann", LONG)).isEqualTo(new Outcome.Delivered(new Receipt("abc", false)));
      assertThat(server.heard("batch=")).hasSize(2);
      assertThat(server.heard("draft/multiline-concat")).hasSize(1);
    }
  }

  @Test
  void the_host_that_the_server_gives_us_counts() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN).being("LINELEN=512");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      IrcSession session =
          new IrcSession(
              IrcConnection.open(IrcSettings.of(rig.config()), rig.scheduler()),
              new FloodPace(rig.scheduler()),
              "rider");
      int unknown = session.room("PRIVMSG", "#room");
      assertThat(unknown).isEqualTo(512 - (":rider!@ PRIVMSG #room :\r\n".length() + 13 + 64));
      for (String line :
          java.util.List.of(
              ":srv 001 rider :Welcome rider!~u@a.host",
              ":srv 396 rider b.host :is now your hidden host",
              ":rider!~u@b.host CHGHOST v c.host",
              ":rider!v@c.host NICK horse",
              ":horse!v@d.host JOIN #room")) {
        session.hear(IrcMessage.parse(line));
      }
      assertThat(session.room("PRIVMSG", "#room"))
          .isEqualTo(512 - ":horse!v@d.host PRIVMSG #room :\r\n".length());
      session.hear(IrcMessage.parse(":srv 396 horse v@cloak/of/horse :is now your host"));
      assertThat(session.room("NOTICE", "ann"))
          .isEqualTo(512 - ":horse!v@cloak/of/horse NOTICE ann :\r\n".length());
    }
  }
}
