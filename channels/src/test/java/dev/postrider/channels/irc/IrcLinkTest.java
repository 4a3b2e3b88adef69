package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.DeafPort;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sending, against a server that does as it is told. */
class IrcLinkTest {

  private static Outcome delivered(String id) {
    return Outcome.delivered(id);
  }

  @Test
  void the_labelled_echo_is_the_delivery_and_its_msgid_the_receipt() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      assertThat(rig.send("#room", "hello")).isEqualTo(delivered("m1"));
      assertThat(rig.send("ann", "hello: you")).isEqualTo(delivered("m2"));
      assertThat(server.heard("PRIVMSG"))
          .satisfiesExactly(
              line -> assertThat(line).endsWith(" PRIVMSG #room :hello"),
              line -> assertThat(line).endsWith(" PRIVMSG ann :hello: you"));
      assertThat(server.heard("PING")).as("no fence is needed").isEmpty();
    }
  }

  @Test
  void a_labelled_error_is_the_refusal() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("PRIVMSG #m ", "@label={label} :srv 404 {nick} #m :Cannot send to channel");
      server.when("PRIVMSG ann ", "@label={label} FAIL PRIVMSG INVALID_UTF8 :Not UTF-8");
      rig.connected();
      assertThat(rig.send("#m", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "404 Cannot send to channel"));
      assertThat(rig.send("ann", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "PRIVMSG INVALID_UTF8 Not UTF-8"));
    }
  }

  @Test
  void a_labelled_batch_is_one_answer() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when(
          "PRIVMSG ann ",
          "@label={label} :srv BATCH +7 labeled-response",
          "@batch=7 :srv 301 {nick} ann :at lunch",
          "@batch=7;msgid=abc :{nick}!u@h PRIVMSG ann :x",
          ":srv BATCH -7");
      rig.connected();
      assertThat(rig.send("ann", "x"))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> {
                assertThat(it.receipt()).isEqualTo(new Receipt("abc", false));
                assertThat(it.note()).isEqualTo("away: at lunch");
              });
    }
  }

  @Test
  void an_answer_without_an_echo_says_that_nobody_may_have_seen_it() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("PRIVMSG", "@label={label} :srv ACK");
      rig.connected();
      assertThat(rig.send("#room", "x"))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> {
                assertThat(it.receipt().accepted()).isTrue();
                assertThat(it.note()).isEqualTo(IrcVerdict.NO_ECHO);
              });
    }
  }

  @Test
  void without_labels_the_pong_behind_a_line_proves_that_it_was_read() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      assertThat(rig.send("#room", "x"))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> {
                assertThat(it.receipt().accepted()).as("read, and no more").isTrue();
                assertThat(it.note()).isNull();
              });
      assertThat(server.heard().subList(server.heard().size() - 2, server.heard().size()))
          .satisfiesExactly(
              line -> assertThat(line).isEqualTo("PRIVMSG #room :x"),
              line -> assertThat(line).startsWith("PING read-"));
    }
  }

  @Test
  void a_refusal_before_the_pong_belongs_to_the_line_before_it() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("PRIVMSG nobody ", ":srv 401 {nick} nobody :No such nick");
      server.when("PRIVMSG Late ", ":srv 433 {nick} rider :Nickname is already in use");
      rig.connected();
      assertThat(rig.send("nobody", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "401 No such nick"));
      assertThat(rig.send("late", "x"))
          .as("an error about something else")
          .isInstanceOf(Outcome.Delivered.class);
    }
  }

  @Test
  void answers_without_labels_are_told_apart_by_their_order() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      // Holds back all answers until both lines are there.
      server.when("PRIVMSG|PING read-");
      CompletableFuture<Outcome> first = rig.sending("ann", "1");
      server.await(line -> line.equals("PRIVMSG ann :1"));
      String one = server.await(line -> line.startsWith("PING read-")).substring(5);
      CompletableFuture<Outcome> second = rig.sending("bob", "2");
      String two =
          server.await(line -> line.startsWith("PING read-") && !line.endsWith(one)).substring(5);
      server.say(":srv PONG srv :" + one);
      server.say(":srv 401 rider bob :No such nick");
      server.say(":srv PONG srv :" + two);
      assertThat(first.get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Delivered.class);
      assertThat(second.get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Rejected.class);
    }
  }

  @Test
  void an_echo_without_labels_is_a_delivery_too() throws Exception {
    try (FakeIrc server = new FakeIrc("echo-message", "message-tags");
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      assertThat(rig.send("#room", "x")).isEqualTo(delivered("m1"));
    }
  }

  @Test
  void a_channel_is_joined_before_the_first_message_and_not_again() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      rig.send("#room", "1");
      rig.send("@#room", "2");
      assertThat(server.heard("JOIN")).hasSize(1);
      server.say(":op!o@h KICK #Room rider :out");
      server.say("PING :done");
      server.await(line -> line.equals("PONG done"));
      rig.send("#room", "3");
      assertThat(server.heard("JOIN")).as("after a kick").hasSize(2);
    }
  }

  @Test
  void a_channel_that_does_not_let_us_in_is_the_targets_fault_and_nothing_is_said()
      throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("JOIN #club", ":srv 473 {nick} #club :Cannot join channel (+i)");
      rig.connected();
      assertThat(rig.send("#club", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "473 Cannot join channel (+i)"));
      assertThat(server.heard("PRIVMSG")).isEmpty();
    }
  }

  @Test
  void the_channels_of_the_account_are_joined_at_the_start_with_their_keys() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig =
            new IrcRig(
                IrcRig.account(server.port())
                    .set("channels", List.of("#One", "#two sesame", "#three")))) {
      rig.connected();
      server.await(line -> line.equals("JOIN #two sesame"));
      server.await(line -> line.equals("JOIN #one,#three"));
      rig.send("#two", "x");
      assertThat(server.heard("JOIN #two")).allMatch(line -> line.endsWith(" #two sesame"));
    }
  }

  @Test
  void silent_is_a_notice_and_an_action_is_an_action() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      assertThat(rig.send(Message.to("net", "ann").text("psst").silent(true)))
          .isEqualTo(delivered("m1"));
      rig.send(Message.to("net", "ann").text("waves").channelData(Map.of("action", true)));
      assertThat(server.heard("NOTICE ann :psst")).hasSize(1);
      assertThat(server.heard("PRIVMSG ann :\u0001ACTION waves\u0001")).hasSize(1);
    }
  }

  @Test
  void a_reply_names_the_message_or_is_dropped_where_nobody_would_see_it() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        FakeIrc plain = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()));
        IrcRig old = new IrcRig(IrcRig.account(plain.port()))) {
      rig.connected();
      old.connected();
      Message.Builder reply = Message.to("net", "ann").text("yes").replyToId("a;b c\\d");
      rig.send(reply);
      assertThat(server.heard("PRIVMSG").getFirst()).contains("+draft/reply=a\\:b\\sc\\\\d");
      assertThat(old.send(reply))
          .isEqualTo(new Outcome.Repairable(new Fix.DropReply(), "the server knows no replies"));
    }
  }

  @Test
  void a_server_that_complains_of_a_flood_is_spoken_to_more_slowly() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.once("PRIVMSG", "@label={label} :srv 439 {nick} ann :Please wait 104 seconds.");
      rig.connected();
      assertThat(rig.send("ann", "x"))
          .isEqualTo(
              new Outcome.Throttled(
                  ThrottleScope.CHAT, Duration.ofSeconds(104), "439 Please wait 104 seconds."));
      assertThat(rig.send("bob", "x"))
          .isInstanceOfSatisfying(
              Outcome.Throttled.class,
              it -> assertThat(it.scope()).isEqualTo(ThrottleScope.ACCOUNT));
      assertThat(server.heard("PRIVMSG bob")).isEmpty();
    }
  }

  @Test
  void who_is_not_there_is_unreachable_in_the_same_words() throws Exception {
    try (DeafPort nobody = new DeafPort();
        IrcRig rig = new IrcRig(IrcRig.account(nobody.number()))) {
      assertThat(rig.readiness())
          .containsExactly("not ready: connecting to 127.0.0.1:" + nobody.number());
      Outcome first = rig.send("ann", "x");
      assertThat(first).isInstanceOf(Outcome.Unreachable.class);
      assertThat(IrcRig.cause(rig.listen())).contains("nobody at 127.0.0.1");
      assertThat(rig.send("ann", "x")).isEqualTo(first);
      assertThat(rig.link.probe()).isInstanceOf(Probe.Unreachable.class);
    }
  }

  @Test
  void a_probe_tells_of_the_standing_connection_or_makes_one_that_nobody_sees() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      assertThat(rig.link.probe())
          .isEqualTo(new Probe.Healthy("rider at 127.0.0.1:" + server.port()));
      server.await(line -> line.equals("QUIT"));
      assertThat(server.heard()).noneMatch(line -> line.startsWith("NICK"));
      rig.connected();
      assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider at 127.0.0.1"));
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void a_refused_server_password_is_said_and_never_shown() throws Exception {
    try (FakeIrc server = new FakeIrc();
        IrcRig rig = new IrcRig(IrcRig.account(server.port()).set("password", "sesame-42"))) {
      server.when("USER", ":srv 464 * :Password sesame-42 incorrect", "CLOSE");
      CompletableFuture<Exception> end = rig.listen();
      assertThat(end.get(2, TimeUnit.MINUTES)).isInstanceOf(ListeningRefused.class);
      assertThat(IrcRig.cause(end)).isEqualTo("464 Password *** incorrect; check password");
      assertThat(rig.readiness().getLast())
          .isEqualTo("not ready: 464 Password *** incorrect; check password");
      assertThat(server.heard("PASS")).containsExactly("PASS sesame-42");
    }
  }
}
