package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestCertificate;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.IrcServer;
import dev.postrider.testkit.internal.peers.IrcServer.Inspircd;
import dev.postrider.testkit.internal.peers.IrcWitness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server with labels and echoes that somebody else wrote, and another client on it. */
@VerifiedAgainst(value = "InspIRCd 3.15", channels = "irc")
class InspircdTest {
  @TempDir static Path folder;

  private static TestCertificate certificate;
  private static Inspircd irc;

  @BeforeAll
  static void start() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    certificate = TestCertificate.make(folder);
    irc = IrcServer.inspircd(folder, certificate.pem(), certificate.key());
  }

  @AfterAll
  static void stop() {
    if (irc != null) {
      irc.close();
    }
  }

  private static AccountConfig account(String nick) {
    return IrcRig.account(irc.server().port()).set("nick", nick);
  }

  private static String receipt(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    Outcome.Delivered delivered = (Outcome.Delivered) outcome;
    assertThat(delivered.receipt().accepted()).as("an echo came").isFalse();
    return delivered.receipt().id();
  }

  @Test
  void the_receipt_is_the_id_by_which_others_know_the_message() throws Exception {
    try (IrcWitness ann = new IrcWitness(irc.server().port(), "ann1", "#one");
        IrcRig rig = new IrcRig(account("rider1"))) {
      rig.connected();
      String id = receipt(rig.send("#one", "Grüße 🌍: here"));
      assertThat(ann.await(line -> line.contains("PRIVMSG #one :Grüße 🌍: here")))
          .contains("msgid=" + id);
      String answer = receipt(rig.send(Message.to("net", "ann1").text("yes").replyToId(id)));
      assertThat(ann.await(line -> line.contains("PRIVMSG ann1 :yes")))
          .contains("msgid=" + answer, "+draft/reply=" + id);
      receipt(rig.send(Message.to("net", "#one").text("psst").silent(true)));
      ann.await(line -> line.contains("NOTICE #one :psst"));
      assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider1 at 127.0.0.1"));
    }
  }

  @Test
  void refusals_are_told_in_the_servers_own_words() throws Exception {
    try (IrcWitness ann =
            new IrcWitness(irc.server().port(), "ann2", "#mute", "#club", "#locked", "#away");
        IrcRig rig = new IrcRig(account("rider2").set("channels", "#mute"))) {
      ann.say("MODE #mute +m");
      ann.say("MODE #club +i");
      ann.say("MODE #locked +k sesame");
      ann.say("AWAY :at lunch");
      ann.sync();
      rig.connected();
      assertThat(rig.send("nobody", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "401 No such nick"));
      assertThat(rig.send("#mute", "x"))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              it -> {
                assertThat(it.blame()).isEqualTo(Blame.TARGET);
                assertThat(it.cause()).startsWith("404 ");
              });
      assertThat(rig.send("#club", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.TARGET, "473 Cannot join channel (invite only)"));
      assertThat(rig.send("#locked", "x"))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, it -> assertThat(it.cause()).startsWith("475 "));
      assertThat(rig.send("ann2", "x"))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class, it -> assertThat(it.note()).isEqualTo("away: at lunch"));
    }
  }

  @Test
  void what_others_say_comes_in_once_and_our_own_words_do_not() throws Exception {
    try (IrcWitness ann = new IrcWitness(irc.server().port(), "Ann3", "#three");
        IrcRig rig = new IrcRig(account("rider3").set("channels", "#three"))) {
      rig.connected();
      ann.await(line -> line.contains("rider3!") && line.contains("JOIN"));
      receipt(rig.send("#three", "mine"));
      ann.say("PRIVMSG #three :yours");
      ann.say("PRIVMSG rider3 :\u0001ACTION waves\u0001");
      ann.sync();
      assertThat(rig.link.probe()).isInstanceOf(Probe.Healthy.class);
      assertThat(rig.inlet.arrivals())
          .extracting(it -> it.chat() + " " + it.text())
          .containsExactly("#three yours", "Ann3 /me waves");
      assertThat(rig.inlet.arrivals())
          .allSatisfy(
              it -> {
                assertThat(it.messageId()).isEqualTo(it.platformId());
                assertThat(it.sentAt()).isNotNull();
              })
          .extracting(InboundMessage::platformId)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void the_longest_line_arrives_to_its_last_byte() throws Exception {
    try (IrcWitness ann = new IrcWitness(irc.server().port(), "ann4", "#four");
        IrcRig rig = new IrcRig(account("rider4"))) {
      rig.connected();
      receipt(rig.send("#four", "who am I"));
      String us = ann.await(line -> line.endsWith("PRIVMSG #four :who am I"));
      String mask = us.replaceFirst("^@\\S+ ", "").replaceFirst("^:(\\S+) .*", "$1");
      int room = 512 - (":" + mask + " PRIVMSG #four :\r\n").length();
      String exact = "ü".repeat(room / 2) + "x".repeat(room % 2);
      assertThat(receipt(rig.send("#four", exact))).doesNotContain(",");
      assertThat(receipt(rig.send("#four", exact + "z"))).contains(",");
      ann.await(line -> line.endsWith(":z"));
      assertThat(ann.said("#four")).containsExactly("who am I", exact, exact, "z");
    }
  }

  @Test
  void a_server_that_reads_ever_more_slowly_still_gets_all_in_order() throws Exception {
    try (IrcWitness ann = new IrcWitness(irc.server().port(), "ann5", "#five");
        IrcRig rig = new IrcRig(account("rider5").set("port", irc.slowPort()))) {
      rig.connected();
      for (int i = 0; i < 8; i++) {
        receipt(rig.send("#five", "line " + i));
      }
      ann.sync();
      assertThat(ann.said("#five")).hasSize(8).isSorted();
    }
  }

  @Test
  void a_server_that_throws_us_out_for_flooding_is_spoken_to_more_slowly() throws Exception {
    try (IrcRig rig = new IrcRig(account("rider6").set("port", irc.strictPort()))) {
      CompletableFuture<Exception> end = rig.connected();
      List<CompletableFuture<Outcome>> sending = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        sending.add(rig.sending("rider6", "line " + i));
      }
      assertThat(IrcRig.cause(end)).containsIgnoringCase("flood");
      for (CompletableFuture<Outcome> each : sending) {
        assertThat(each.get(2, TimeUnit.MINUTES)).isNotInstanceOf(Outcome.Rejected.class);
      }
      rig.connected();
      assertThat(rig.send("rider6", "x")).isInstanceOf(Outcome.Throttled.class);
    }
  }

  @Test
  void a_nick_that_another_has_is_got_back_when_he_leaves() throws Exception {
    try (IrcWitness other = new IrcWitness(irc.server().port(), "rider7", "#seven");
        IrcRig rig = new IrcRig(account("rider7").set("channels", "#seven"))) {
      rig.connected();
      receipt(rig.send("#seven", "it is me"));
      assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider7_ at 127.0.0.1"));
      try (IrcWitness ann = new IrcWitness(irc.server().port(), "ann7", "#seven")) {
        other.say("QUIT");
        ann.await(line -> line.contains("rider7_!") && line.contains(" NICK :rider7"));
      }
      assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider7 at 127.0.0.1"));
    }
  }

  @Test
  void tls_is_spoken_with_a_server_of_ones_own_making() throws Exception {
    try (IrcRig rig =
        new IrcRig(
            account("rider8")
                .set("tls", true)
                .set("port", irc.tlsPort())
                .set("caFile", certificate.pem().toString()))) {
      assertThat(rig.link.probe())
          .as("before there is a connection")
          .isEqualTo(new Probe.Healthy("rider8 at 127.0.0.1:" + irc.tlsPort()));
      rig.connected();
      receipt(rig.send("#eight", "secret"));
    }
  }
}
