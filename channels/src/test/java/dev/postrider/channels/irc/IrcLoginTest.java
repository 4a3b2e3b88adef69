package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestCertificate;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection begins, and what keeps it from beginning. */
class IrcLoginTest {
  private static final String[] PLAIN = {"sasl=PLAIN,EXTERNAL", "message-tags"};

  @TempDir Path folder;

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void takesPlain(FakeIrc server, String password) {
    server.when("AUTHENTICATE PLAIN", "AUTHENTICATE +");
    server.when("AUTHENTICATE [A-Za-z0-9+/=]{9,}", ":srv 904 * :SASL authentication failed");
    server.when(
        "AUTHENTICATE " + base64("rider\0rider\0" + password),
        ":srv 900 * rider!u@h rider :You are now logged in",
        ":srv 903 * :SASL authentication successful");
  }

  @Test
  void an_account_at_the_network_is_logged_in_to_before_anybody_sees_us() throws Exception {
    try (FakeIrc server = new FakeIrc(PLAIN);
        IrcRig rig =
            new IrcRig(
                IrcRig.account(server.port()).set("sasl", "PLAIN").set("saslPassword", "pencil"))) {
      takesPlain(server, "pencil");
      rig.connected();
      List<String> said = server.heard();
      assertThat(said.indexOf("CAP END"))
          .isGreaterThan(said.indexOf("AUTHENTICATE " + base64("rider\0rider\0pencil")));
    }
  }

  @Test
  void a_wrong_password_at_the_network_is_for_a_person_to_mend() throws Exception {
    try (FakeIrc server = new FakeIrc(PLAIN);
        IrcRig rig =
            new IrcRig(
                IrcRig.account(server.port()).set("sasl", "PLAIN").set("saslPassword", "wrong!"))) {
      takesPlain(server, "pencil");
      CompletableFuture<Exception> end = rig.listen();
      assertThat(end.get(2, TimeUnit.MINUTES)).isInstanceOf(ListeningRefused.class);
      assertThat(IrcRig.cause(end)).contains("904 SASL authentication failed", "saslUser");
      assertThat(rig.link.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class, it -> assertThat(it.cause()).contains("904", "saslPassword"));
    }
  }

  @Test
  void scram_is_spoken_where_it_is_offered_and_the_server_proves_itself() throws Exception {
    try (FakeIrc server = new FakeIrc("sasl=PLAIN,SCRAM-SHA-256");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("saslPassword", "pencil"))) {
      server.when("AUTHENTICATE SCRAM-SHA-256", "AUTHENTICATE +");
      // A server that says that all is well, without having shown that it knows the password.
      server.when("AUTHENTICATE [A-Za-z0-9+/=]{9,}", ":srv 903 * :SASL authentication successful");
      CompletableFuture<Exception> end = rig.listen();
      assertThat(end.get(2, TimeUnit.MINUTES)).isInstanceOf(ListeningRefused.class);
      assertThat(IrcRig.cause(end)).contains("without knowing the password");
      assertThat(server.heard("AUTHENTICATE").getFirst()).isEqualTo("AUTHENTICATE SCRAM-SHA-256");
    }
  }

  @Test
  void a_server_that_offers_another_way_or_none_is_named_with_the_remedy() throws Exception {
    try (FakeIrc other = new FakeIrc("sasl=EXTERNAL");
        FakeIrc none = new FakeIrc("batch");
        FakeIrc old = new FakeIrc();
        IrcRig first = new IrcRig(IrcRig.account(other.port()).set("saslPassword", "pencil"));
        IrcRig second = new IrcRig(IrcRig.account(none.port()).set("saslPassword", "pencil"));
        IrcRig third = new IrcRig(IrcRig.account(old.port()).set("saslPassword", "pencil"))) {
      assertThat(IrcRig.cause(first.listen()))
          .isEqualTo("the server does not take SCRAM-SHA-256 but EXTERNAL; set sasl");
      assertThat(IrcRig.cause(second.listen())).contains("127.0.0.1 offers no SASL");
      assertThat(IrcRig.cause(third.listen())).contains("127.0.0.1 offers no SASL");
    }
  }

  @Test
  void tls_shows_our_certificate_and_believes_only_whom_it_should() throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (FakeIrc server =
            new FakeIrc(certificate.server().getServerSocketFactory(), "sasl=EXTERNAL", "batch");
        IrcRig rig =
            new IrcRig(
                secure(server, certificate)
                    .set("sasl", "EXTERNAL")
                    .set("certFile", certificate.pem().toString())
                    .set("keyFile", certificate.key().toString()));
        IrcRig stranger = new IrcRig(IrcRig.account(server.port()).set("tls", true))) {
      server.when("AUTHENTICATE EXTERNAL", "AUTHENTICATE +");
      server.when("AUTHENTICATE " + base64("rider"), ":srv 903 * :welcome");
      rig.connected();
      assertThat(rig.send("ann", "x")).isInstanceOf(Outcome.Delivered.class);
      assertThat(IrcRig.cause(stranger.listen())).contains("127.0.0.1 cannot be trusted");
    }
  }

  private static AccountConfig secure(FakeIrc server, TestCertificate certificate) {
    return IrcRig.account(server.port())
        .set("tls", true)
        .set("caFile", certificate.pem().toString());
  }

  @Test
  void a_nick_that_is_taken_is_got_back_when_it_is_free() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("NICK rider_$", ":srv 433 * rider_ :Nickname is already in use");
      server.once("NICK rider$", ":srv 433 * rider :Nickname is already in use");
      rig.connected();
      assertThat(server.heard("NICK")).containsExactly("NICK rider", "NICK rider_", "NICK rider__");
      assertThat(rig.send("ann", "x")).isEqualTo(Outcome.delivered("m1"));
      server.say(":rider!other@host QUIT :good night");
      server.await(line -> line.equals("NICK rider") && server.heard("NICK").size() == 4);
      assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider at 127.0.0.1"));
    }
  }

  @Test
  void nickserv_is_asked_for_the_nick_if_that_is_wanted() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig =
            new IrcRig(
                IrcRig.account(server.port())
                    .set("recover", "GHOST")
                    .set("nickservPassword", "pencil"))) {
      server.once("NICK rider$", ":srv 433 * rider :Nickname is already in use");
      server.when(
          "PRIVMSG NickServ :GHOST rider pencil",
          ":NickServ!s@services NOTICE rider_ :rider has been ghosted.");
      rig.connected();
      server.await(line -> line.equals("NICK rider") && server.heard("NICK").size() == 3);
    }
  }

  @Test
  void a_ban_is_for_a_person_and_a_busy_server_is_not() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("USER", "ERROR :Closing Link: (K-Lined: go away)", "CLOSE");
      assertThat(rig.listen().get(2, TimeUnit.MINUTES))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("K-Lined: go away");
      server.once("USER", "ERROR :Closing Link: (Too many connections from your IP)", "CLOSE");
      assertThat(rig.listen().get(2, TimeUnit.MINUTES))
          .isNotInstanceOf(ListeningRefused.class)
          .hasMessageContaining("Too many connections");
      rig.connected();
    }
  }

  @Test
  void capabilities_that_come_and_go_later_are_followed() throws Exception {
    try (FakeIrc server = new FakeIrc("message-tags", "cap-notify");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      server.say(":srv CAP rider NEW :batch labeled-response echo-message other=1");
      server.await(line -> line.equals("CAP REQ :labeled-response echo-message batch"));
      assertThat(rig.link.probe())
          .as("hears what was said before")
          .isInstanceOf(Probe.Healthy.class);
      assertThat(rig.send("ann", "x")).isEqualTo(Outcome.delivered("m1"));
      server.say(":srv CAP rider DEL :labeled-response");
      server.say("PING :done");
      server.await(line -> line.equals("PONG done"));
      assertThat(rig.send("ann", "y")).isEqualTo(Outcome.delivered("m2"));
      assertThat(server.heard("PRIVMSG ann :y")).containsExactly("PRIVMSG ann :y");
    }
  }

  @Test
  void an_account_that_joins_names_by_the_old_mapping_is_refused_where_that_is_wrong()
      throws Exception {
    try (FakeIrc server = new FakeIrc().being("CASEMAPPING=ascii CHANTYPES=#");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("casemapping", "rfc1459"))) {
      assertThat(IrcRig.cause(rig.listen())).endsWith("set casemapping: ascii");
      assertThat(new IrcChannel().canonical(rig.config(), "#A[1]")).isEqualTo("#a{1}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "host, 'a b', one word",
    "nick, '#x', cannot be a nick",
    "nick, 'a b', one word",
    "username, 'a\nQUIT', one word",
    "realname, 'a\nQUIT', one line",
    "password, 'a\rQUIT', one line",
    "saslUser, 'a\0b', one line",
    "saslPassword, 'a\nb', one line",
    "nickservPassword, 'a\nb', one line",
    "channels, '#a\nQUIT', one line",
    "channels, room, must be channels",
    "channels, '#a b c', must be channels",
    "sasl, LOGIN, known are PLAIN",
    "sasl, EXTERNAL, needs certFile",
    "sasl, PLAIN, saslPassword is missing",
    "recover, DROP, known are REGAIN",
    "casemapping, utf8, known are ascii",
    "multiline, 0, above zero",
    "certFile, /nowhere, certFile and keyFile go together"
  })
  void a_setting_that_cannot_work_is_refused_by_its_name(String key, String value, String remedy) {
    AccountConfig account = IrcRig.account(1).set("tls", true).set(key, value);
    assertThatThrownBy(
            () -> {
              new IrcChannel().checkAccount(account);
              new IrcChannel().capabilities(account);
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(remedy)
        .hasMessageContaining("account net: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"username", "realname"})
  void who_we_are_is_as_configured(String key) throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set(key, "horse"))) {
      rig.connected();
      assertThat(server.heard("USER"))
          .containsExactly(
              key.equals("username") ? "USER horse 0 * :rider" : "USER rider 0 * :horse");
    }
  }

  @Test
  void several_lines_are_one_message_where_the_account_and_the_server_want_it() throws Exception {
    String[] offers = {
      "labeled-response", "batch", "message-tags", "draft/multiline=max-bytes=4096,max-lines=5"
    };
    try (FakeIrc server = new FakeIrc(offers);
        FakeIrc without = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("multiline", 5));
        IrcRig more = new IrcRig(IrcRig.account(server.port()).set("multiline", 6));
        IrcRig other = new IrcRig(IrcRig.account(without.port()).set("multiline", 5))) {
      rig.connected();
      assertThat(IrcRig.cause(more.listen())).endsWith("of 5 lines; set multiline: 5");
      assertThat(IrcRig.cause(other.listen())).endsWith("of 1 lines; set multiline: 1");
      server.when("batch=\\S+ PRIVMSG");
      server.when("BATCH \\+", "@label={label} :srv ACK");
      Message message = Message.to("net", "ann").text("one\n\ntwo\nthree").build();
      Plan plan =
          Planner.plan(
              rig.part("ann", "x").id(),
              message,
              new IrcChannel().capabilities(rig.config()),
              _ -> Optional.empty());
      assertThat(plan.parts()).hasSize(1);
      assertThat(rig.link.send(Dispatch.of(message, plan, 0, Set.of())))
          .isInstanceOf(Outcome.Delivered.class);
      server.await(line -> line.startsWith("BATCH -")); // it says yes to the first line already
      assertThat(server.heard(" PRIVMSG "))
          .extracting(line -> line.replaceFirst(".* :", ""))
          .containsExactly("one", "two", "three");
      assertThat(server.heard(" BATCH +")).hasSize(1);
    }
  }

  @Test
  void the_port_follows_from_tls() {
    AccountConfig account = IrcRig.account(1).set("port", null);
    assertThat(IrcSettings.of(account).port()).isEqualTo(6667);
    assertThat(IrcSettings.of(account.set("tls", true)).port()).isEqualTo(6697);
  }
}
